/**
 * Starts the application on a socket within the process of the tests: that takes a tenth of what a
 * process of its own takes. What main.ts does beside (signals, workers) needs startApplication.
 */

import { prepareDatabase, startInstance } from '../serve/start-instance.ts';
import { type Environment, readConfig } from '../settings/config.ts';
import { toErrorLine } from '../settings/error-line.ts';
import { setRegion } from '../site/format.ts';
import { setSiteName } from '../site/site-name.ts';
import { createTestDatabase } from './create-test-database.ts';

/** Nothing is shed: a test that computes for long in this process is no overload. */
const OVERLOAD = { limits: { turn: 10, burst: 60_000, overloadTurn: 10, shed: 60_000 } };

export interface Site {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly databaseUrl: string;
  /** The lines of the request log so far. */
  readonly log: () => string;
  /** The lines of the error log so far, as they are on standard error. */
  readonly errors: () => string;
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
    TIME_ZONE: 'UTC',
    ...environment,
    DATABASE_URL: databaseUrl,
  });
  setRegion(config);
  setSiteName(config);
  const [requests, errors] = [collectLines(), collectLines()];
  await prepareDatabase(config, (entry) => errors.write(toErrorLine(entry)));
  const onLost = (error: Error) => {
    throw error;
  };
  const { url, stop } = await startInstance(config, { requests, errors }, onLost, OVERLOAD);
  let stopped: Promise<void> | undefined;
  return {
    url,
    databaseUrl,
    log: requests.text,
    errors: errors.text,
    stop: () => (stopped ??= stop().then(drop)),
  };
}

function collectLines() {
  const lines: string[] = [];
  return {
    write: (line: string) => void lines.push(line),
    close: async () => {},
    text: () => lines.join('\n'),
  };
}
