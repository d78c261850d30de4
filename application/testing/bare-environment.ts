/** The environment for child processes of tests, without any variable that would configure them. */
import type { Environment } from '../settings/config.ts';

export const BARE_ENVIRONMENT: Environment = {
  PATH: process.env['PATH'],
  TZ: 'UTC',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};
