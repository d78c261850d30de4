/**
 * One serving process: opens database, router and server in this order, and closes them in reverse. It
 * runs alone or as a worker; no code in it depends on which.
 */
import cluster from 'node:cluster';
import { join } from 'node:path';
import { loadFiles } from 'seeother';
import type { Outbox } from 'seeother/database';
import { serverTiming } from 'seeother/middleware';
import { type LineWriter, serve } from 'seeother/node';
import { observe } from 'seeother/observe';
import { createPeople } from '../accounts/people.ts';
import { openSignIn } from '../accounts/sign-in.ts';
import type { Database } from '../database/kysely.ts';
import { openDatabase } from '../database/open-database.ts';
import { createBusyAnswer } from '../errors/overload.ts';
import { createImportRunner } from '../imports/import-runner.ts';
import { createItemPictures, type ItemPictures } from '../items/files/item-pictures.ts';
import { createItems } from '../items/item.ts';
import { indexOldItems } from '../items/item-search.ts';
import { makeMissingPlaces } from '../items/place.ts';
import { addSampleItems } from '../items/sample-items.ts';
import type { CleanUps } from '../maintenance/clean-ups.ts';
import { checkForDamage } from '../maintenance/damage.ts';
import type { Collection, Metrics } from '../metrics/collect-metrics.ts';
import { createModels } from '../models.ts';
import { createApplication } from '../router.ts';
import type { Config } from '../settings/config.ts';
import { type ErrorEntry, toErrorLine } from '../settings/error-line.ts';
import { watchFiles } from '../settings/files-obstacle.ts';
import { openFiles } from '../settings/files-place.ts';
import { nameBuild } from '../settings/name-build.ts';
import { createSecurityLog, type LogSecurity } from '../settings/security-log.ts';
import { StartError } from '../settings/start-error.ts';
import { HEALTH_CHECKS } from '../site/health.ts';
import { explainListen } from './explain-listen.ts';
import { waitForDatabase } from './wait-for-database.ts';

/** Milliseconds to wait for a slow reader of the last log lines. */
export const LAST_LINES = 1_000;

/** Where an instance writes its lines. It closes both when it has stopped. */
export interface Logs {
  readonly requests: LineWriter;
  readonly errors: LineWriter;
}

export interface Instance {
  /** The address it listens on. */
  readonly url: string;
  /** Of this process; null without METRICS_PORT. */
  readonly readMetrics: (() => Promise<Metrics>) | null;
  /** Becomes not ready, finishes running requests, and closes everything it has opened. */
  readonly stop: () => Promise<void>;
}

/** Milliseconds of delay, so that requests right after the start run first. */
const LATER = 60_000;

/** What the start line says of the database. */
export interface Prepared {
  /** Whether there is an account, also a removed one. */
  readonly hasAccounts: boolean;
}

/** Creates tables and sample items before any process serves; calls `report` for each step. */
export async function prepareDatabase(
  config: Config,
  report: (entry: ErrorEntry) => void,
): Promise<Prepared> {
  return waitForDatabase(report, async () => {
    const database = await openDatabase(config.databaseUrl, {
      timeout: config.databaseTimeout,
      report,
    });
    try {
      const indexed = await indexOldItems(database);
      if (indexed > 0)
        report({ message: `Made the search and the order of ${indexed} items anew.` });
      await makeMissingPlaces(database);
      if (config.sampleItems) await addSampleItems(database, createItems(database));
      return { hasAccounts: !(await createPeople(database).isEmpty()) };
    } finally {
      await database.close();
    }
  });
}

/** Checks a SQLite file for damage a minute later. */
export function checkForDamageLater(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  report: (entry: ErrorEntry) => void,
): void {
  const file = databaseUrl.replace(/^sqlite:/, '');
  if (file !== databaseUrl) setTimeout(() => void checkForDamage(file, report), LATER).unref();
}

/**
 * The database must be prepared. `onLost` is called if the disk has failed to save: the process has to
 * end. `overload` replaces limits of the server. Rejects with a StartError if the database or the address is not
 * available.
 */
