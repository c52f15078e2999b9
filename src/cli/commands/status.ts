import { describeError } from '../../lib/errors.ts';
import type { ModelInfo } from '../../model/client.ts';
import { defineCommand } from '../command.ts';
import type { CliContext } from '../context.ts';
import { type OpenedConfig, openConfig } from '../open-config.ts';
import { table } from '../print/table.ts';
import { type OpenApp, openRealApp, withApp } from '../with-app.ts';
import { localMinute } from './sessions/list.ts';

interface Status {
  readonly home: string;
  readonly profile: string;
  readonly node: string;
  readonly model: { readonly info?: ModelInfo; readonly error?: string };
  readonly keys: readonly { readonly provider: string; readonly source: string }[];
  readonly tools: { readonly enabled: number; readonly known: number };
  readonly lastSession: { readonly id: string; readonly lastActiveAt: number } | null;
  readonly warnings: readonly string[];
}

export function createStatusCommand(openApp: OpenApp) {
  return defineCommand(
    {
      name: 'status',
      summary: 'Show home, model, keys, tools and the last session',
      flags: { json: { help: 'print it as JSON' } },
    },
    async ({ values }, ctx) => {
      const opened = await openConfig(ctx);
      const status = await readStatus(ctx, opened, openApp);
      ctx.stdout.write(values.json ? `${JSON.stringify(status, null, 2)}\n` : statusText(status));
      return 0;
    },
  );
}

export const statusCommand = createStatusCommand(openRealApp);

function readStatus(ctx: CliContext, { home }: OpenedConfig, openApp: OpenApp): Promise<Status> {
  return withApp(
    ctx,
    openApp,
    async (app) => {
      const [model, providers, tools, [last]] = await Promise.all([
        app.models.resolve().then(
          ({ info }) => ({ info }),
          (error: unknown) => ({ error: describeError(error) }),
        ),
        app.models.providers(),
        app.tools(),
        app.store.list({ limit: 1 }),
      ]);
      return {
        home: home.display(),
        profile: home.profile,
        node: process.versions.node,
        model,
        keys: providers.flatMap(({ id, configured, source }) =>
          configured && id !== 'demo' && source !== undefined ? [{ provider: id, source }] : [],
        ),
        tools: { enabled: tools.filter((tool) => tool.enabled).length, known: tools.length },
        lastSession: last === undefined ? null : { id: last.id, lastActiveAt: last.lastActiveAt },
        warnings: app.warnings,
      };
    },
    { silent: true },
  );
}

function statusText(status: Status): string {
  const { info, error } = status.model;
  const model = info?.demo ? 'demo (not an AI; run `hermes setup`)' : `${info?.provider}:${info?.model}`;
  const last = status.lastSession;
  return table([
    ['home', status.home],
    ['profile', status.profile],
    ['node', status.node],
    ['model', error ?? model],
    ...(status.keys.length === 0 ? [['keys', 'none; run `hermes setup`']] : []),
    ...status.keys.map(({ provider, source }, index) => [index === 0 ? 'keys' : '', `${provider}: ${source}`]),
    ['tools', `${status.tools.enabled} of ${status.tools.known}; see \`hermes tools\``],
    ['session', last === null ? 'none yet' : `${last.id}, ${localMinute(last.lastActiveAt)}; go on with \`hermes -c\``],
    ...status.warnings.map((text) => ['warning', text]),
  ]);
}
