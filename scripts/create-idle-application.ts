/**
 * The application's router without a port and a log, to be inspected or measured. Without models it has no database: if
 * code uses a model nevertheless, the model throws an error that says so.
 */
import { join } from 'node:path';
import { loadFiles } from 'seeother';
import { openAccounts } from '../application/accounts/accounts.ts';
import type { Database } from '../application/database/kysely.ts';
import type { Models } from '../application/models.ts';
import { createApplication } from '../application/router.ts';
import { readConfig } from '../application/settings/config.ts';
import { ROOT } from './project-files.ts';

export function createIdleApplication(models = withoutDatabase()) {
  const files = loadFiles(join(ROOT, 'application', 'public'));
  const application = createApplication({
    config: CONFIG,
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

const CONFIG = readConfig({});

/** Each model can be passed on, but not used. Those of accounts have routes. */
function withoutDatabase(): Models {
  const door = { ...absent('door'), engine: 'sqlite' } as unknown as Database['door'];
  const accounts = openAccounts(
    { door, write: absent('write', () => {}) as never },
    {
      config: CONFIG,
      logSecurity: () => {},
      findHeld: absent('findHeld', () => {}) as never,
      people: absent('people') as never,
    },
  );
  return new Proxy({ accounts, scripts: [] } as unknown as Models, {
    get: (models, name) => Reflect.get(models, name) ?? absent(String(name)),
  });
}

function absent(model: string, target: object = {}): object {
  return new Proxy(target, {
    get: (_model, key) => {
      throw new Error(
        `Cannot use ${model}.${String(key)}: the routes are only looked at, and no database is open. Use it in a handler, not while the router is built.`,
      );
    },
  });
}
