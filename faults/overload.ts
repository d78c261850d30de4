/**
 * Sends more than the service can answer, and counts what becomes of it. First it finds the peak: the highest rate at
 * which 99 % of the requests get a good answer in time. Then it sends once, twice and three times as many a second. The
 * service and its database share one CPU; the client, which is a program in C, has the other.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApplication } from '../application/testing/start-application.ts';
import { requireProgram } from '../deploy/find-program.ts';
import { createPostgresPlace } from './disturb-postgres.ts';
import { createSqlitePlace, type Place } from './kill-during-creates.ts';
import { CLIENT_CPU, compileClient, type Load, type Sent, sendAtRate } from './send-at-rate.ts';
import { compareBooks, createBooks, logIn, readItems } from './send-forms.ts';

const SERVICE_CPU = 0;
const ENGINES = { SQLite: createSqlitePlace, PostgreSQL: createPostgresPlace };
const LOADS = ['list', 'create'] as const satisfies readonly Load[];
const STEPS = [1, 2, 3];
/** The peak lies between these rates. */
const [LOWEST, HIGHEST] = [100, 25_600];
/** Each halves the range on a logarithmic scale: seven find the peak to within 5 %. */
const TRIALS = 7;
/** Seconds of a trial. */
const TRIAL = 5;
/**
 * Milliseconds within which 99 % of the answers of a trial arrive. In a short trial a queue that grows by a twentieth
 * of each second stays below the second that a person waits.
 */
const IN_TIME = 250;
/** Milliseconds that a request may be sent after its time, and count as sent at its time. */
const PUNCTUAL = 10;
const SHARE_IN_TIME = 0.99;

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
    median: percentile(good, 0.5),
    p99: percentile(good, 0.99),
    health: percentile(answered, 0.99),
    failedHealth: checks.length - answered.length,
  };
}

function isGood({ status }: Sent): boolean {
  return status === 200 || status === 303;
}

function percentile(all: readonly Sent[], share: number): number {
  const times = all.map(({ answeredAfter }) => answeredAfter).sort((one, other) => one - other);
  return times[Math.ceil(times.length * share) - 1] ?? Number.NaN;
}

/** Writes a Markdown table, a row as soon as it is measured. */
export async function overload(seconds: number, only?: readonly [keyof typeof ENGINES, Load]) {
  if (availableParallelism() < 2)
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
        if (only !== undefined && (only[0] !== engine || only[1] !== load)) continue;
        const report = await overloadOne(engine, load, client, seconds);
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

async function overloadOne(
  engine: keyof typeof ENGINES,
  load: Load,
  client: string,
  seconds: number,
) {
  pin(SERVICE_CPU);
  const place = await ENGINES[engine]();
  const site = await startApplication({
    SAMPLE_ITEMS: load === 'list' ? '1' : '0',
    DATABASE_URL: place.url,
  });
  // The service and its database stay where they were started.
  pin(CLIENT_CPU);
  try {
    const cookie = await logIn(site.url);
    const forms: Sent[] = [];
    const send = async (rate: number, duration: number) => {
      const schedule = { load, rate: Math.round(rate), seconds: duration, first: forms.length };
      const all = await sendAtRate(client, site.url, cookie, schedule);
      for (const one of all) if (one.kind === 'load' && load === 'create') forms.push(one);
      return all;
    };
    const peak = await findPeak(send);
    let [failed, slow] = [0, 0];
    for (const step of STEPS) {
      const rate = peak * step;
      const one = measure(await send(rate, seconds));
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
      failed += one.failed + one.broken + one.failedHealth;
      if (share < LEAST_GOOD || !(one.health < SLOWEST_HEALTH)) slow++;
    }
    return { ...(await balance(forms, place)), failed, slow };
  } finally {
    await site.stop();
    await place.remove();
  }
}

/** Of this process, and of those that it starts from now on. */
function pin(cpu: number): void {
  spawnSync(requireProgram('taskset'), ['-acp', String(cpu), String(process.pid)]);
}

async function findPeak(
  send: (rate: number, seconds: number) => Promise<readonly Sent[]>,
): Promise<number> {
  const holds = async (rate: number) => {
    const load = (await send(rate, TRIAL)).filter(({ kind }) => kind === 'load');
    const inTime = load.filter((one) => isGood(one) && one.answeredAfter <= IN_TIME);
    return inTime.length >= load.length * SHARE_IN_TIME;
  };
  // The first requests are slower: their code is not compiled.
  await send(LOWEST * 5, TRIAL);
  let [held, missed] = [LOWEST, HIGHEST];
  for (let trial = 0; trial < TRIALS; trial++) {
    const rate = Math.round(Math.sqrt(held * missed));
    // A second time, because something else on the machine may have been the reason.
    if ((await holds(rate)) || (await holds(rate))) held = rate;
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
