/**
 * The application's router without a port and a log, to be inspected or measured. Without models it has no database: if
 * code uses a model nevertheless, the model throws an error that says so.
 */
import { join } from 'node:path';
import { loadFiles } from 'seeother';
import type { Models } from '../application/models.ts';
import { createApplication } from '../application/router.ts';
import { readConfig } from '../application/settings/config.ts';
import { ROOT } from './project-files.ts';

export function createIdleApplication(models = ABSENT) {
  const files = loadFiles(join(ROOT, 'application', 'public'));
  const application = createApplication({
    config: readConfig({}),
    models,
    files,
    health: {
      checkDatabase: async () => {},
      writeFailure: () => null,
      canStoreFiles: () => true,
      isDraining: () => false,
    },
    log: () => {},
    report: ({ error }) => {
      throw error;
    },
    logSecurity: () => {},
  });
  return { application, files };
}

/** Each can be passed on, but not used. */
const ABSENT = new Proxy({} as Models, {
  get: (_models, name) => {
    // The site serves them, and there are none.
    if (name === 'scripts') return undefined;
    return new Proxy(
      {},
      {
        get: (_model, key) => {
          throw new Error(
            `Cannot use ${String(name)}.${String(key)}: the routes are only looked at, and no database is open. Use it in a handler, not while the router is built.`,
          );
        },
      },
    );
  },
});
