import type { ToolListing } from '../../app.ts';
import { defineCommand } from '../command.ts';
import { table } from '../print/table.ts';
import { type OpenApp, openRealApp, withApp } from '../with-app.ts';

export function createToolsCommand(openApp: OpenApp) {
  return defineCommand(
    {
      name: 'tools',
      summary: 'List the tools that the model is offered, and why one is not',
      flags: {
        summary: { help: 'one line for each toolset' },
        json: { help: 'print the list as JSON' },
      },
      examples: ['hermes tools', 'hermes tools --json | jq -r ".[] | select(.enabled) | .name"'],
    },
    ({ values }, ctx) =>
      withApp(ctx, openApp, async (app) => {
        const tools = await app.tools();
        if (values.json) ctx.stdout.write(`${JSON.stringify(tools, null, 2)}\n`);
        else ctx.stdout.write(values.summary ? summary(tools) : listing(tools));
        return 0;
      }),
  );
}

export const toolsCommand = createToolsCommand(openRealApp);

function byToolset(tools: readonly ToolListing[]): [string, readonly ToolListing[]][] {
  return [...Map.groupBy(tools, (tool) => tool.toolset)];
}

function listing(tools: readonly ToolListing[]): string {
  const row = (tool: ToolListing) => [
    tool.enabled ? '✓' : '✗',
    tool.name,
    tool.enabled ? '' : (tool.reason ?? 'switched off'),
  ];
  return byToolset(tools)
    .map(([toolset, members]) => `${toolset}\n${table(members.map(row), '  ')}`)
    .join('\n');
}

function summary(tools: readonly ToolListing[]): string {
  return table(
    byToolset(tools).map(([toolset, members]) => [
      toolset,
      `${members.filter((tool) => tool.enabled).length} of ${members.length}`,
    ]),
  );
}
