import { visibleWidth } from '@earendil-works/pi-tui';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawDiff, isDiff } from './blocks/diff.ts';
import { formatEntry, parseHistory } from './history.ts';
import { createInputFilter } from './input-filter.ts';
import { clampMiddle, visibleLine, visibleText } from './sanitize.ts';
import { DEFAULT_SETTINGS, settingsFrom } from './settings.ts';
import { contextPaint, type StatusFacts, statusLine } from './status-bar.ts';
import { createTheme } from './theme.ts';
import { failedEdits, turnSummary } from './turn-summary.ts';
import { createTypeAhead } from './type-ahead.ts';

const theme = createTheme({});
const plain = createTheme({ NO_COLOR: '1' });
const anyText = fc.string({
  unit: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 1 }),
    fc.constantFrom('\x1b', '[', ']', '\x07', 'm', '\ud83d', '\n', '\t'),
  ),
});

describe('text for the screen', () => {
  it('holds no control character but line feeds, and no half pair', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = visibleText(text);
        expect(shown).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
        expect(shown.isWellFormed()).toBe(true);
        expect(visibleText(shown)).toBe(shown);
        expect(visibleLine(text)).not.toContain('\n');
      }),
    );
  });

  it('keeps ordinary text of any script', () => {
    for (const text of ['plain', '日本語\nの行', 'e\u0301 👩‍👩‍👧', 'a | b']) expect(visibleText(text)).toBe(text);
  });

  it.each([
    '\x1b[31mred\x1b[0m',
    '\x1b]0;title\x07red',
    '\x1bPq\x1b\\red',
    '\x1b]8;;http://x\x1b\\red\x1b]8;;\x1b\\',
    '\u202ered',
  ])('reads %j as red', (text) => expect(visibleText(text)).toBe('red'));

  it('clamps the middle only when that saves lines', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.nat(5), fc.nat(5), (lines, first, last) => {
        const shown = clampMiddle(lines, first, last);
        expect(shown.length).toBeLessThanOrEqual(Math.max(lines.length === 0 ? 0 : first + last + 1, 0));
        expect(shown.slice(0, Math.min(first, lines.length))).toEqual(lines.slice(0, first));
      }),
    );
  });
});

describe('the history file', () => {
  it('reads back what was written, whatever it holds', () => {
    const entry = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\r'));
    fc.assert(
      fc.property(fc.array(fc.tuple(entry, fc.constantFrom('', '\n+x', '\n# no comment'))), (parts) => {
        const entries = parts.map((each) => each.join(''));
        const file = entries.map((text) => formatEntry(text, new Date(0))).join('');
        expect(parseHistory(file)).toEqual(entries);
      }),
    );
  });
});

