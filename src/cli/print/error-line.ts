import type { TurnResult } from '../../contracts/turn.ts';
import { visibleLine } from './visible.ts';

/** Why a turn gave no complete answer, in one sentence; undefined when it did. */
export function troubleOf(result: TurnResult): string | undefined {
  if (result.error !== undefined) {
    const { message, hint } = result.error;
    return visibleLine(hint === undefined ? message : `${message} ${hint}`, 600);
  }
  if (result.stop === 'interrupted') return 'The turn was stopped before it was finished.';
  if (result.stop === 'cap') return 'The turn reached its limit of model calls; raise it with --max-turns.';
  if (result.stop === 'budget') return 'The turn used up its budget.';
  if (result.stop === 'error') return 'The turn failed.';
  return result.text.trim() === '' ? 'The model answered without any text.' : undefined;
}
