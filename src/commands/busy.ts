import { BUSY_MODES, type BusyMode, type Command } from './command.ts';
import { remember, wantsGlobal } from './remember.ts';

const MEANING: Readonly<Record<BusyMode, string>> = {
  interrupt: 'a message sent while it works stops the turn and takes its place',
  queue: 'a message sent while it works waits for the next turn',
  steer: 'a message sent while it works reaches it after the next tool call',
};

export const busyCommand: Command = {
  name: 'busy',
  group: 'Turn',
  summary: 'What a message does that is sent while a turn runs.',
  args: '[interrupt|queue|steer|status] [--global]',
  where: 'both',
  tier: 'essential',
  whileBusy: true,
  async complete() {
    return [...BUSY_MODES.map((mode) => ({ value: mode, detail: MEANING[mode] })), { value: 'status' }];
  },
  async run(args, ctx) {
    const words = args.toLowerCase().split(/\s+/);
    const wanted = words.find((word) => !word.startsWith('--')) ?? '';
    if (wanted === '' || wanted === 'status') {
      const mode = ctx.preferences.busyMode;
      ctx.say(`Busy mode **${mode}**: ${MEANING[mode]}.`);
      return;
    }
    const mode = BUSY_MODES.find((each) => each === wanted);
    if (mode === undefined) {
      ctx.say(`\`${wanted}\` is no busy mode. Choose interrupt, queue or steer.`);
      return;
    }
    ctx.preferences.busyMode = mode;
    const saved = wantsGlobal(words) ? ` ${await remember([['display.busy_input_mode', mode]], ctx)}` : '';
    ctx.say(`Busy mode **${mode}**: ${MEANING[mode]}.${saved}`);
  },
};
