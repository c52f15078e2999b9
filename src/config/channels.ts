/** What ties a home to its chat accounts, taken out of a copy: two homes must not share a bot. */
import { editEnvText, parseEnvFile } from './env-file.ts';
import { joinKey } from './key-path.ts';
import { isTree } from './tree.ts';
import { editYaml } from './yaml-edit.ts';
import { readYaml } from './yaml-text.ts';

const VARIABLE =
  /^(?:TELEGRAM|DISCORD|SLACK|WHATSAPP|SIGNAL|MATRIX|MATTERMOST|EMAIL|SMS|TWILIO|FEISHU|DINGTALK|WECOM|TEAMS|GATEWAY|WEBHOOK|API_SERVER)_|_(?:BOT_TOKEN|APP_TOKEN|ALLOWED_USERS|ALLOW_ALL_USERS|HOME_CHANNEL)$/;

const SETTINGS = 'platforms telegram discord slack whatsapp signal matrix mattermost'.split(' ');

/** @param stripped gets the names that were taken out */
export function stripChannelVariables(text: string, stripped: string[]): string {
  const names = new Set(
    parseEnvFile(text)
      .map(({ name }) => name)
      .filter((name) => VARIABLE.test(name)),
  );
  stripped.push(...names);
  return [...names].reduce((rest, name) => editEnvText(rest, name, undefined), text);
}

/** A file that cannot be read is copied as it is. @param stripped gets the names that were taken out */
export function stripChannelSettings(text: string, stripped: string[]): string {
  const parsed = readYaml(text);
  if (!parsed.ok) return text;
  const paths = SETTINGS.filter((name) => name in parsed.value).map((name) => [name]);
  if (isTree(parsed.value.gateway) && 'platforms' in parsed.value.gateway) paths.push(['gateway', 'platforms']);
  stripped.push(...paths.map(joinKey));
  return paths.reduce((rest, path) => editYaml(rest, path, undefined), text);
}