describe('the input filter', () => {
  it.each([
    ['\x1b]11;rgb:1e1e/1e1e/2e2e\x07'],
    ['\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\'],
    ['\x1b[<64;12;7M'],
    ['\x1b[<0;1;1m'],
    ['\x1b[M !!'],
    ['\x1b[I'],
    ['\x1b[O'],
    ['\x1b[12;40R'],
    ['\x1b[?62;4c'],
    ['\x1b[>1;10;0c'],
    ['\x1b[?2026;2$y'],
    ['\x1bP>|term 1.0\x1b\\'],
  ])('drops %j', (report) => expect(createInputFilter()(report)).toBe(true));

  it.each([
    'a',
    '日',
    '\r',
    '\x1b',
    '\x1b[A',
    '\x1b[1;5C',
    '\x1b[13;2u',
    '\x1b[3~',
    '\x1b\r',
    '\x1bb',
    '\x03',
    '\x1bOP',
    '\x1b[Z',
    '\x1b[200~x\x1b[201~',
  ])('passes the key %j', (key) => expect(createInputFilter()(key)).toBe(false));

  it('drops the late tail of a mouse report, and passes the key after it', () => {
    const filter = createInputFilter();
    expect(['\x1b[<64', ...';12;7M', 'x'].map(filter)).toEqual([true, true, true, true, true, true, true, false]);
  });

  it('drops the late tail of a colour reply', () => {
    const filter = createInputFilter();
    expect(['\x1b]11;rg', ...'b:1e1e/1e1e\x07', 'x'].map(filter).at(-1)).toBe(false);
    expect(['\x1b]11;rg', ...'b:1e1e'].map(createInputFilter())).not.toContain(false);
  });
});

describe('keys pressed before the screen was there', () => {
  it('are read as pressed in the first piece of input only', async () => {
    const asPressed = createTypeAhead(() => 0);
    expect(['a', '\n', 'b'].map(asPressed)).toEqual(['a', '\r', 'b']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(asPressed('\n')).toBe('\n');
  });

  it('are not those of somebody who took their time', () => {
    let now = 0;
    const asPressed = createTypeAhead(() => now);
    now = 60_000;
    expect(asPressed('\n')).toBe('\n');
  });
});

describe('the status bar', () => {
  const facts: StatusFacts = {
    model: 'claude-sonnet-4-5',
    demo: false,
    contextTokens: 12_000,
    contextWindow: 200_000,
    costUsd: 0.12,
    openForMs: 65_000,
    title: 'A long conversation about gardens and other things that matter',
    yolo: false,
    processes: 0,
  };

  it('never is wider than the screen', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.string({ unit: 'grapheme' }),
        fc.nat(300_000),
        (width, title, used) => {
          const line = statusLine({ ...facts, title, contextTokens: used, demo: true, yolo: true }, width, theme);
          expect(visibleWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  it('shows everything from 76 columns on, the share from 52, model and time below', () => {
    const at = (width: number) => statusLine(facts, width, plain).replace(/\x1b\[\d+m/g, '');
    expect(at(120)).toMatch(/^claude-sonnet-4-5 │ 12k\/200k │ \[█░+\] 6% │ \$0\.12 │ 1m 5s +A long/);
    expect(at(76)).toContain('12k/200k');
    expect(at(75)).toBe('claude-sonnet-4-5 │ 6% │ $0.12 │ 1m 5s');
    expect(at(52)).toContain('6%');
    expect(at(51)).toBe('claude-sonnet-4-5 │ 1m 5s');
  });

  it('shows no cost that is not known', () => {
    expect(statusLine({ ...facts, costUsd: undefined }, 120, plain)).not.toContain('$');
  });

  it('turns yellow, orange and red as the context fills', () => {
    expect([0.49, 0.5, 0.8, 0.95].map((share) => contextPaint(share, theme))).toEqual([
      theme.ok,
      theme.warn,
      theme.high,
      theme.error,
    ]);
  });
});

describe('the turn summary', () => {
  it('counts a file once and no failed call', () => {
    const receipt = (tool: string, ok = true, filesChanged?: string[]) => ({
      callId: '',
      tool,
      at: 0,
      ok,
      filesChanged,
    });
    const receipts = [
      receipt('write_file', true, ['/a']),
      receipt('patch', true, ['/a', '/b']),
      receipt('patch', false, ['/c']),
      receipt('read_file'),
      receipt('terminal'),
      receipt('terminal', false),
    ];
    expect(turnSummary(receipts, { added: 5, removed: 1 }, 61_000)).toBe(
      '1m 1s · edited 2 files +5 -1 · read 1 · ran 1 command',
    );
    expect(turnSummary([], { added: 0, removed: 0 }, 900)).toBe('');
    expect(turnSummary([], { added: 0, removed: 0 }, 2900)).toBe('2s');
  });

  it('names an edit that failed unless it was done later', () => {
    const call = (summary: string, ok: boolean) => ({ tool: 'patch', summary, ok });
    expect(failedEdits([call('a', false), call('b', false), call('a', true)])).toEqual(['b']);
  });
});

describe('settings', () => {
  it('fall back for whatever does not fit', () => {
    fc.assert(fc.property(fc.anything(), (config) => void settingsFrom(config, undefined)));
    expect(
      settingsFrom({ display: { busy_input_mode: 'maybe', tool_progress: 7 }, approvals: 'x' }, undefined),
    ).toEqual(DEFAULT_SETTINGS);
  });

  it('come from the configuration', () => {
    const settings = settingsFrom(
      {
        display: { busy_input_mode: 'steer', show_reasoning: false },
        approvals: { timeout: 20, destructive_slash_confirm: false },
      },
      '/home/x/.hermes_history',
    );
    expect(settings).toMatchObject({
      busyMode: 'steer',
      showReasoning: false,
      approvalTimeoutMs: 20_000,
      confirmDestructive: false,
      historyFile: '/home/x/.hermes_history',
    });
  });
});

describe('diffs', () => {
  it('are known by their marks and painted line by line', () => {
    const diff = '--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new';
    expect(isDiff(diff)).toBe(true);
    expect(isDiff('- a list\n+ of things')).toBe(false);
    expect(drawDiff(diff, theme, true)).toEqual([
      theme.bold('--- a'),
      theme.bold('+++ b'),
      theme.dim('@@ -1 +1 @@'),
      theme.removed('-old'),
      theme.added('+new'),
    ]);
  });
});
