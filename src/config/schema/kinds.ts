/** The few kinds of setting there are, each with its default and its meaning, which the reference page prints. */
import * as z from 'zod';

interface More {
  /** Never shown. */
  readonly secret?: boolean;
}

const meta = (description: string, more: More = {}) => ({ description, ...more });

export const bool = (value: boolean, meaning: string) => z.boolean().default(value).meta(meta(meaning));

export const int = (value: number, meaning: string, min = 0, max = Number.MAX_SAFE_INTEGER) =>
  z.int().min(min).max(max).default(value).meta(meta(meaning));

export const num = (value: number, meaning: string, min = 0, max = Number.MAX_SAFE_INTEGER) =>
  z.number().min(min).max(max).default(value).meta(meta(meaning));

export const text = (value: string, meaning: string, more?: More) =>
  z.string().default(value).meta(meta(meaning, more));

export const oneOf = <const T extends readonly [string, ...string[]]>(
  values: T,
  value: NoInfer<T[number]>,
  meaning: string,
) =>
  z
    .enum(values)
    .default(value as never) // zod's type of an enum's value is the same union in another spelling
    .meta(meta(meaning));

export const texts = (value: readonly string[], meaning: string) =>
  z
    .array(z.string())
    .default([...value])
    .meta(meta(meaning));

/** A list of things whose form is checked by whoever uses them. */
export const anyList = (meaning: string) => z.array(z.unknown()).default([]).meta(meta(meaning));

/** Names and values of the user's own choosing. */
export const anyMap = (meaning: string) => z.record(z.string(), z.unknown()).default({}).meta(meta(meaning));

export const textMap = (meaning: string) => z.record(z.string(), z.string()).default({}).meta(meta(meaning));

/** A named group per name of the user's choosing. */
export const mapOf = <T extends z.ZodType>(entry: T, meaning: string) =>
  z.record(z.string(), entry).default({}).meta(meta(meaning));

/** Not set unless the user sets it. */
export const optionalText = (meaning: string, more?: More) => z.string().optional().meta(meta(meaning, more));
export const optionalInt = (meaning: string, min = 0) => z.int().min(min).optional().meta(meta(meaning));
export const optionalNum = (meaning: string, min = 0) => z.number().min(min).optional().meta(meta(meaning));
export const optionalBool = (meaning: string) => z.boolean().optional().meta(meta(meaning));

/** `auto`, on, off, or the texts a model's name must contain. */
export const autoOrModels = (meaning: string) =>
  z
    .union([z.boolean(), z.enum(['auto']), z.array(z.string())])
    .default('auto')
    .meta(meta(meaning));

/** A group of settings. Keys that are not listed are kept, and read by plugins or by a newer version. */
export function section<T extends z.ZodRawShape>(shape: T, meaning: string) {
  return group(shape)
    .prefault({} as never)
    .meta(meta(meaning)); // every key of a group has a default or is optional
}

/** As `section`, for the entries of a map: not there unless the user writes it. */
export function group<T extends z.ZodRawShape>(shape: T): z.ZodObject<T> {
  // The cast hides the index signature of a loose object, which would let a misspelt key compile as unknown.
  return z.looseObject(shape) as unknown as z.ZodObject<T>;
}

/** A group that also takes any further sub-group: settings of providers or platforms by their own name. */
export function openSection<T extends z.ZodRawShape>(shape: T, meaning: string) {
  const schema = z.object(shape).catchall(z.unknown()) as unknown as z.ZodObject<T>; // as in `group`
  return schema.prefault({} as never).meta({ ...meta(meaning), open: true }); // as in `section`
}
