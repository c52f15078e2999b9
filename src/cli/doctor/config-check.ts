/** `.env` and config.yaml: whether they can be read, and what they say that nobody understands. */

import { checkEnvFile } from '../../config/check.ts';
import { problemText } from '../../config/source.ts';
import { openConfig } from '../open-config.ts';
import { bad, type Check, ok, warn } from './finding.ts';

export const configCheck: Check = {
  title: 'Settings',
  async run({ cli }) {
    const { home, environment, loaded } = await openConfig(cli);
    const problems = loaded.problems.map(problemText);
    const odd = loaded.warnings.filter((text) => !problems.includes(text));
    const secrets = [...environment.warnings, ...checkEnvFile(home)];
    return [
      ...problems.map((text) => bad(text, { mend: 'hermes config edit' })),
      ...odd.map((text) => warn(text, { mend: 'hermes config check' })),
      ...secrets.map((text) => warn(text, { mend: `edit ${home.display(home.path('.env'))}` })),
      ...(problems.length + odd.length === 0 ? [ok(`${home.display(home.path('config.yaml'))} is understood`)] : []),
      ...(secrets.length === 0 ? [ok('.env is understood')] : []),
    ];
  },
};
