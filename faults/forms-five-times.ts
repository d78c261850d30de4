/**
 * Sends each form five times in parallel to two instances, one of which is killed halfway and
 * restarted. Each form must become one item. Every answer must lead to that item, or say that an
 * instance is away. A form without a 303 is sent again at the end, until it is saved.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Pair, startPair } from '../application/testing/start-pair.ts';
import { createAsk, logInBehind, ORIGIN } from '../deploy/ask-proxy.ts';
import { startBehind } from '../deploy/start-behind.ts';
import type { ProxyName } from '../deploy/start-proxy.ts';
import {
  compareBooks,
  createBooks,
  forEach,
  logIn,
  nextForm,
  postForm,
  readItems,
  type SentForm,
} from './send-forms.ts';

const TIMES = 5;
/** Forms under way at once. */
const AT_ONCE = 10;
/** Milliseconds during which a form is sent again, and between two attempts. */
const MAX_ABSENCE = 60_000;
const PAUSE = 200;
/** Statuses of a proxy for an instance that does not answer. */
const AWAY = [502, 503];

interface Answer {
  readonly status: number;
  readonly location: string | null | undefined;
}

/** Sends the form for the given time; rejects if the connection breaks. */
type Send = (form: SentForm, time: number) => Promise<Answer>;

/** Directly to the two instances, alternately. */
export async function sendToPair(count: number) {
  const pair = await startPair({ SAMPLE_ITEMS: '0' }, 'sqlite');
  try {
    const urls = pair.instances.map(({ url }) => url);
    const cookie = await logIn(urls[0] ?? '');
    return await sendFiveTimes(pair, count, ({ body }, time) =>
      postForm(`${urls[time % 2]}/items`, body, cookie),
    );
  } finally {
    await pair.stop();
  }
}

/** Through the proxy, to two instances on one PostgreSQL. */
export async function sendBehind(name: ProxyName, count: number) {
  const behind = await startBehind(name, { engine: 'postgres' });
  try {
    const ask = createAsk(behind.proxy);
    const headers = { origin: ORIGIN, cookie: await logInBehind(ask) };
    return await sendFiveTimes(behind, count, ({ body }) => ask('/items', { headers, body }));
  } finally {
    await behind.stop();
  }
}

async function sendFiveTimes(pair: Pair, count: number, send: Send) {
  const books = createBooks();
  for (let number = 0; number < count; number++) nextForm(books);
  /** `seeOther` are answers that lead to the form's item, and `away` those of a proxy without an instance. */
  const tally = { seeOther: 0, away: 0, broken: 0, failed: 0 };
  const sendOnce = async (form: SentForm, time: number) => {
    try {
      const { status, location } = await send(form, time);
      if (status === 303) form.path ??= location ?? null;
      if (status === 303 && form.path === location) tally.seeOther++;
      else if (AWAY.includes(status)) tally.away++;
      else tally.failed++;
    } catch {
      tally.broken++;
    }
  };
  const disturbed: Promise<void>[] = [];
  await forEach(books.forms.entries(), AT_ONCE, async ([number, form]) => {
    if (number === count / 2) disturbed.push(killAndStartAgain(pair));
    await Promise.all(Array.from({ length: TIMES }, (_, time) => sendOnce(form, number + time)));
  });
  await Promise.all(disturbed);
  const unsaved = books.forms.filter(({ path }) => path === null);
  let sentAgain = 0;
  for (const form of unsaved) sentAgain += await sendUntilSaved(form, sendOnce);
  const rows = await readItems(pair.databaseUrl);
  return {
    items: rows.length,
    ...tally,
    sentAgain,
    takenAfterwards: countForms(pair),
    ...compareBooks(books, rows),
  };
}

/**
 * Sends the same form until the restarted instance answers, because a proxy needs time to notice it.
 * Resolves to the number of attempts.
 */
async function sendUntilSaved(
  form: SentForm,
  sendOnce: (form: SentForm, time: number) => Promise<void>,
): Promise<number> {
  const end = performance.now() + MAX_ABSENCE;
  let times = 0;
  for (; form.path === null && performance.now() < end; times++) {
    if (times > 0) await sleep(PAUSE);
    await sendOnce(form, times);
  }
  return times;
}

async function killAndStartAgain({ instances, startAgain }: Pair): Promise<void> {
  const { process } = instances[1];
  const ended = once(process, 'close');
  process.kill('SIGKILL');
  await ended;
  await startAgain(1);
}

function countForms({ instances }: Pair): number {
  return instances[1].output().log.match(/\[POST\] \/items 303/g)?.length ?? 0;
}

/** What must be true of a report. */
export function holds(report: Awaited<ReturnType<typeof sendToPair>>, count: number): void {
  const { seeOther, away, broken, takenAfterwards: _, sentAgain, ...rest } = report;
  assert.equal(seeOther + away + broken, count * 5 + sentAgain);
  assert.ok(away + broken > 0, 'no form was under way when the instance was killed');
  assert.deepEqual(rest, {
    items: count,
    acknowledged: count,
    failed: 0,
    lost: 0,
    ghosts: 0,
    doubled: 0,
    gaps: 0,
  });
}
