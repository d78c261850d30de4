/**
 * Starts the application on a socket within the process of the tests: that takes a tenth of what a
 * process of its own takes. What main.ts does beside (signals, workers) needs startApplication.
 */

import { prepareDatabase, startInstance } from '../serve/start-instance.ts';
import { type Environment, readConfig } from '../settings/config.ts';
import { toErrorLine } from '../settings/error-line.ts';
import { createTestDatabase } from './open-test-database.ts';

export interface Site {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly databaseUrl: string;
  /** The lines of the request log and of the error log so far. */
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

/** A database that `environment` names is used and not deleted. */
export async function startInProcess(environment: Environment = {}): Promise<Site> {
  const given = environment['DATABASE_URL'];
  const { url: databaseUrl, drop } =
    given === undefined ? await createTestDatabase() : { url: given, drop: async () => {} };
  const config = readConfig({
    PORT: '0',
    DATABASE_TIMEOUT: '20',
    ...environment,
    DATABASE_URL: databaseUrl,
  });
  const lines: string[] = [];
  const log = { write: (line: string) => void lines.push(line), close: async () => {} };
  await prepareDatabase(config, (entry) => log.write(toErrorLine(entry)));
  const { url, stop } = await startInstance(config, { requests: log, errors: log }, (error) => {
    throw error;
  });
  return {
    url,
    databaseUrl,
    log: () => lines.join('\n'),
    async stop() {
      await stop();
      await drop();
    },
  };
}
