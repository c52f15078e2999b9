import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { withAt } from './tree.ts';
import { editYaml } from './yaml-edit.ts';
import { readYaml } from './yaml-text.ts';

const value = (text: string) => {
  const read = readYaml(text);
  if (!read.ok) throw new Error(`${read.fault.reason}\n${text}`);
  return read.value;
};

/** Lines of `a` that `b` has not, and the reverse. */
const changedLines = (a: string, b: string) => {
  const [left, right] = [a.split('\n'), b.split('\n')];
  return [left.filter((line) => !right.includes(line)), right.filter((line) => !left.includes(line))];
};

const FILE = `# head

b:   1   # why one
a: "two"     # end of line
list:
    - x   # first
    - y
deep:
    deeper:
        k: v
        # trailing thoughts
    other:  {q: 1, r: [1, 2]}   # flow
text: |
    one
    two
# before c
c:
empty: {}
# tail
`;

describe('editYaml', () => {
  it('KF-187: changes that value only', () => {
    expect(editYaml(FILE, ['a'], 'three')).toBe(FILE.replace('"two"', '"three"'));
    expect(editYaml(FILE, ['b'], 12)).toBe(FILE.replace('1   # why', '12   # why'));
    expect(editYaml(FILE, ['list', '1'], 'z')).toBe(FILE.replace('- y', '- z'));
    expect(editYaml(FILE, ['deep', 'deeper', 'k'], true)).toBe(FILE.replace('k: v', 'k: true'));
    expect(editYaml(FILE, ['c'], 5)).toBe(FILE.replace('c:\n', 'c: 5\n'));
    expect(editYaml(FILE, ['deep', 'other', 'q'], 9)).toBe(FILE.replace('{q: 1, r: [1, 2]}', '{q: 9, r: [1, 2]}'));
  });

  it('adds a line where the group ends, in its own indentation', () => {
    expect(editYaml(FILE, ['deep', 'deeper', 'new'], 'w')).toBe(
      FILE.replace('        k: v\n', '        k: v\n        new: w\n'),
    );
    expect(editYaml(FILE, ['list', '2'], 'z')).toBe(FILE.replace('    - y\n', '    - y\n    - z\n'));
    expect(editYaml(FILE, ['deep', 'third'], 1)).toBe(FILE.replace('# flow\n', '# flow\n    third: 1\n'));
    expect(changedLines(FILE, editYaml(FILE, ['empty', 'x'], 1))).toEqual([['empty: {}'], ['empty:', '  x: 1']]);
    expect(editYaml(FILE, ['c', 'x'], 1)).toBe(FILE.replace('c:\n', 'c:\n  x: 1\n'));
  });

  it('takes a line out, and a group that is left empty with it', () => {
    expect(editYaml(FILE, ['b'], undefined)).toBe(FILE.replace('b:   1   # why one\n', ''));
    expect(editYaml(FILE, ['list', '0'], undefined)).toBe(FILE.replace('    - x   # first\n', ''));
    expect(value(editYaml(FILE, ['deep', 'deeper', 'k'], undefined))).toEqual(
      withAt(value(FILE), ['deep', 'deeper'], undefined),
    );
    expect(editYaml(FILE, ['text'], undefined)).toBe(FILE.replace('text: |\n    one\n    two\n', ''));
    expect(editYaml(FILE, ['nothing'], undefined)).toBe(FILE);
  });

  it('keeps Windows line ends, a missing last one and a file of comments alone', () => {
    expect(editYaml('a: 1\r\nb: 2\r\n', ['c'], 3)).toBe('a: 1\r\nb: 2\r\nc: 3\r\n');
    expect(editYaml('a: 1', ['c', 'd'], 3)).toBe('a: 1\nc:\n  d: 3\n');
    expect(editYaml('# only\n', ['c'], 3)).toBe('# only\nc: 3\n');
    expect(editYaml('', ['c'], 'off')).toBe('c: "off"\n');
    expect(editYaml('{}\n', ['c'], 1)).toBe('c: 1\n');
  });

  it('KF-193: keeps text of other scripts as it is', () => {
    expect(editYaml('挨拶: こんにちは\nb: 1\n', ['b'], '世界')).toBe('挨拶: こんにちは\nb: 世界\n');
  });

  it('gives an alias a group of its own', () => {
    const edited = editYaml('x: &x {k: 1, l: 2}\ny: *x\n', ['y', 'k'], 3);
    expect(value(edited)).toEqual({ x: { k: 1, l: 2 }, y: { k: 3, l: 2 } });
    expect(edited).toContain('x: &x {k: 1, l: 2}\n');
  });

  it('refuses what the file cannot hold', () => {
    expect(() => editYaml(FILE, ['a', 'b'], 1)).toThrow(/value of its own/);
    expect(() => editYaml(FILE, ['list', '7'], 1)).toThrow(/no entry 7/);
    expect(() => editYaml('a: [', ['b'], 1)).toThrow(/cannot be read/);
    expect(() => editYaml('x: &x {k: 1}\ny:\n  <<: *x\n  l: 1\n', ['y', 'k'], undefined)).toThrow(/alias or merge/);
  });

  it('means the same as changing the value, for any file, path and value', () => {
    const name = fc.constantFrom('a', 'b', 'c.d', 'on', 'x y', '1', '# q', 'ä');
    const leaf = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('off', 'null', '~', '- a', 'a: b', 'x #y', '{', '"', '012', '1e3', 'a\nb\n', ' lead', ''),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    const { tree } = fc.letrec<{ tree: unknown; map: Record<string, unknown> }>((tie) => ({
      tree: fc.oneof({ depthSize: 'small' }, leaf, tie('map'), fc.array(leaf, { maxLength: 3 })),
      map: fc.dictionary(name, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
    }));
    const file = fc.dictionary(name, tree, { maxKeys: 5, noNullPrototype: true });
    const style = fc.record({
      indent: fc.constantFrom(2, 4),
      collectionStyle: fc.constantFrom('any' as const, 'flow' as const),
    });
    fc.assert(
      fc.property(
        file,
        style,
        fc.array(name, { minLength: 1, maxLength: 3 }),
        fc.option(tree, { nil: undefined }),
        (data, options, path, leafValue) => {
          const text = stringify(data, { ...options, compat: 'yaml-1.1' });
          const before = value(text);
          let edited: string;
          try {
            edited = editYaml(text, path, leafValue);
          } catch (error) {
            // A value in the way is the one reason to refuse such a file.
            expect(String(error)).toMatch(/value of its own|is a list of/);
            return;
          }
          const after = value(edited);
          const wanted = leafValue === undefined ? after : withAt(before, path, leafValue);
          expect(after).toEqual(wanted);
          if (leafValue === undefined)
            expect(JSON.stringify(after)).not.toBe(edited === text ? '' : JSON.stringify(before));
        },
      ),
      { numRuns: 150 },
    );
  });
});
