/** The keys that belong to no line and no panel. */
import { isKeyRelease, matchesKey } from '@earendil-works/pi-tui';
import { createInputFilter } from './input-filter.ts';

const LEAVE_WITHIN_MS = 2000;

export interface KeyActions {
  panelOpen(): boolean;
  lineEmpty(): boolean;
  completing(): boolean;
  clearLine(): void;
  /** Stops whatever the person waits for; false when nothing does. */
  interrupt(): boolean;
  leave(): void;
  repaint(): void;
  suspend(): void;
  openEditor(): void;
  hint(text: string): void;
}

/** @returns a listener that says whether it took the key */
export function createKeys(actions: KeyActions, now: () => number): (data: string) => boolean {
  const isReport = createInputFilter();
  let stoppedAt = Number.NEGATIVE_INFINITY;
  let chord = false;

  const onCtrlC = (): boolean => {
    const at = now();
    if (at - stoppedAt < LEAVE_WITHIN_MS) {
      actions.leave();
      return true;
    }
    stoppedAt = at;
    const stopped = actions.interrupt();
    if (actions.panelOpen()) return false; // the panel takes it as a no
    if (!stopped && actions.lineEmpty()) actions.hint('Ctrl+C once more leaves.');
    else if (!stopped) actions.clearLine();
    return true;
  };

  return (data) => {
    if (isReport(data)) return true;
    if (isKeyRelease(data)) return false;
    if (matchesKey(data, 'ctrl+c')) return onCtrlC();
    if (matchesKey(data, 'ctrl+z')) {
      actions.suspend();
      return true;
    }
    if (matchesKey(data, 'ctrl+l')) {
      actions.repaint();
      return true;
    }
    if (actions.panelOpen()) return false;
    const second = chord && matchesKey(data, 'ctrl+e');
    chord = matchesKey(data, 'ctrl+x');
    if (chord) return true;
    if (second || matchesKey(data, 'ctrl+g')) {
      actions.openEditor();
      return true;
    }
    if (matchesKey(data, 'ctrl+d') && actions.lineEmpty()) {
      actions.leave();
      return true;
    }
    return matchesKey(data, 'escape') && !actions.completing() && actions.interrupt();
  };
}
