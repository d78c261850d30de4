/**
 * Disturbs the PostgreSQL server while forms are sent, and compares what was acknowledged with the
 * database. While the server is away, every answer is a 503 within three seconds, and no process ends.
 * Forms are saved again within two seconds of its return. Everything acknowledged is there, and a form
 * sent again is there once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { runSql } from '../application/testing/postgres/cluster.ts';
import { startApplication } from '../application/testing/start-application.ts';
import type { Place } from './kill-during-creates.ts';
import {
  addressOf,
  createStandby,
  type PostgresServer,
  promote,
  startPostgresServer,
} from './postgres-server.ts';
import {
  type Books,
  compareBooks,
  createBooks,
  describeRefusals,
  logIn,
  nextForm,
  readItems,
  sendForm,
} from './send-forms.ts';

const AT_ONCE = 4;
/** Milliseconds that a sender waits after a 503. */
const PAUSE = 50;

export interface Servers {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer | null;
}

/** The fault; resolves as soon as a server is writable again. */
export type Disturbance = (servers: Servers) => Promise<void>;

export const DISTURBANCES = {
  'postgres-fast': async ({ primary }: Servers) => {
    await primary.stop('fast');
    await primary.start();
  },
  'postgres-immediate': async ({ primary }: Servers) => {
    await primary.stop('immediate');
    await primary.start();
  },
  'postgres-away': async ({ primary }: Servers) => {
    await primary.stop('fast');
    await sleep(10_000);
    await primary.start();
  },
  'postgres-frozen': async ({ primary }: Servers) => {
    primary.freeze();
    await sleep(10_000);
    primary.thaw();
  },
  'postgres-failover': async ({ primary, standby }: Servers) => {
    await primary.stop('immediate');
    if (standby !== null) await promote(standby);
  },
} as const satisfies Record<string, Disturbance>;

export async function createPostgresPlace(): Promise<Place> {
  const { server, remove } = await startPostgresServer();
  await runSql(addressOf(server, 'postgres'), 'create database items');
  return { url: addressOf(server, 'items'), check: async () => null, remove };
}

export async function disturbPostgres(name: keyof typeof DISTURBANCES) {
  const { server: primary, folder, bin, remove } = await startPostgresServer();
  await runSql(addressOf(primary, 'postgres'), 'create database items');
  const standby = name === 'postgres-failover' ? await createStandby(folder, bin, primary) : null;
  const all = standby === null ? [primary] : [primary, standby];
  const site = await startApplication({
    SAMPLE_ITEMS: '0',
    DATABASE_URL: addressOf(all, 'items'),
    DATABASE_TIMEOUT: '2',
  });
  let ended = 0;
  site.process.on('exit', () => ended++);
  try {
    const cookie = await logIn(site.url);
    const books = createBooks();
    const report = await sendMeanwhile(books, site.url, cookie, () =>
      DISTURBANCES[name]({ primary, standby }),
    );
    const processesEnded = ended;
    const rows = await readItems(addressOf(standby ?? primary, 'items'));
    return { ...report, ...compareBooks(books, rows), processesEnded };
  } finally {
    await site.stop();
    await standby?.stop('immediate');
    await remove();
  }
}

async function sendMeanwhile(
  books: Books,
  url: string,
  cookie: string,
  disturb: () => Promise<void>,
) {
  let isOver = false;
  let savedAt = 0;
  let slowestRefusal = 0;
  const sendOn = async () => {
    while (!isOver) {
      const form = nextForm(books);
      const start = performance.now();
      await sendForm(books, form, url, cookie);
      if (form.path !== null) {
        savedAt = performance.now();
        continue;
      }
      slowestRefusal = Math.max(slowestRefusal, performance.now() - start);
      await sleep(PAUSE);
    }
  };
  const senders = Array.from({ length: AT_ONCE }, sendOn);
  await sleep(1_000);
  await disturb();
  const back = performance.now();
  while (savedAt < back && performance.now() - back < 10_000) await sleep(5);
  const recovery = savedAt < back ? Number.POSITIVE_INFINITY : Math.round(savedAt - back);
  await sleep(1_000);
  isOver = true;
  await Promise.all(senders);
  const refused = describeRefusals(books);
  const open = books.forms.filter(({ path }) => path === null);
  for (const form of open) await sendForm(books, form, url, cookie);
  return {
    refused,
    slowestRefusal: Math.round(slowestRefusal),
    savedAgainAfter: recovery,
    sentAgain: open.length,
  };
}
