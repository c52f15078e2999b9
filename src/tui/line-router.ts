/** Where a sent line goes: the shell, a slash command, or the model. */
import { parseSlash } from '../commands/index.ts';

interface LineTargets {
  shell(command: string): void;
  /** Resolves when the command is done. */
  command(line: string): Promise<void>;
  message(text: string, shown: string): void;
}

export interface LineRouter {
  /** @param shown what the screen showed of it, with pastes folded */
  send(text: string, shown?: string): void;
  /** Lines sent before this wait for it, in order. */
  open(targets: LineTargets): void;
  /** Takes back what waits for the app to open. */
  takeWaiting(): readonly string[];
}

/** Commands run one after the other, and a message never overtakes the command sent before it. */
export function createLineRouter(onWaiting: (shown: readonly string[]) => void): LineRouter {
  const waiting: { text: string; shown: string }[] = [];
  let targets: LineTargets | undefined;
  let commandsRunning = 0;
  let last = Promise.resolve();

  const route = (text: string, shown: string, to: LineTargets): void => {
    if (text.startsWith('!') && text.length > 1) {
      to.shell(text.slice(1).trim());
      return;
    }
    const isCommand = parseSlash(text) !== undefined;
    if (!isCommand && commandsRunning === 0) {
      to.message(text, shown);
      return;
    }
    commandsRunning += 1;
    last = last
      .then(() => (isCommand ? to.command(text) : to.message(text, shown)))
      .finally(() => {
        commandsRunning -= 1;
      });
  };

  return {
    send(text, shown = text) {
      if (text.trim() === '') return;
      if (targets !== undefined) {
        route(text, shown, targets);
        return;
      }
      waiting.push({ text, shown });
      onWaiting(waiting.map((line) => line.shown));
    },
    open(to) {
      targets = to;
      if (waiting.length > 0) onWaiting([]);
      for (const line of waiting.splice(0)) route(line.text, line.shown, to);
    },
    takeWaiting: () => waiting.splice(0).map(({ text }) => text),
  };
}
