import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaceText } from './patch/replace.ts';
import { parsePatch } from './patch/v4a.ts';
import { fileTools } from './testing/file-tools.ts';

const edit = (text: string, old: string, wanted: string, all = false) => replaceText(text, { old, new: wanted, all });
const edited = (text: string, old: string, wanted: string) => {
  const result = edit(text, old, wanted);
  return result.ok ? result.text : result.message;
};

describe('patch, mode replace', () => {
  it('KF-149: takes the new text to the letter', () => {
    expect(edited('a OLD b', 'OLD', 'cost: $& $1 $$5')).toBe('a cost: $& $1 $$5 b');
  });

  it('KF-150: keeps the line ends of the file', async () => {
    const { call, put, text } = fileTools();
    put('a.txt', 'a\r\nb\r\nc\r\n');
    await call('patch', { path: 'a.txt', old_string: 'b', new_string: 'b1\nb2' });
    expect(text('a.txt')).toBe('a\r\nb1\r\nb2\r\nc\r\n');
  });

  it('KF-151: puts the new lines at the depth the file uses', () => {
    const file = 'def f(d):\n    for k in d:\n        use(k)\n';
    expect(edited(file, 'for k in d:\n        use(k)', 'for k in sorted(d):\n        use(k)\n        log(k)')).toBe(
      'def f(d):\n    for k in sorted(d):\n        use(k)\n        log(k)\n',
    );
    expect(edited(file, 'for k in d:\n    use(k)', 'for k in sorted(d):\n    use(k)\n    if k:\n        log(k)')).toBe(
      'def f(d):\n    for k in sorted(d):\n        use(k)\n        if k:\n            log(k)\n',
    );
    const tabs = 'if a:\n\tb()\n\tc()\n';
    expect(edited(tabs, '    b()\n    c()', '    b()\n    if d:\n        c()')).toBe(
      'if a:\n\tb()\n\tif d:\n\t\tc()\n',
    );
  });

  it('KF-152: refuses an edit that fits two places, and shows both', () => {
    const body = '    start()\n    work()\n    stop()\n';
    const file = `def a():\n${body}\ndef b():\n${body}`;
    const result = edit(file, 'def c():\n    start()\n    work()\n    stop()', 'def c():\n    pass');
    expect(result).toMatchObject({
      ok: false,
      code: 'ambiguous',
      places: [expect.stringContaining('L1: def a'), expect.stringContaining('L6: def b')],
    });
    expect(edit(file, 'start()\n  work()', 'x')).toMatchObject({
      code: 'ambiguous',
      places: [expect.any(String), expect.any(String)],
    });
  });

  it('KF-153: takes a written-out line end for a real one where the file has one', () => {
    expect(edited('p\nq\nr', 'p\\nq', 's\\nt')).toBe('s\nt\nr');
    expect(edited('say "p\\nq"', 'p\\nq', 's\\nt')).toBe('say "s\\nt"');
  });

  it('KF-154: shows the nearest lines with the difference, and the number and lines of several places', () => {
    const missing = edit('one\n\n\ntwo\nthree\n', 'one\n\ntwo', 'x');
    expect(missing).toMatchObject({
      ok: false,
      code: 'no-match',
      places: expect.arrayContaining([expect.stringMatching(/^L1: at line 3 the file has "", old_string has "two"/)]),
    });
    const several = edit('dup\nx\ndup\ny\ndup\n', 'dup', 'z');
    expect(several).toMatchObject({ code: 'ambiguous', message: expect.stringContaining('3 places (lines 1, 3, 5)') });
  });

  it.each([
    ['line_trimmed', '  a()  \n  b()\n', 'a()\nb()', 'c()', '  c()\n'],
    ['whitespace_normalized', 'x  =   1\ny = 2\n', 'x = 1', 'x = 3', 'x = 3\ny = 2\n'],
    ['trimmed_boundary', 'call(one) + two\n', '\n call(one) \n', ' call(1) ', 'call(1) + two\n'],
    [
      'unicode_normalized',
      'She said “hi” – ok…\n',
      'She said "hi" - ok...',
      'She said "hi" - fine',
      'She said "hi" - fine\n',
    ],
    ['block_anchor', 'begin\n  middel line\nend\n', 'begin\n  middle line\nend', 'done', 'done\n'],
  ])('finds by %s', (strategy, file, old, wanted, expected) => {
    expect(edit(file, old, wanted)).toMatchObject({ ok: true, strategy, text: expected });
  });

  it('replaces all only where each place is sure', () => {
    expect(edit('a a a', 'a', 'b', true)).toMatchObject({ ok: true, text: 'b b b', count: 3 });
    const twice = 'begin\n  middel line\nend\n'.repeat(2);
    expect(edit(twice, 'begin\n  middle line\nend', 'x', true)).toMatchObject({ ok: false, code: 'ambiguous' });
  });

  it('takes an edit that was made already for success, and refuses empty and equal texts', () => {
    expect(edit('new text here\n', 'old text here', 'new text here')).toMatchObject({ ok: true, count: 0 });
    expect(edit('a', ' ', 'b')).toMatchObject({ code: 'invalid' });
    expect(edit('a', 'a', 'a')).toMatchObject({ code: 'invalid' });
  });

  it('tells more firmly to read after three failures on a file, and starts anew after success', async () => {
    const { call, put } = fileTools();
    put('a.txt', 'hello\n');
    const fail = () => call('patch', { path: 'a.txt', old_string: 'zzz qqq', new_string: 'x' });
    expect([(await fail()).json.hint, (await fail()).json.hint]).toEqual([undefined, undefined]);
    expect((await fail()).json.hint).toContain('read_file');
    await call('patch', { path: 'a.txt', old_string: 'hello', new_string: 'bye' });
    expect((await fail()).json.hint).toBeUndefined();
  });

  it('gives the difference, says when the file had changed, and reports new syntax errors', async () => {
    const { call, put } = fileTools();
    put('a.json', '{\n  "a": 1\n}\n');
    await call('read_file', { path: 'a.json' });
    put('a.json', '{\n  "a": 1,\n  "b": 2\n}\n');
    const { json, view } = await call('patch', { path: 'a.json', old_string: '"b": 2', new_string: '"b": 2,' });
    expect(json.diff).toContain('-  "b": 2\n+  "b": 2,');
    expect(json.lint).toHaveLength(1);
    expect(json._warning).toContain('changed on disk');
    expect(view.summary).toContain('(+1 −1)');
  });

  it('changes exactly the place of a unique exact match, whatever the texts', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), fc.string(), (before, old, after, wanted) => {
        const file = before + old + after;
        fc.pre(old.trim() !== '' && old !== wanted && file.split(old).length === 2);
        expect(edit(file, old, wanted)).toMatchObject({ ok: true, text: before + wanted + after });
      }),
    );
  });

  it('never throws and never changes anything it refuses', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\t', '"', '\\', '“', '$') });
    fc.assert(
      fc.property(text, text, text, fc.boolean(), (file, old, wanted, all) => {
        const result = edit(file, old, wanted, all);
        expect(typeof (result.ok ? result.text : result.message)).toBe('string');
      }),
    );
  });
});

