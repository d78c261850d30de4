/** Two instances of the application on one new database. One that has ended may be started again on its port. */
import type { Environment } from '../process/config.ts';
import { createTestDatabase, ENGINE } from './open-test-database.ts';
import { type RunningApplication, startApplication } from './start-application.ts';

export interface Pair {
  readonly databaseUrl: string;
  /** Those that were started last on the two ports. */
  readonly instances: readonly [RunningApplication, RunningApplication];
  /** Starts another in the place of one that has ended. */
  readonly startAgain: (index: 0 | 1) => Promise<void>;
  /** Ends both, and takes the database away. */
  readonly stop: () => Promise<void>;
}

export async function startPair(environment: Environment = {}, engine = ENGINE): Promise<Pair> {
  await using started = new AsyncDisposableStack();
  const { url: databaseUrl, drop } = await createTestDatabase(engine);
  started.defer(drop);
  const all: RunningApplication[] = [];
  started.defer(async () => {
    await Promise.all(all.map((instance) => instance.stop()));
  });
  const start = async (port: string) => {
    const settings = { ...environment, DATABASE_URL: databaseUrl, PORT: port };
    const instance = await startApplication(settings);
    all.push(instance);
    return instance;
  };
  const instances: [RunningApplication, RunningApplication] = [await start('0'), await start('0')];
  const whole = started.move();
  return {
    databaseUrl,
    instances,
    async startAgain(index) {
      instances[index] = await start(portOf(instances[index]));
    },
    stop: () => whole.disposeAsync(),
  };
}

export function portOf({ url }: RunningApplication): string {
  return new URL(url).port;
}