export async function startInstance(
  config: Config,
  { requests, errors }: Logs,
  onLost: (error: Error) => void,
  overload: NonNullable<Parameters<typeof serve>[1]>['overload'] = {},
): Promise<Instance> {
  const report = (entry: ErrorEntry) => errors.write(toErrorLine(entry));
  const database = await waitForDatabase(report, () =>
    openDatabase(config.databaseUrl, {
      timeout: config.databaseTimeout,
      report,
      onLost,
      // A worker of an older version may start while the newer version is already running.
      acceptsNewer: cluster.isWorker,
    }),
  );
  const fileStore = openFiles(config);
  const { mail } = config;
  const mailer =
    // Loaded when it is needed: most installations send no mails.
    mail === null
      ? undefined
      : await (await import('../mail/mailer.ts')).openMailer(database, mail, report);
  let cleanUps: CleanUps | undefined;
  const listSchedules = async () => [
    ...((await cleanUps?.schedules()) ?? []),
    ...((await mailer?.schedules()) ?? []),
  ];
  const metrics = config.metrics === null ? null : await collect(database, listSchedules);
  const writeSecurity = createSecurityLog(errors.write);
  const logSecurity: LogSecurity = (event, ...details) => {
    metrics?.noteSecurity(event);
    writeSecurity(event, ...details);
  };
  const signIn = await openSignIn(config);
  const models = createModels(database, {
    ...{ config, logSecurity, fileStore, report, mailer, signIn },
    makeLater: () => pictures.makeLater,
  });
  const importRunner = createImportRunner(models.imports, report);
  const { keepOriginals } = config;
  const pictures: ItemPictures = createItemPictures(database, models.files, {
    keepOriginals,
    report,
  });
  let draining = false;
  const parts = {
    config,
    models,
    files: loadFiles(join(import.meta.dirname, '..', 'public')),
    health: {
      checkDatabase: database.check,
      writeFailure: database.writeFailure,
      canStoreFiles: watchFiles(config, () => models.files.check()),
      isDraining: () => draining,
    },
    log: requests.write,
    report,
    logSecurity,
    importRunner,
    mailer,
    pictures,
    around: [observe(await loadOpenTelemetry()), ...(config.serverTiming ? [serverTiming()] : [])],
  };
  const application = createApplication(parts).prepare();
  const server = await serve(application, {
    host: config.host,
    port: config.port,
    trust: config.trust,
    development: config.developmentPages,
    bodiesLimit: config.bodiesLimit,
    reportDropped: (dropped) => report({ message: 'Connections were closed.', ...dropped }),
    overload: {
      ...overload,
      urgentPaths: HEALTH_CHECKS,
      busy: createBusyAnswer(),
      reportShed: (count) =>
        report({
          message: `Overloaded: ${count} requests were answered with 503 without being read.`,
        }),
    },
    report: (error) => errors.write(toErrorLine({ message: String(error), error })),
  }).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`Cannot listen on ${config.host}:${config.port}: ${explainListen(error)}`);
  });

  importRunner.start();
  pictures.start();
  mailer?.start();
  const cleaning = setTimeout(async () => {
    const { createCleanUps } = await import('../maintenance/clean-ups.ts');
    if (draining) return;
    cleanUps = createCleanUps(database, models.files, report);
    cleanUps.start();
  }, LATER).unref();
  return {
    url: server.url,
    readMetrics: metrics?.read ?? null,
    async stop() {
      draining = true;
      clearTimeout(cleaning);
      const stopped = server.stop(config.drainLimit, config.drainNotice);
      await Promise.all([
        ...[importRunner.stop(), pictures.stop()],
        ...[mailer?.stop(), cleanUps?.stop()],
      ]);
      const drained = await stopped;
      await database.close();
      metrics?.stop();
      const seconds = config.drainLimit / 1_000;
      const end = drained
        ? 'every request was answered'
        : `requests not answered within ${seconds} s were cut off`;
      errors.write(toErrorLine({ message: `Stopped: ${end}.` }));
      await requests.close(LAST_LINES);
      await errors.close(LAST_LINES);
    },
  };
}

/** What an SDK of OpenTelemetry registers itself under; most installations have none. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

async function loadOpenTelemetry() {
  return REGISTERED in globalThis ? import('@opentelemetry/api') : undefined;
}

/** Loaded when it is needed: most installations have no Prometheus. */
async function collect(
  { slowRead }: Database,
  listSchedules: Outbox<never>['schedules'],
): Promise<Collection> {
  const { collectMetrics } = await import('../metrics/collect-metrics.ts');
  const countSessions = async () => {
    const { count } = await slowRead
      .selectFrom('sessions')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('ends_at', '>', new Date().toISOString())
      .executeTakeFirstOrThrow();
    return Number(count);
  };
  return collectMetrics(countSessions, listSchedules, nameBuild());
}
