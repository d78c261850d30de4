/**
 * The metrics of this process: counters and histograms that follow its events, and gauges that are asked when somebody
 * reads them. Units and names are those of Prometheus: seconds, bytes, `_total`. Labels have no text of clients.
 */

import prometheus from 'prom-client';
import type { Outbox } from 'seeother/database';
import { type LevelName, onEvent, readLevels } from 'seeother/observe';
import type { SecurityEvent } from '../settings/security-log.ts';

const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = prometheus;

/** As they are sent to the primary. */
export type Metrics = readonly prometheus.MetricObjectWithValues<prometheus.MetricValue<string>>[];

export interface Collection {
  readonly read: () => Promise<Metrics>;
  readonly noteSecurity: (event: SecurityEvent) => void;
  readonly stop: () => void;
}

/** Seconds. A request that waits for the database has an answer after three. */
const REQUEST_TIMES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const DISK_TIMES = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const GROUP_SIZES = [1, 2, 5, 10, 20, 50, 100];
const METHODS = new Set(['GET', 'HEAD', 'POST']);
/** Milliseconds for which the number of sessions is not counted again. */
const SESSIONS_AGE = 60_000;

const LEVELS: Readonly<Record<LevelName, readonly [name: string, help: string]>> = {
  'requests waiting': [
    'seeother_requests_waiting',
    'Requests that are read and wait for their turn',
  ],
  connections: ['seeother_connections', 'Open connections of clients'],
  'writes waiting': ['seeother_writes_waiting', 'Writes that wait for their group commit'],
  'database connections': ['seeother_database_connections', 'Open connections to PostgreSQL'],
  'database connections in use': [
    'seeother_database_connections_in_use',
    'Connections to PostgreSQL that run a statement',
  ],
  'database connections awaited': [
    'seeother_database_connections_awaited',
    'Statements that wait for a connection to PostgreSQL',
  ],
};

/** `countSessions` is asked at most once a minute. */
export function collectMetrics(
  countSessions: () => Promise<number>,
  listSchedules: Outbox<never>['schedules'],
  version: string,
): Collection {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: 'seeother_http_request_duration_seconds',
    help: 'Time until the answer to a request was decided, by the pattern of its route',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_TIMES,
    registers,
  });
  const shed = new Counter({
    name: 'seeother_requests_shed_total',
    help: 'Requests answered with 503 without being read, because of overload',
    registers,
  });
  const bodies = new Counter({
    name: 'seeother_request_body_bytes_total',
    help: 'Bytes of received forms and files',
    registers,
  });
  const forms = new Counter({
    name: 'seeother_forms_total',
    help: 'Forms that were carried out, and repeats of them that were not: doubles prevented',
    labelNames: ['result'],
    registers,
  });
  const queries = new Histogram({
    name: 'seeother_database_query_duration_seconds',
    help: 'Time of a read, a slow read or a whole write, with its waits',
    labelNames: ['kind', 'failed'],
    buckets: REQUEST_TIMES,
    registers,
  });
  const commits = new Histogram({
    name: 'seeother_group_commit_writes',
    help: 'Writes that SQLite committed together',
    buckets: GROUP_SIZES,
    registers,
  });
  const syncs = new Histogram({
    name: 'seeother_sync_duration_seconds',
    help: 'Time in which the disk saved a group commit',
    buckets: DISK_TIMES,
    registers,
  });
  const works = new Histogram({
    name: 'seeother_work_duration_seconds',
    help: 'Time of measured works, such as the hash of a password',
    labelNames: ['name'],
    buckets: REQUEST_TIMES,
    registers,
  });
  const jobs = new Histogram({
    name: 'seeother_job_duration_seconds',
    help: 'Time of an attempt of a job of an outbox',
    labelNames: ['name', 'failed'],
    buckets: REQUEST_TIMES,
    registers,
  });
  const security = new Counter({
    name: 'seeother_security_events_total',
    help: 'Events of the security log, such as failed log-ins',
    labelNames: ['event'],
    registers,
  });
  for (const [level, [name, help]] of Object.entries(LEVELS)) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(readLevels()[level as LevelName] ?? 0);
      },
    });
  }
  let countedAt = Number.NEGATIVE_INFINITY;
  new Gauge({
    name: 'seeother_sessions',
    help: 'Sessions that have not ended',
    registers,
    // All processes count those of one database.
    aggregator: 'max',
    async collect() {
      if (performance.now() - countedAt < SESSIONS_AGE) return;
      countedAt = performance.now();
      // While the database is away, the last number stays.
      await countSessions().then(
        (count) => this.set(count),
        () => {},
      );
    },
  });
  new Gauge({
    name: 'seeother_schedule_late_seconds',
    help: 'Time since a schedule was due and has not succeeded; 0 if it is not late',
    labelNames: ['name'],
    registers,
    aggregator: 'max',
    async collect() {
      const schedules = await listSchedules().catch(() => []);
      for (const { name, at } of schedules)
        this.set({ name }, Math.max(Date.now() - at.getTime(), 0) / 1_000);
    },
  });
  new Gauge({
    name: 'seeother_build_info',
    help: 'Always 1; the build and the version of Node are labels',
    labelNames: ['build', 'node'],
    registers,
    aggregator: 'max',
  }).set({ build: version, node: process.version }, 1);

  const noteRequest = timerOf(requests);
  const noteQuery = timerOf(queries);
  const noteSync = timerOf(syncs);
  const noteWork = timerOf(works);
  const noteJob = timerOf(jobs);
  const ends = [
    onEvent('request', ({ method, pattern, status, time }) =>
      noteRequest(time, METHODS.has(method) ? method : 'other', pattern ?? 'none', String(status)),
    ),
    onEvent('shed', () => shed.inc()),
    onEvent('body', ({ bytes }) => bodies.inc(bytes)),
    onEvent('form', ({ isRepeat }) => forms.inc({ result: isRepeat ? 'repeated' : 'carried out' })),
    onEvent('query', ({ kind, time, hasFailed }) => noteQuery(time, kind, String(hasFailed))),
    onEvent('commit', ({ writes }) => commits.observe(writes)),
    onEvent('sync', ({ time }) => noteSync(time)),
    onEvent('work', ({ name, time }) => noteWork(time, name)),
    onEvent('job', ({ name, time, hasFailed }) => noteJob(time, name, String(hasFailed))),
  ];
  return {
    read: () => registry.getMetricsAsJSON(),
    noteSecurity: (event) => security.inc({ event }),
    stop() {
      for (const end of ends) end();
      registry.clear();
    },
  };
}

/**
 * Takes milliseconds, and labels in the order of the histogram's names. A histogram finds the counters of its labels by
 * a text that it makes of them; here that is done once for each.
 */
function timerOf<Label extends string>(histogram: prometheus.Histogram<Label>) {
  const known = new Map<string, { observe: (seconds: number) => void }>();
  return (milliseconds: number, ...labels: readonly string[]) => {
    const key = labels.join(' ');
    const counters = known.get(key) ?? histogram.labels(...labels);
    known.set(key, counters);
    counters.observe(milliseconds / 1_000);
  };
}
