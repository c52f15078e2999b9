/** The slash commands, one list for every door, in the order in which a prefix picks one. */
import { busyCommand } from './busy.ts';
import type { Command } from './command.ts';
import { contextCommand } from './context.ts';
import { helpCommand } from './help.ts';
import { modelCommand } from './model.ts';
import { newCommand } from './new.ts';
import { queueCommand } from './queue.ts';
import { quitCommand } from './quit.ts';
import { reasoningCommand } from './reasoning.ts';
import { resumeCommand } from './resume.ts';
import { retryCommand } from './retry.ts';
import { sessionsCommand } from './sessions.ts';
import { statusCommand } from './status.ts';
import { steerCommand } from './steer.ts';
import { stopCommand } from './stop.ts';
import { titleCommand } from './title.ts';
import { toolsCommand } from './tools.ts';
import { undoCommand } from './undo.ts';
import { usageCommand } from './usage.ts';

export type { Command } from './command.ts';
export { dispatch } from './dispatch.ts';
export { parseSlash } from './match.ts';

export const commands: readonly Command[] = [
  helpCommand(() => commands),
  newCommand,
  resumeCommand,
  sessionsCommand,
  titleCommand,
  modelCommand,
  reasoningCommand,
  usageCommand,
  contextCommand,
  toolsCommand,
  statusCommand,
  stopCommand,
  undoCommand,
  retryCommand,
  steerCommand,
  queueCommand,
  busyCommand,
  quitCommand,
];
