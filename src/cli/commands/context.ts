import type { ContextReport } from '../../agent/agent.ts';
import { defineCommand } from '../command.ts';
import { grouped } from '../print/number.ts';
import { table } from '../print/table.ts';
import { type OpenApp, openRealApp, withApp } from '../with-app.ts';

export function createContextCommand(openApp: OpenApp) {
  return defineCommand(
    {
      name: 'context',
      summary: 'Show what a request to the model holds, block by block',
      flags: {
        resume: { short: 'r', value: 'SESSION', help: 'look at this session instead of a new one' },
        model: { short: 'm', value: 'MODEL', help: 'measure against this model' },
        json: { help: 'print the report as JSON' },
      },
      examples: ['hermes context', 'hermes context -r latest --json'],
    },
    ({ values }, ctx) =>
      withApp(
        ctx,
        openApp,
        async (app) => {
          const session =
            values.resume === undefined ? app.newSession() : (await app.resumeSession(values.resume)).session;
          const report = await app.agent.context(session);
          ctx.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : contextText(report));
          return 0;
        },
        { selection: { model: values.model } },
      ),
  );
}

export const contextCommand = createContextCommand(openRealApp);

function contextText(report: ContextReport): string {
  const { model, totalTokens } = report;
  const share = (tokens: number) => `${((100 * tokens) / Math.max(1, totalTokens)).toFixed(0)}%`;
  const rows = report.blocks.map((block) => [
    block.name,
    grouped(block.chars),
    grouped(block.tokens),
    share(block.tokens),
    ...(report.cachedTokens === undefined ? [] : [block.cached ?? '']),
  ]);
  const used = ((100 * totalTokens) / model.contextWindow).toFixed(1);
  const lines = [
    `${model.provider}:${model.model}`,
    '',
    table([
      ['block', 'characters', '~tokens', 'share', ...(report.cachedTokens === undefined ? [] : ['from cache'])],
      ...rows,
      ['total', '', grouped(totalTokens), '100%'],
    ]),
    `${used}% of ${grouped(model.contextWindow)} tokens (window known from: ${model.contextSource})`,
  ];
  if (report.reportedTokens !== undefined)
    lines.push(`last request as counted by the provider: ${grouped(report.reportedTokens)} tokens`);
  if (report.cachedTokens !== undefined)
    lines.push(`served from the provider's cache: ${grouped(report.cachedTokens)} tokens`);
  return `${lines.join('\n')}\n`;
}
