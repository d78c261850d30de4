/**
 * The application's router for inspection, without a database or a port. If code uses a model
 * nevertheless, the model throws an error that says so.
 */
import { join } from 'node:path';
import { loadFiles } from 'seeother';
import { createApplication } from '../application/router.ts';
import { readConfig } from '../application/settings/config.ts';
import { ROOT } from './project-files.ts';

export function createIdleApplication() {
  const files = loadFiles(join(ROOT, 'application', 'public'));
  const application = createApplication({
    config: readConfig({}),
    models: {
      accounts: absent('accounts'),
      batches: absent('batches'),
      devices: absent('devices'),
      endSessions: absent('endSessions'),
      facetList: absent('facetList'),
      files: absent('files'),
      exportItems: absent('exportItems'),
      findHeld: absent('findHeld'),
      findReferences: absent('findReferences'),
      history: absent('history'),
      imports: absent('imports'),
      invitations: absent('invitations'),
      items: absent('items'),
      people: absent('people'),
      receipts: absent('receipts'),
      resetLinks: absent('resetLinks'),
      sessions: absent('sessions'),
      teamHistory: absent('teamHistory'),
      throttle: absent('throttle'),
      undoRest: absent('undoRest'),
      values: absent('values'),
    },
    files,
    health: {
      checkDatabase: async () => {},
      writeFailure: () => null,
      canStoreFiles: () => true,
      isDraining: () => false,
    },
    log: () => {},
    report: () => {},
    logSecurity: () => {},
  });
  return { application, files };
}

/** Can be passed on, but not used. */
function absent<T extends object>(name: string): T {
  return new Proxy({} as T, {
    get: (_target, key) => {
      throw new Error(
        `Cannot use ${name}.${String(key)}: the routes are only looked at, and no database is open. Use it in a handler, not while the router is built.`,
      );
    },
  });
}
