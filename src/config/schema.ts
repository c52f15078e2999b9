/**
 * The single list of every setting. Validation, the `config` command and the reference page are made from it; it is
 * loaded only when a configuration changed (see `load.ts`).
 */
import type * as z from 'zod';
import { agentSettings } from './schema/agent.ts';
import { displaySettings } from './schema/display.ts';
import { section } from './schema/kinds.ts';
import { learningSettings } from './schema/learning.ts';
import { modelSettings } from './schema/models.ts';
import { operationSettings } from './schema/operations.ts';
import { safetySettings } from './schema/safety.ts';
import { toolSettings } from './schema/tools.ts';
import { versionSettings } from './schema/version.ts';

export const configSchema = section(
  {
    ...modelSettings,
    ...agentSettings,
    ...toolSettings,
    ...learningSettings,
    ...displaySettings,
    ...safetySettings,
    ...operationSettings,
    ...versionSettings,
  },
  'All settings.',
);

export type Config = z.output<typeof configSchema>;
