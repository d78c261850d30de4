/**
 * `npm run dev`: runs the application, and replaces its process when a source changes. The old process
 * serves until the new one listens, so code that cannot start does not take the site away. Both are
 * workers of one `node:cluster`, because they share the port for that moment.
 */
import cluster, { type Worker } from 'node:cluster';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { createLineWriter, writeLastLine } from 'seeother/node';
import { checkForDamageLater, prepareDatabase } from '../application/serve/start-instance.ts';
import { STOP, type WorkerMessage } from '../application/serve/worker-message.ts';
import { readConfig } from '../application/settings/config.ts';
import type { ErrorEntry } from '../application/settings/error-line.ts';
import { StartError } from '../application/settings/start-error.ts';

const ROOT = join(import.meta.dirname, '..');
/** Milliseconds to wait for further changes: a checkout changes many files. */
const QUIET = 100;

const errors = createLineWriter(2);
let serving: Worker | null = null;
let starting: Worker | null = null;

function start(): void {
  starting?.process.kill('SIGKILL');
  const worker = cluster.fork();
  starting = worker;
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'listening') {
      if (serving?.isConnected()) serving.send(STOP);
      serving = worker;
      starting = null;
      errors.write(`Listening on ${message.url}`);
    } else if (message.kind === 'cannot start') {
      errors.write(message.reason);
      worker.process.kill('SIGKILL');
    }
  });
  worker.on('exit', () => {
    if (worker === serving) serving = null;
    else if (worker === starting) starting = null;
    else return;
    errors.write(
      serving === null
        ? 'The application does not run. It starts again after the next change.'
        : 'The changed application does not start. The previous version continues to serve.',
    );
  });
}

// Workers accept connections themselves, so this process is not involved.
cluster.schedulingPolicy = cluster.SCHED_NONE;
cluster.setupPrimary({ exec: join(ROOT, 'application', 'main.ts') });
try {
  const config = readConfig(process.env);
  const report = ({ message }: ErrorEntry) => errors.write(message);
  await prepareDatabase(config, report);
  checkForDamageLater(config, report);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  writeLastLine(2, error.message);
  process.exit(1);
}
let pause: NodeJS.Timeout | undefined;
for (const folder of ['application', 'framework']) {
  watch(join(ROOT, folder), { recursive: true }, () => {
    clearTimeout(pause);
    pause = setTimeout(start, QUIET);
  });
}
start();
