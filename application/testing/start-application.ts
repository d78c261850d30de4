/** Starts the application as a child process, on a free port with a new database. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Environment } from '../settings/config.ts';
import { BARE_ENVIRONMENT } from './bare-environment.ts';
import { createTestDatabase, ENGINE, fileOf } from './create-test-database.ts';
import { APPLICATION } from './find-program.ts';

export interface RunningApplication {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly databaseUrl: string;
  /** Empty if the database is not a file. */
  readonly databaseFile: string;
  readonly process: ChildProcess;
  /** Everything written to standard output and to standard error so far. */
  readonly output: () => { readonly log: string; readonly errors: string };
  /** Sends SIGTERM, and SIGKILL if the process does not end. Resolves to the exit code, or null after SIGKILL. */
  readonly stop: () => Promise<number | null>;
}

/** Milliseconds for the start, and for the stop. Then the process is killed, so that no test hangs. */
const LIMIT = 60_000;

/** Seconds. Longer than the default, because tests share a busy machine. */
const DATABASE_TIMEOUT = '20';

/** Rejects if the process ends before it listens. A database that `environment` names is used and not deleted. */
export async function startApplication(
  environment: Environment = {},
  engine = ENGINE,
  program = APPLICATION,
): Promise<RunningApplication> {
  const given = environment['DATABASE_URL'];
  const { url: databaseUrl, drop } =
    given === undefined ? await createTestDatabase(engine) : { url: given, drop: async () => {} };
  const own = { PORT: '0', DATABASE_TIMEOUT, ...environment, DATABASE_URL: databaseUrl };
  const run = runApplication(own, process.execPath, program);
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

/** Runs the application without the variables of this process that could configure it. */
export function runApplication(
  environment: Environment,
  executable = process.execPath,
  program = APPLICATION,
) {
  const child = spawn(executable, program, {
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
    /** Resolves to the first group of the expression, once standard error matches it. */
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
