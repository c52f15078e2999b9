import { defineCommand } from '../command.ts';
import { appCheck, openingFailed } from '../doctor/app-check.ts';
import { configCheck } from '../doctor/config-check.ts';
import { databaseCheck } from '../doctor/database-check.ts';
import type { Check, CheckContext, Finding } from '../doctor/finding.ts';
import { homeCheck } from '../doctor/home-check.ts';
import { runtimeCheck } from '../doctor/runtime-check.ts';
import { openHome } from '../open-config.ts';
import { createStyle } from '../print/style.ts';
import { visibleLine } from '../print/visible.ts';
import { type OpenApp, openRealApp } from '../with-app.ts';

const CHECKS: readonly Check[] = [runtimeCheck, homeCheck, configCheck, databaseCheck, appCheck];
const MARKS = { ok: '✓', warn: '⚠', bad: '✗' } as const;

export function createDoctorCommand(openApp: OpenApp) {
  return defineCommand(
    {
      name: 'doctor',
      summary: 'Look for what is wrong, and name the command that mends it',
      flags: {
        fix: { help: 'mend what can be mended without asking' },
        live: { help: 'also make one real call to the model' },
        json: { help: 'print the findings as JSON' },
      },
      examples: ['hermes doctor', 'hermes doctor --fix'],
    },
    async ({ values }, ctx) => {
      const context: CheckContext = { cli: ctx, home: openHome(ctx), openApp, live: values.live === true };
      const sections = [];
      for (const check of CHECKS) {
        const findings = await check.run(context).catch((error: unknown) => [openingFailed(error)]);
        sections.push({ title: check.title, findings: values.fix ? await mendAll(findings) : findings });
      }
      ctx.stdout.write(
        values.json ? `${JSON.stringify(sections, null, 2)}\n` : report(sections, createStyle(ctx.stdout, ctx.env)),
      );
      return 0;
    },
  );
}

export const doctorCommand = createDoctorCommand(openRealApp);

async function mendAll(findings: readonly Finding[]): Promise<Finding[]> {
  const after: Finding[] = [];
  for (const finding of findings) {
    if (finding.fix === undefined) after.push(finding);
    else
      after.push(
        await finding.fix().then(
          (done): Finding => ({ mark: 'ok', text: `fixed: ${done}` }),
          (error: unknown): Finding => ({
            ...finding,
            text: `${finding.text} It could not be fixed: ${openingFailed(error).text}`,
          }),
        ),
      );
  }
  return after;
}

function report(
  sections: readonly { title: string; findings: readonly Finding[] }[],
  style: ReturnType<typeof createStyle>,
): string {
  const colour = { ok: style.green, warn: style.yellow, bad: style.red };
  const lines: string[] = [];
  for (const { title, findings } of sections) {
    lines.push(style.bold(title));
    for (const { mark, text } of findings) lines.push(`  ${colour[mark](MARKS[mark])} ${visibleLine(text, 400)}`);
  }
  const open = sections.flatMap(({ findings }) => findings).filter(({ mark }) => mark !== 'ok');
  if (open.length === 0) lines.push('', 'Nothing is wrong.');
  else lines.push('', open.length === 1 ? 'One thing to look at:' : `${open.length} things to look at:`);
  open.forEach(({ text, mend }, index) => {
    lines.push(`  ${index + 1}. ${visibleLine(text, 400)}`);
    if (mend !== undefined) lines.push(`     ${mend}`);
  });
  if (open.some(({ fix }) => fix !== undefined)) lines.push('', 'Some of it is mended by `hermes doctor --fix`.');
  return `${lines.join('\n')}\n`;
}
