/**
 * Sends more than the service can answer, and counts what becomes of it. First it finds the peak: the good answers a
 * second at the highest rate at which nine of ten are good and in time. Then it sends once, twice and three times as
 * many a second. The service, its database and its proxy share one CPU; the client, which is a program in C, has the
 * other.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../application/settings/config.ts';
import { findFreePort } from '../application/testing/postgres/find-free-port.ts';
import { startApplication } from '../application/testing/start-application.ts';
import { percentile } from '../bench/servers/harness/statistics.ts';
import { requireProgram } from '../deploy/find-program.ts';
import { makeCertificate } from '../deploy/make-certificate.ts';
import { type ProxyName, startProxy } from '../deploy/start-proxy.ts';
import { createPostgresPlace } from './disturb-postgres.ts';
import { createSqlitePlace, type Place } from './kill-during-creates.ts';
import { CLIENT_CPU, compileClient, type Load, type Sent, sendAtRate } from './send-at-rate.ts';
import { compareBooks, createBooks, logIn, readItems } from './send-forms.ts';

const SERVICE_CPU = 0;
/** What clients are connected to. */
export type Front = 'service' | keyof typeof WITHOUT_TLS;
const ENGINES = { SQLite: createSqlitePlace, PostgreSQL: createPostgresPlace };
const LOADS = ['list', 'create'] as const satisfies readonly Load[];
const STEPS = [1, 2, 3];
/** The highest rate at which nine of ten answers are good and in time lies between these. */
const [LOWEST, HIGHEST] = [100, 25_600];
/** Each halves the range on a logarithmic scale: seven find that rate to within 5 %. */
const TRIALS = 7;
/** Seconds of a trial, and of the requests that come before each figure. */
const TRIAL = 3;
/**
 * Milliseconds within which an answer of a trial is in time. In a short trial a queue that grows by a twelfth
 * of each second stays below the second that a person waits.
 */
const IN_TIME = 250;
/** A trial of which fewer are good and in time has missed by too much for anything else to be the reason. */
const CLOSE_MISS = 0.6;
/** Milliseconds that a request may be sent after its time, and count as sent at its time. */
const PUNCTUAL = 10;
const SHARE_IN_TIME = 0.9;

/** What must hold at each step. */
const LEAST_GOOD = 0.8;
const SLOWEST_HEALTH = 500;

export interface Measured {
  /** Shares and counts of the requests of the load, and milliseconds. */
  readonly sent: number;
  readonly good: number;
  readonly refused: number;
  /** Neither good nor a 503 with Retry-After. */
  readonly failed: number;
  readonly broken: number;
  readonly median: number;
  readonly p99: number;
  readonly health: number;
  readonly failedHealth: number;
}

export function measure(all: readonly Sent[]): Measured {
  const load = all.filter(({ kind }) => kind === 'load');
  const checks = all.filter(({ kind }) => kind !== 'load');
  const good = load.filter(isGood);
  const refused = load.filter(({ status, hasRetryAfter }) => status === 503 && hasRetryAfter);
  const broken = load.filter(({ status }) => status === 0);
  const punctual = load.filter(({ sentAfter }) => sentAfter !== null && sentAfter <= PUNCTUAL);
  const answered = checks.filter(({ status }) => status === 200);
  return {
    sent: punctual.length / load.length,
    good: good.length,
    refused: refused.length,
    broken: broken.length,
    failed: load.length - good.length - refused.length - broken.length,
    median: percentile(timesOf(good), 50),
    p99: percentile(timesOf(good), 99),
    health: percentile(timesOf(answered), 99),
    failedHealth: checks.length - answered.length,
  };
}

const timesOf = (all: readonly Sent[]) => all.map(({ answeredAfter }) => answeredAfter);

function isGood({ status }: Sent): boolean {
  return status === 200 || status === 303;
}

/** Counted before the first run, which leaves this process only one. */
const PROCESSORS = availableParallelism();

