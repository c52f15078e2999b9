/** What only the opened application knows: the model and the tools. */
import type { App } from '../../app.ts';
import { AppError, describeError, errorText } from '../../lib/errors.ts';
import { withApp } from '../with-app.ts';
import { bad, type Check, type CheckContext, type Finding, ok, warn } from './finding.ts';

const LIVE_MS = 60_000;

export const appCheck: Check = {
  title: 'Model and tools',
  run: (context) =>
    withApp(context.cli, context.openApp, async (app) => [...(await model(app, context)), ...(await tools(app))], {
      silent: true,
    }),
};

async function model(app: App, { cli, live }: CheckContext): Promise<Finding[]> {
  try {
    const { info } = await app.models.resolve();
    if (info.demo) return [warn('No model is set up: the demo answers, which is not an AI.', { mend: 'hermes setup' })];
    const name = `${info.provider}:${info.model}`;
    if (!live) return [ok(`${name}; add --live for a real call`)];
    await app.models.test({}, AbortSignal.any([cli.signal, AbortSignal.timeout(LIVE_MS)]));
    return [ok(`${name} answers`)];
  } catch (error) {
    return [bad(errorText(error), { mend: error instanceof AppError && error.hint ? error.hint : 'hermes setup' })];
  }
}

async function tools(app: App): Promise<Finding[]> {
  const listed = await app.tools();
  const absent = listed.filter((tool) => !tool.enabled && tool.reason !== undefined);
  return [
    ok(`${listed.length - absent.length} tools are offered`),
    ...absent.map((tool) => warn(`${tool.name} is not offered: ${tool.reason}`, { mend: 'hermes tools' })),
  ];
}

/** A home that cannot even be opened is the finding. */
export function openingFailed(error: unknown): Finding {
  return bad(describeError(error));
}
