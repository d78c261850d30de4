/**
 * Several processes on one port. The primary serves no requests: it prepares the database, starts the
 * workers, restarts each that ends, and stops them all. If a worker ends before all have listened once,
 * the start fails; afterwards only a signal ends the service. Workers accept connections themselves: a
 * connection that the primary passed to a worker that is just being killed would hang forever.
 */
import cluster, { type Worker } from 'node:cluster';
import { writeLastLine } from 'seeother/node';
import type { Gathering } from '../metrics/gather-metrics.ts';
import type { Config } from '../settings/config.ts';
import { type ErrorEntry, openErrorLog, toErrorLine } from '../settings/error-line.ts';
import { reportWarnings } from '../settings/report-warnings.ts';
import { nextPause } from './restart-pause.ts';
import { LAST_LINES } from './start-instance.ts';
import { startMetrics } from './start-metrics.ts';
import { READ_METRICS, STOP, type WorkerMessage } from './worker-message.ts';

/** Milliseconds that a worker gets beyond its own deadline, for its last lines. */
const GRACE = 5_000;

export interface Preparation {
  /**
   * Runs before the workers start, and reports what it does. If it rejects, the start fails with that
   * reason.
   */
  readonly prepare: (report: (entry: ErrorEntry) => void) => Promise<void>;
  /** The line with the address of the service. */
  readonly announce: (url: string) => string;
}

/** Resolves when the first workers have been started. */
export async function runWorkers(
  config: Config,
  { prepare, announce }: Preparation,
): Promise<void> {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const errors = openErrorLog();
  reportWarnings(errors);
  const running = new Set<Worker>();
  const listening = new Set<Worker>();
  let hasStarted = false;
  let metrics: Gathering | null = null;
  let stopping = false;
  /** With port 0, the address changes if all workers have ended at once. */
  let announced = '';

  const end = async (exitCode: number) => {
    await errors.close(LAST_LINES);
    process.exit(exitCode);
  };
  const killAll = () => {
    for (const worker of running) worker.process.kill('SIGKILL');
  };
  const giveUp = (reason: string) => {
    killAll();
    writeLastLine(2, reason);
    process.exit(1);
  };

  const startWorker = (previousPause: number | null) => {
    if (stopping) return;
    const startedAt = performance.now();
    const worker = cluster.fork();
    running.add(worker);
    const its = metrics?.add(() => {
      if (worker.isConnected()) worker.send(READ_METRICS);
    });
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'listening') noteListening(worker, message.url);
      else if (message.kind === 'metrics') its?.take(message.metrics);
      else if (!hasStarted && !stopping) giveUp(message.reason);
      else {
        errors.write(toErrorLine({ message: `A worker cannot start: ${message.reason}` }));
        worker.process.kill('SIGKILL');
      }
    });
    worker.on('exit', (code, signal) => {
      running.delete(worker);
      its?.end();
      listening.delete(worker);
      const how = signal === null ? `exit code ${code}` : signal;
      if (stopping) {
        if (running.size === 0) void end(0);
      } else if (hasStarted) {
        const pause = nextPause(previousPause, performance.now() - startedAt);
        note(worker, `A worker has ended with ${how}; another starts in ${pause} ms.`);
        setTimeout(startWorker, pause, pause);
      } else giveUp(`Cannot start: a worker has ended with ${how} before it listened.`);
    });
  };
  const note = (worker: Worker, message: string) =>
    errors.write(toErrorLine({ message, worker: worker.process.pid }));
  const noteListening = (worker: Worker, url: string) => {
    listening.add(worker);
    if (hasStarted) note(worker, 'A worker listens.');
    if (listening.size < config.workers && !hasStarted) return;
    if (url !== announced) errors.write(announce(url));
    announced = url;
    if (!hasStarted) for (const one of listening) note(one, 'A worker listens.');
    hasStarted = true;
  };

  const stop = () => {
    if (stopping) {
      killAll();
      process.exit(1);
    }
    stopping = true;
    for (const worker of running) if (worker.isConnected()) worker.send(STOP);
    if (running.size === 0) void end(0);
    setTimeout(
      () => {
        killAll();
        void end(1);
      },
      config.drainNotice + config.drainLimit + GRACE,
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  if (config.metrics !== null) {
    const { createGathering } = await import('../metrics/gather-metrics.ts');
    metrics = createGathering();
    await startMetrics(config, metrics.read);
  }
  await prepare((entry) => errors.write(toErrorLine(entry)));
  for (let count = 0; count < config.workers; count++) startWorker(null);
}
