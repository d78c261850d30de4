/**
 * The entry point: reads the configuration, and serves in this process or in several workers. A signal
 * drains the service, a second one ends it at once. An error that prevents the start is one line and
 * exit code 1.
 */
import cluster from 'node:cluster';
import { OUT_OF_DESCRIPTORS } from 'seeother/database';
import { writeLastLine } from 'seeother/node';
import {
  checkForDamageLater,
  type Instance,
  prepareDatabase,
  startInstance,
} from './serve/start-instance.ts';
import { startMetrics } from './serve/start-metrics.ts';
import { giveMetrics, leaveToPrimary, tellPrimary } from './serve/worker-message.ts';
import { type Preparation, runWorkers } from './serve/workers.ts';
import { type Config, readConfig } from './settings/config.ts';
import {
  type ErrorEntry,
  openErrorLog,
  openRequestLog,
  toErrorLine,
} from './settings/error-line.ts';
import { findFilesObstacle } from './settings/files-obstacle.ts';
import { reportWarnings } from './settings/report-warnings.ts';
import { requireSafeProduction } from './settings/require-safe-production.ts';
import { describeAccess } from './settings/start-access.ts';
import { StartError } from './settings/start-error.ts';
import { listStartWarnings } from './settings/start-warnings.ts';
import { setRegion } from './site/format.ts';
import { setSiteName } from './site/site-name.ts';

async function start(): Promise<void> {
  const config = readConfig(process.env);
  requireSafeProduction(config, process.env);
  setRegion(config);
  setSiteName(config);
  let hasAccounts = true;
  let filesObstacle: string | null = null;
  const prepare = async (report: (entry: ErrorEntry) => void) => {
    ({ hasAccounts } = await prepareDatabase(config, report));
    filesObstacle = await findFilesObstacle(config);
    checkForDamageLater(config, report);
  };
  const announce = (url: string) =>
    [
      ...listStartWarnings(config),
      ...(filesObstacle === null ? [] : [`WARNING: ${filesObstacle}`]),
      ...describeAccess(config, hasAccounts),
      `Listening on ${url}`,
    ].join(' ');
  const preparation = { prepare, announce };
  if (cluster.isWorker || config.workers === 1) await serveHere(config, preparation);
  else await runWorkers(config, preparation);
}

async function serveHere(config: Config, { prepare, announce }: Preparation): Promise<void> {
  const errors = openErrorLog();
  reportWarnings(errors);
  let instance: Instance | null = null;
  let stopping = false;
  const stop = async (exitCode: number) => {
    if (stopping) {
      // A terminal also sends its signal to the workers; the primary decides when they end.
      if (cluster.isWorker) return;
      process.exit(1);
    }
    stopping = true;
    await instance?.stop();
    process.exit(exitCode);
  };
  process.on('SIGTERM', () => stop(0));
  process.on('SIGINT', () => stop(0));
  // After an unhandled rejection the state of the process is unknown.
  process.on('unhandledRejection', (error) => {
    errors.write(toErrorLine({ message: 'Unhandled rejection; stopping.', error }));
    void stop(1);
  });
  if (cluster.isWorker) leaveToPrimary(() => stop(0));
  else await prepare((entry) => errors.write(toErrorLine(entry)));
  const logs = { requests: openRequestLog(errors), errors };
  instance = await startInstance(config, logs, (error) => {
    errors.write(toErrorLine({ message: 'The disk has failed to save; stopping.', error }));
    void stop(1);
  });
  const { url, readMetrics } = instance;
  if (cluster.isWorker) {
    if (readMetrics !== null) giveMetrics(readMetrics);
    tellPrimary({ kind: 'listening', url });
  } else {
    await startMetrics(config, async () => (readMetrics === null ? [] : [await readMetrics()]));
    errors.write(announce(url));
  }
}

/** Null for a bug, which is reported with its stack. */
function reasonOf(error: unknown): string | null {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  if (code === 'EMFILE' || code === 'ENFILE') return `Cannot start: ${OUT_OF_DESCRIPTORS[code]}`;
  return error instanceof StartError ? error.message : null;
}

try {
  await start();
} catch (error) {
  const reason = reasonOf(error);
  if (reason === null) throw error;
  if (cluster.isWorker) tellPrimary({ kind: 'cannot start', reason });
  else {
    writeLastLine(2, reason);
    process.exit(1);
  }
}
