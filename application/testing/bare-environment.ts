/** What a process that a test starts has of this one's environment: nothing that could configure it. */
import type { Environment } from '../process/config.ts';

export const BARE_ENVIRONMENT: Environment = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};
