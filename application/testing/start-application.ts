/** Starts the real application as a process of its own, on a free port and a new database. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Environment } from '../process/config.ts';
import { BARE_ENVIRONMENT } from './bare-environment.ts';
import { createTestDatabase, ENGINE, fileOf } from './open-test-database.ts';

export interface RunningApplication {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly databaseUrl: string;
  /** Empty when the database is not a file. */
  readonly databaseFile: string;
  readonly process: ChildProcess;
  /** Everything written to standard output and to standard error so far. */
  readonly output: () => { readonly log: string; readonly errors: string };
  /** Ends the process as a service manager does; resolves to its exit code, null when it had to be killed. */
  readonly stop: () => Promise<number | null>;
}

const MAIN = join(import.meta.dirname, '..', 'main.ts');
/** Milliseconds to listen or to refuse, and to stop, before it is killed: whoever waits for it has an end. */
const LIMIT = 60_000;

/** Seconds: a loaded machine answers late, and most tests are not about that. */
const PATIENCE = '20';

/** Rejects when the process ends before it listens. A database that `environment` names is used, and stays. */
export async function startApplication(
  environment: Environment = {},
  engine = ENGINE,
): Promise<RunningApplication> {
  const given = environment['DATABASE_URL'];
  const { url: databaseUrl, drop } =
    given === undefined ? await createTestDatabase(engine) : { url: given, drop: async () => {} };
  const run = runApplication({
    PORT: '0',
    DATABASE_TIMEOUT: PATIENCE,
    ...environment,
    DATABASE_URL: databaseUrl,
  });
  const url = await Promise.race([
    run.match(/Listening on (http:\S+)/),
    run.ended.then(async ({ code, errors }) => {
      await drop();
      throw new Error(`The application ended with ${code} before it listened: ${errors}`);
    }),
  ]);
  return {
    url,
    databaseUrl,
    databaseFile: fileOf(databaseUrl),
    process: run.process,
    output: run.output,
    async stop() {
      run.process.kill('SIGTERM');
      const limit = setTimeout(() => run.process.kill('SIGKILL'), LIMIT);
      const { code } = await run.ended;
      clearTimeout(limit);
      await drop();
      return code;
    },
  };
}

/** Runs main.ts with nothing of this process's environment that could configure it. */
export function runApplication(environment: Environment, executable = process.execPath) {
  const child = spawn(executable, [MAIN], {
    env: { ...BARE_ENVIRONMENT, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk;
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT);
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
    if (errors.includes('Listening on ')) clearTimeout(limit);
  });
  child.on('close', () => clearTimeout(limit));
  return {
    process: child,
    output: () => ({ log, errors }),
    ended: once(child, 'close').then(([code]) => ({ code: code as number | null, log, errors })),
    /** The first group of the expression, once standard error has it. */
    match(expression: RegExp): Promise<string> {
      const { promise, resolve } = Promise.withResolvers<string>();
      child.stderr.on('data', () => {
        const found = expression.exec(errors)?.[1];
        if (found !== undefined) resolve(found);
      });
      return promise;
    },
  };
}