describe('patch, mode patch', () => {
  const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

  it('updates, adds, deletes and moves files in one go', async () => {
    const { call, put, text, at } = fileTools();
    put('a.txt', 'one\ntwo\nthree\n');
    put('gone.txt', 'x\n');
    put('from.txt', 'moved\n');
    const { json, receipt } = await call('patch', {
      mode: 'patch',
      patch: patch(
        '*** Update File: a.txt',
        '@@ one @@',
        '-two',
        '+2',
        ' three',
        '+four',
        '***Add File: new/b.txt',
        '+hello',
        '+world',
        '*** Delete File: gone.txt',
        '*** Move File: from.txt -> to.txt',
      ),
    });
    expect(json).toMatchObject({ success: true });
    expect(text('a.txt')).toBe('one\n2\nthree\nfour\n');
    expect(text('new/b.txt')).toBe('hello\nworld\n');
    expect(text('to.txt')).toBe('moved\n');
    expect([existsSync(at('gone.txt')), existsSync(at('from.txt'))]).toEqual([false, false]);
    expect(receipt.filesChanged).toHaveLength(5);
  });

  it('changes nothing when one part does not fit', async () => {
    const { call, put, text, at } = fileTools();
    put('a.txt', 'one\n');
    put('b.txt', 'two\n');
    const refused = await call('patch', {
      patch: patch(
        '*** Update File: a.txt',
        '-one',
        '+1',
        '*** Update File: b.txt',
        '-nothing like it',
        '+2',
        '*** Add File: c.txt',
        '+c',
      ),
    });
    expect(refused.result.isError).toBe(true);
    expect([text('a.txt'), text('b.txt'), existsSync(at('c.txt'))]).toEqual(['one\n', 'two\n', false]);
  });

  it('uses the line after @@ to tell equal places apart, and adds after it', async () => {
    const { call, put, text } = fileTools();
    put('a.py', 'def a():\n    x = 1\n\ndef b():\n    x = 1\n');
    await call('patch', { patch: patch('*** Update File: a.py', '@@ def b():', '-    x = 1', '+    x = 2') });
    expect(text('a.py')).toBe('def a():\n    x = 1\n\ndef b():\n    x = 2\n');
    await call('patch', { patch: patch('*** Update File: a.py', '@@ def a():', '+    """Doc."""') });
    expect(text('a.py')).toContain('def a():\n    """Doc."""\n    x = 1\n');
  });

  it('applies several parts of one file in order', async () => {
    const { call, put, text } = fileTools();
    put('a.txt', 'x\n1\nx\n2\nx\n3\n');
    await call('patch', { patch: patch('*** Update File: a.txt', ' x', '-1', '+one', '@@', ' x', '-3', '+three') });
    expect(text('a.txt')).toBe('x\none\nx\n2\nx\nthree\n');
  });

  it('refuses climbing paths, guarded files, existing targets and what it cannot read', async () => {
    const { call, put } = fileTools();
    put('a.txt', 'a\n');
    for (const lines of [
      ['*** Delete File: ../a.txt'],
      ['*** Add File: .env', '+X=1'],
      ['*** Add File: a.txt', '+b'],
      ['*** Move File: a.txt -> a.txt'],
      ['*** Update File: a.txt', 'garbage'],
      ['nonsense'],
      [],
    ]) {
      expect([lines, (await call('patch', { patch: patch(...lines) })).result.isError]).toEqual([lines, true]);
    }
  });

  it('is read from any text without a throw', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '*** Begin Patch',
        '*** Update File: a',
        '*** Add File: b',
        '*** End Patch',
        '@@',
        '@@ x',
        '*** Move to: c',
      ),
      fc.string(),
      fc.string().map((text) => `+${text}`),
    );
    fc.assert(fc.property(fc.array(line), (lines) => void parsePatch(lines.join('\n'))));
  });
});
