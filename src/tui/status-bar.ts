/** The line above the input: model, context, cost, time. */
import { truncateToWidth, visibleWidth } from '@earendil-works/pi-tui';
import { duration, money, tokens } from '../commands/format.ts';
import { fitLines } from './blocks/block.ts';
import { visibleLine } from './sanitize.ts';
import type { Paint, Theme } from './theme.ts';

const FULL_COLUMNS = 76;
const COMPACT_COLUMNS = 52;

export interface StatusFacts {
  /** '' until it is known, undefined when there is none to be had. */
  readonly model: string | undefined;
  readonly demo: boolean;
  readonly contextTokens: number;
  /** 0: not known. */
  readonly contextWindow: number;
  /** Undefined: not known, and then not shown. */
  readonly costUsd: number | undefined;
  readonly openForMs: number;
  readonly title: string | undefined;
  readonly yolo: boolean;
  /** Background processes that run. */
  readonly processes: number;
}

export function statusLine(facts: StatusFacts, width: number, theme: Theme): string {
  const left = parts(facts, width, theme).join(theme.dim(' │ '));
  const badge = facts.title === undefined || width < FULL_COLUMNS ? '' : visibleLine(facts.title);
  const room = width - visibleWidth(left) - 2;
  if (badge === '' || room < 8) return fitLines([left], width)[0] ?? '';
  const shown = truncateToWidth(badge, room, '…');
  return left + ' '.repeat(width - visibleWidth(left) - visibleWidth(shown)) + theme.accent(shown);
}

function parts(facts: StatusFacts, width: number, theme: Theme): readonly string[] {
  const name = modelName(facts, theme);
  const time = theme.dim(duration(facts.openForMs));
  const warning = facts.yolo ? [theme.error('⚠ YOLO')] : [];
  const running = facts.processes === 0 ? [] : [theme.accent(`▶${facts.processes}`)];
  if (width < COMPACT_COLUMNS) return [name, ...running, time, ...warning];
  const context = contextParts(facts, width >= FULL_COLUMNS, theme);
  const cost = facts.costUsd === undefined || facts.costUsd === 0 ? [] : [money(facts.costUsd)];
  return [name, ...context, ...cost, ...running, time, ...warning];
}

function modelName({ model, demo }: StatusFacts, theme: Theme): string {
  if (model === undefined) return theme.error('no model');
  if (model === '') return theme.accent('starting');
  const name = theme.accent(visibleLine(model));
  return demo && model !== 'demo' ? `${name} ${theme.warn('demo')}` : name;
}

function contextParts(facts: StatusFacts, full: boolean, theme: Theme): readonly string[] {
  if (facts.contextWindow <= 0) return [];
  const share = facts.contextTokens / facts.contextWindow;
  const percent = `${Math.round(share * 100)}%`;
  const paint = contextPaint(share, theme);
  if (!full) return [paint(percent)];
  const filled = Math.min(10, Math.round(share * 10));
  const bar = `[${'█'.repeat(filled)}${'░'.repeat(10 - filled)}]`;
  return [`${tokens(facts.contextTokens)}/${tokens(facts.contextWindow)}`, paint(`${bar} ${percent}`)];
}

export function contextPaint(share: number, theme: Theme): Paint {
  if (share < 0.5) return theme.ok;
  if (share < 0.8) return theme.warn;
  return share < 0.95 ? theme.high : theme.error;
}
