/** Which shape of file this version writes. */
import { optionalInt } from './kinds.ts';

export const versionSettings = {
  _config_version: optionalInt('Shape of this file, for `hermes config migrate`.'),
};
