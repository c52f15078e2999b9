import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkArguments } from './arguments.ts';
import { boolean, integer, list, object, oneOf, optional, parameters, string } from './parameters.ts';
import { sanitizeSchema } from './schema.ts';

const { jsonSchema } = parameters({
  path: string(),
  limit: optional(integer()),
  deep: optional(boolean()),
  mode: optional(oneOf(['fast', 'slow'])),
  tags: optional(list(string())),
  rows: optional(list(object({ id: string() }))),
});

describe('checkArguments', () => {
  it('brings what models send to the declared types', () => {
    const raw = { path: 7, limit: '20', deep: 'True', mode: 'FAST', tags: 'one', rows: '[{"id":1}]' };
    expect(checkArguments(jsonSchema, raw)).toEqual({
      ok: true,
      value: { path: '7', limit: 20, deep: true, mode: 'fast', tags: ['one'], rows: [{ id: '1' }] },
    });
  });

  it('takes null for an optional argument as not given and drops what is not declared', () => {
    expect(checkArguments(jsonSchema, { path: 'a', limit: null, extra: 1 })).toEqual({
      ok: true,
      value: { path: 'a' },
    });
  });

  it('names every problem with its place, and the unknown arguments', () => {
    const checked = checkArguments(jsonSchema, { file: 'a', limit: 'many', rows: [{}] });
    expect(checked).toEqual({
      ok: false,
      issues: [
        'path is required',
        'limit: must be an integer, not string "many"',
        'rows[0].id is required',
        'not known: file (known: path, limit, deep, mode, tags, rows)',
      ],
    });
  });

  it('tries the variants of a foreign union in order', () => {
    const schema = sanitizeSchema({
      type: 'object',
      properties: { value: { anyOf: [{ type: 'integer' }, { type: 'array', items: { type: 'string' } }] } },
    });
    expect(checkArguments(schema, { value: ['a'] })).toEqual({ ok: true, value: { value: ['a'] } });
    expect(checkArguments(schema, { value: {} }).ok).toBe(false);
  });

  it('never throws and never touches what already fits', () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (raw) => void checkArguments(jsonSchema, raw)));
    fc.assert(
      fc.property(
        fc.record(
          { path: fc.string(), limit: fc.integer(), deep: fc.boolean(), tags: fc.array(fc.string()) },
          { requiredKeys: ['path'] },
        ),
        (raw) => {
          expect(checkArguments(jsonSchema, raw)).toEqual({ ok: true, value: { ...raw } });
        },
      ),
    );
  });
});
