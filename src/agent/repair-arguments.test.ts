import { parseToolCallArguments } from '@earendil-works/pi-ai';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { receivedArguments, repairArguments } from './repair-arguments.ts';

describe('repair of tool call arguments', () => {
  it('KF-033: drops a trailing comma and keeps the values', () => {
    expect(repairArguments('{"path": "a.txt", "limit": 5,}')).toEqual({ path: 'a.txt', limit: 5 });
  });

  it.each(['', '  ', 'null', 'None'])('KF-034: reads %j as no arguments', (text) => {
    expect(repairArguments(text)).toEqual({});
  });

  it('closes what is open, in order, and drops surplus closers', () => {
    expect(repairArguments('{"a": [1, {"b": 2')).toEqual({ a: [1, { b: 2 }] });
    expect(repairArguments('{"a": "}"}}]}')).toEqual({ a: '}' });
  });

  it('KF-032: never completes a value that was cut', () => {
    expect(repairArguments('{"path":"a.txt","content":"hel')).toBeUndefined();
    expect(repairArguments('{"path":"a.txt","content":"hel\\"')).toBeUndefined();
  });

  it('reads arguments that were encoded twice', () => {
    expect(repairArguments(JSON.stringify(JSON.stringify({ a: 1 })))).toEqual({ a: 1 });
  });

  it('finds the text in the report of the model library', () => {
    const { argumentsError } = parseToolCallArguments('{"a": 1,}') as { argumentsError?: string };
    expect(receivedArguments(argumentsError ?? '')).toBe('{"a": 1,}');
  });

  it('never throws, and gives back every valid object unchanged', () => {
    fc.assert(fc.property(fc.string(), (text) => void repairArguments(text)));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        expect(repairArguments(text)).toEqual(JSON.parse(text));
        expect(repairArguments(`${text.slice(0, -1)},}`)).toEqual(JSON.parse(text));
      }),
    );
  });
});
