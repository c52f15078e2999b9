import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { integer, list, object, oneOf, optional, parameters, string } from './parameters.ts';
import { sanitizeSchema, toolSchema } from './schema.ts';
import { defineTool, textOutcome } from './tool.ts';

describe('sanitizeSchema', () => {
  it.each([[{ type: 'object' }], [{}], [{ type: null }], [undefined], ['object'], [{ type: 'string' }]])(
    'KF-114: makes a valid object schema of %j',
    (raw) => {
      expect(sanitizeSchema(raw)).toEqual({ type: 'object', properties: {} });
    },
  );

  it('KF-115: expands references and makes a nullable property optional', () => {
    const clean = sanitizeSchema({
      type: 'object',
      $defs: { Pet: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
      properties: { pet: { anyOf: [{ $ref: '#/$defs/Pet' }, { type: 'null' }], description: 'a pet' } },
      required: ['pet'],
    });
    expect(clean).toEqual({
      type: 'object',
      properties: {
        pet: {
          type: 'object',
          description: 'a pet',
          properties: { name: { type: 'string' } },
          required: ['name'],
        },
      },
    });
  });

  it('KF-115: ends for definitions that refer to themselves', () => {
    const clean = sanitizeSchema({
      type: 'object',
      $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } } },
      properties: { head: { $ref: '#/$defs/Node' } },
    });
    expect(JSON.stringify(clean)).not.toContain('$ref');
    expect(clean).toMatchObject({ properties: { head: { properties: { next: { type: 'object' } } } } });
  });

  it('KF-116: drops an additionalProperties that is no schema and keeps one that is', () => {
    const clean = sanitizeSchema({ type: 'object', additionalProperties: 'string', properties: {} });
    expect(clean).toEqual({ type: 'object', properties: {} });
    const map = sanitizeSchema({
      type: 'object',
      properties: { env: { type: 'object', additionalProperties: { type: 'string' } } },
    });
    expect(map).toMatchObject({ properties: { env: { additionalProperties: { type: 'string' } } } });
  });

  it('puts a union at the top into one object that requires what every variant requires', () => {
    const clean = sanitizeSchema({
      oneOf: [
        { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a', 'b'] },
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      ],
    });
    expect(clean).toMatchObject({ type: 'object', required: ['a'] });
    expect(clean).not.toHaveProperty('anyOf');
  });

  it('gives equal bytes for equal schemas whatever the order of their keys', () => {
    const a = sanitizeSchema({
      type: 'object',
      properties: { x: { type: 'string', description: 'd' }, y: { type: 'integer' } },
      required: ['y', 'x'],
    });
    const b = sanitizeSchema({
      required: ['x', 'y'],
      properties: { y: { type: 'integer' }, x: { description: 'd', type: 'string' } },
      type: 'object',
    });
    expect(JSON.stringify(a)).toBe(JSON.stringify(b));
  });

  it('takes anything and gives an object schema without references or union types, twice the same', () => {
    const node = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.jsonValue(), // the leaf: fast-check takes the first at the greatest depth
        fc.record(
          {
            type: fc.oneof(
              fc.constantFrom('object', 'string', 'array', 'null', 'integer', 'nonsense'),
              fc.constant(null),
              fc.constant(['string', 'null']),
            ),
            properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'toString'), tie('schema'), {
              maxKeys: 2,
            }),
            required: fc.array(fc.constantFrom('a', 'b', 'c')),
            items: tie('schema'),
            anyOf: fc.array(tie('schema'), { maxLength: 2 }),
            allOf: fc.array(tie('schema'), { maxLength: 2 }),
            $ref: fc.constantFrom('#', '#/properties/a', '#/$defs/%', 'http://x'),
            enum: fc.array(fc.oneof(fc.string(), fc.constant(null)), { maxLength: 2 }),
            additionalProperties: fc.oneof(fc.boolean(), fc.string(), tie('schema')),
          },
          { requiredKeys: [] },
        ),
      ),
    })).schema;
    fc.assert(
      fc.property(node, (raw) => {
        const clean = sanitizeSchema(raw);
        expect(clean.type).toBe('object');
        expect(clean.properties).toBeTypeOf('object');
        const bytes = JSON.stringify(clean);
        expect(bytes).not.toContain('"$ref":');
        expect(bytes).not.toContain('"type":[');
        expect(JSON.stringify(sanitizeSchema(JSON.parse(bytes)))).toBe(bytes);
      }),
      { numRuns: 300 },
    );
  });
});

describe('toolSchema', () => {
  const tool = (parameters: Parameters<typeof defineTool>[0]['parameters']) =>
    defineTool({
      name: 't',
      toolset: 'x',
      description: 'd',
      parameters,
      plan: () => ({ summary: 's', concurrency: 'parallel', run: async () => textOutcome('') }),
    });

  it('gives the same schema for the builder and for zod', async () => {
    const built = parameters({
      mode: oneOf(['a', 'b'], 'which'),
      note: optional(string()),
      rows: optional(list(object({ id: string(), n: optional(integer()) }))),
    });
    const zod = z.object({
      mode: z.enum(['a', 'b']).describe('which'),
      note: z.string().optional(),
      rows: z.array(z.object({ id: z.string(), n: z.int().optional() })).optional(),
    });
    const fromBuilder = await toolSchema(tool(built));
    expect(sanitizeSchema(fromBuilder.parameters)).toEqual(JSON.parse(JSON.stringify(fromBuilder.parameters)));
    const { parameters: fromZod } = await toolSchema(tool(zod));
    const withoutBounds = JSON.stringify(fromZod).replace(/,"(maximum|minimum)":-?\d+/g, '');
    expect(JSON.parse(withoutBounds)).toEqual(fromBuilder.parameters);
  });
});
