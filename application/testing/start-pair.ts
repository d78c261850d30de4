/**
 * Starts two instances of the application on one new database. Each can be restarted on its port.
 */
import type { Environment } from '../settings/config.ts';
import { createTestDatabase, ENGINE } from './create-test-database.ts';
import { APPLICATION } from './find-program.ts';
import { type RunningApplication, startApplication } from './start-application.ts';

export interface Pair {
  readonly databaseUrl: string;
  /** The latest instances on the two ports. */
  readonly instances: readonly [RunningApplication, RunningApplication];
  /** Starts a new instance in place of one that has ended. */
  readonly startAgain: (index: 0 | 1) => Promise<void>;
  /** Stops both and deletes the database. */
  readonly stop: () => Promise<void>;
}

/** `others` has further settings of the second instance alone, and `older` is the program of the first one. */
export async function startPair(
  environment: Environment = {},
  engine = ENGINE,
  others: Environment = {},
  program = APPLICATION,
  older = program,
): Promise<Pair> {
  await using started = new AsyncDisposableStack();
  const { url: databaseUrl, drop } = await createTestDatabase(engine);
  started.defer(drop);
  const all: RunningApplication[] = [];
  started.defer(async () => {
    await Promise.all(all.map((instance) => instance.stop()));
  });
  const start = async (index: 0 | 1, port: string) => {
    const settings = { ...environment, ...(index === 1 ? others : {}) };
    const own = { ...settings, DATABASE_URL: databaseUrl, PORT: port };
    const instance = await startApplication(own, engine, index === 0 ? older : program);
    all.push(instance);
    return instance;
  };
  const instances: [RunningApplication, RunningApplication] = [
    await start(0, '0'),
    await start(1, '0'),
  ];
  const whole = started.move();
  return {
    databaseUrl,
    instances,
    async startAgain(index) {
      instances[index] = await start(index, portOf(instances[index]));
    },
    stop: () => whole.disposeAsync(),
  };
}

export function portOf({ url }: RunningApplication): string {
  return new URL(url).port;
}