/** Writes a Markdown table, a row as soon as it is measured. */
export async function overload(front: Front, seconds: number) {
  if (PROCESSORS < 2)
    throw new Error(
      'Cannot measure overload on one CPU: the service and the client need one each.',
    );
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  const client = join(folder, 'send-at-rate');
  compileClient(client);
  const sums = { lost: 0, ghosts: 0, doubled: 0, failed: 0, slow: 0 };
  writeRow(...HEADINGS);
  writeRow(...HEADINGS.map((_, at) => (at < 2 ? '---' : '--:')));
  try {
    for (const engine of Object.keys(ENGINES) as (keyof typeof ENGINES)[])
      for (const load of LOADS) {
        const report = await overloadOne(engine, load, { folder, client, front, seconds });
        for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += report[name];
      }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return sums;
}

const HEADINGS = [
  'database',
  'request',
  'sent a second',
  'at their time',
  'good a second',
  'of the peak',
  '503 a second',
  'broken',
  'other answers',
  'p50',
  'p99',
  'health checks p99',
  'without 200',
];

function writeRow(...cells: readonly (string | number)[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

interface Settings {
  readonly folder: string;
  /** The compiled program. */
  readonly client: string;
  readonly front: Front;
  readonly seconds: number;
}

type Send = (rate: number, seconds: number) => Promise<readonly Sent[]>;

async function overloadOne(engine: keyof typeof ENGINES, load: Load, settings: Settings) {
  const { seconds } = settings;
  const sums = { lost: 0, ghosts: 0, doubled: 0, failed: 0, slow: 0 };
  // Each time on a new database, because forms become slower with the items that the earlier ones have added.
  const run = async <T>(sendAll: (send: Send) => Promise<T>): Promise<T> => {
    const { result, books } = await runOnce(engine, load, settings, sendAll);
    for (const name of ['lost', 'ghosts', 'doubled'] as const) sums[name] += books[name];
    return result;
  };
  const highest = await run(findHighestRate);
  // A trial is too short for the figure: other work of the machine comes and goes.
  const peak = measure(await run((send) => send(highest, seconds))).good / seconds;
  for (const step of STEPS) {
    const rate = peak * step;
    const one = measure(await run((send) => send(rate, seconds)));
    const share = one.good / seconds / peak;
    writeRow(
      engine,
      `${load}, ${step} × peak`,
      count(rate),
      percent(one.sent),
      count(one.good / seconds),
      percent(share),
      count(one.refused / seconds),
      count(one.broken),
      count(one.failed),
      ...[one.median, one.p99, one.health].map((time) => `${count(time)} ms`),
      count(one.failedHealth),
    );
    sums.failed += one.failed + one.broken + one.failedHealth;
    if (share < LEAST_GOOD || !(one.health < SLOWEST_HEALTH)) sums.slow++;
  }
  return sums;
}

async function runOnce<T>(
  engine: keyof typeof ENGINES,
  load: Load,
  { folder, client, front }: Settings,
  sendAll: (send: Send) => Promise<T>,
) {
  pin(SERVICE_CPU);
  await using started = new AsyncDisposableStack();
  const place = await ENGINES[engine]();
  started.defer(place.remove);
  const own = { SAMPLE_ITEMS: load === 'list' ? '1' : '0', DATABASE_URL: place.url };
  const { url, healthUrl, stop } = await FRONTS[front](own, folder);
  started.defer(async () => {
    await stop();
  });
  // What was started stays where it is.
  pin(CLIENT_CPU);
  const target = { url, healthUrl, cookie: await logIn(url) };
  const forms: Sent[] = [];
  const send: Send = async (rate, duration) => {
    const schedule = { load, rate: Math.round(rate), seconds: duration, first: forms.length };
    const all = await sendAtRate(client, target, schedule);
    for (const one of all) if (one.kind === 'load' && load === 'create') forms.push(one);
    return all;
  };
  // The first requests are slower: their code is not compiled.
  await send(LOWEST * 5, TRIAL);
  const result = await sendAll(send);
  return { result, books: await balance(forms, place) };
}

const FRONTS = {
  async service(settings: Environment) {
    const { url, stop } = await startApplication(settings);
    return { url, healthUrl: url, stop };
  },
  nginx: (settings: Environment, folder: string) => startBehindProxy('nginx', settings, folder),
  haproxy: (settings: Environment, folder: string) => startBehindProxy('haproxy', settings, folder),
};

/** What the proxies' files say for two instances and with TLS, which the client does not speak. */
const WITHOUT_TLS = {
  nginx: () => ({ ' ssl http2;': ';', 'requests 64;': 'requests 32;' }),
  haproxy: (folder: string) => ({
    [` ssl crt ${join(folder, 'both.pem')} alpn h2,http/1.1`]: '',
    ' unless { ssl_fc }': ' if { always_false }',
    'X-Forwarded-Proto https': 'X-Forwarded-Proto http',
    'be_conn(seeother) ge 64': 'be_conn(seeother) ge 32',
    'be_conn(uploads) ge 16': 'be_conn(uploads) ge 8',
  }),
} as const satisfies Partial<
  Record<ProxyName, (folder: string) => Readonly<Record<string, string>>>
>;

/** With the proxy's own file, for one instance. */
async function startBehindProxy(
  name: keyof typeof WITHOUT_TLS,
  settings: Environment,
  folder: string,
) {
  const https = await findFreePort();
  const url = `http://127.0.0.1:${https}`;
  const own = { ...settings, PUBLIC_ORIGIN: url, TRUST_PROXY: '127.0.0.1' };
  const site = await startApplication(own);
  const port = new URL(site.url).port;
  const proxy = await startProxy(name, {
    folder,
    certificate: makeCertificate(folder),
    instances: [port, port],
    https,
    replacements: WITHOUT_TLS[name](folder),
  });
  const stop = async () => {
    await proxy.stop();
    await site.stop();
  };
  return { url, healthUrl: site.url, stop };
}

/** Of this process, and of those that it starts from now on. */
function pin(cpu: number): void {
  spawnSync(requireProgram('taskset'), ['-acp', String(cpu), String(process.pid)]);
}

/** The highest rate, by short trials, at which nine of ten answers are good and in time. */
async function findHighestRate(send: Send): Promise<number> {
  const share = async (rate: number) => {
    const load = (await send(rate, TRIAL)).filter(({ kind }) => kind === 'load');
    return load.filter((one) => isGood(one) && one.answeredAfter <= IN_TIME).length / load.length;
  };
  const holds = async (rate: number) => {
    const first = await share(rate);
    // A second time, because something else on the machine may have been the reason.
    const best = first < SHARE_IN_TIME && first >= CLOSE_MISS ? await share(rate) : first;
    return best >= SHARE_IN_TIME;
  };
  let [held, missed] = [LOWEST, HIGHEST];
  for (let trial = 0; trial < TRIALS; trial++) {
    const rate = Math.round(Math.sqrt(held * missed));
    if (await holds(rate)) held = rate;
    else missed = rate;
  }
  return held;
}

/** Compares all forms with the database. */
async function balance(forms: readonly Sent[], { url }: Place) {
  if (forms.length === 0) return { lost: 0, ghosts: 0, doubled: 0 };
  const books = createBooks();
  for (const [number, { item }] of forms.entries()) {
    const path = item === 0 ? null : `/items/${item}`;
    books.forms.push({ name: `Thing ${number}`, body: '', path });
  }
  const rows = await readItems(url);
  const { lost, ghosts, doubled } = compareBooks(books, rows);
  const saved = new Set(rows.map(({ name }) => name));
  const refused = books.forms.filter(
    ({ name }, at) => forms[at]?.status === 503 && saved.has(name),
  );
  return { lost, ghosts: ghosts + refused.length, doubled };
}

const count = (value: number) => Math.round(value).toLocaleString('en');
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
