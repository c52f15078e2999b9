/**
 * Tool arguments as data: a typed builder whose product is a plain JSON Schema, and the one walker that coerces
 * and checks a call against such a schema (ours or an MCP server's).
 */

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Param<T> {
  readonly schema: JsonSchema;
  readonly optional: boolean;
  /** Never set; carries the type. */
  readonly type?: T;
}

/** The arguments of one tool: a JSON Schema of type object that TypeScript knows the shape of. */
export interface Parameters<Args> {
  readonly jsonSchema: JsonSchema;
  /** Never set; carries the type. */
  readonly args?: Args;
}

type Shape = Readonly<Record<string, Param<unknown>>>;
type ValueOf<P> = P extends Param<infer T> ? T : never;
type OptionalKeys<S extends Shape> = { [K in keyof S]: undefined extends ValueOf<S[K]> ? K : never }[keyof S];
type Simplify<T> = { readonly [K in keyof T]: T[K] };
export type ArgsOf<S extends Shape> = Simplify<
  { [K in Exclude<keyof S, OptionalKeys<S>>]: ValueOf<S[K]> } & { [K in OptionalKeys<S>]?: ValueOf<S[K]> }
>;

function param<T>(schema: Record<string, unknown>, description?: string): Param<T> {
  return { schema: description === undefined ? schema : { ...schema, description }, optional: false };
}

export const string = (description?: string): Param<string> => param({ type: 'string' }, description);
export const integer = (description?: string): Param<number> => param({ type: 'integer' }, description);
export const boolean = (description?: string): Param<boolean> => param({ type: 'boolean' }, description);

export function oneOf<const V extends readonly string[]>(values: V, description?: string): Param<V[number]> {
  return param({ type: 'string', enum: values }, description);
}

export function list<T>(item: Param<T>, description?: string): Param<readonly T[]> {
  return param({ type: 'array', items: item.schema }, description);
}

export function object<S extends Shape>(shape: S, description?: string): Param<ArgsOf<S>> {
  return param(objectSchema(shape), description);
}

export function optional<T>(of: Param<T>): Param<T | undefined> {
  return { schema: of.schema, optional: true };
}

export function parameters<S extends Shape>(shape: S): Parameters<ArgsOf<S>> {
  return { jsonSchema: objectSchema(shape) };
}

function objectSchema(shape: Shape): Record<string, unknown> {
  const properties = Object.fromEntries(Object.entries(shape).map(([name, { schema }]) => [name, schema]));
  const required = Object.keys(shape).filter((name) => !shape[name]?.optional);
  return required.length === 0 ? { type: 'object', properties } : { type: 'object', properties, required };
}
