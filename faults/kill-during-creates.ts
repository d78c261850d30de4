/**
 * Kills the service with SIGKILL at random moments while forms are sent. After each restart, every form
 * without an answer is sent again with the same key, as a browser's refresh does. In the end each form
 * must be one item.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../application/settings/config.ts';
import { createTestDatabase } from '../application/testing/create-test-database.ts';
import {
  type RunningApplication,
  startApplication,
} from '../application/testing/start-application.ts';
import {
  compareBooks,
  createBooks,
  logIn,
  nextForm,
  readItems,
  readRows,
  sendForm,
} from './send-forms.ts';

/** Forms under way at once. */
const AT_ONCE = 8;

/** A database that outlives the processes. */
export interface Place {
  readonly url: string;
  /** The result of the database's own integrity check; null if it has none. */
  readonly check: () => Promise<string | null>;
  readonly remove: () => Promise<void>;
}

export async function createSqlitePlace(): Promise<Place> {
  const { url, drop } = await createTestDatabase('sqlite');
  const check = async () => {
    const [row] = await readRows(url, 'pragma integrity_check');
    return String(row?.['integrity_check']);
  };
  return { url, check, remove: drop };
}

export async function killDuringCreates(
  rounds: number,
  place: Place,
  environment: Environment = {},
) {
  const books = createBooks();
  const { unanswered, slowestStart } = await killRepeatedly(rounds, place, environment, {
    send: (url, cookie) => sendForm(books, nextForm(books), url, cookie),
    async sendAgain(url, cookie) {
      const open = books.forms.filter(({ path }) => path === null);
      for (const form of open) await sendForm(books, form, url, cookie);
      return open.length;
    },
  });
  const balance = compareBooks(books, await readItems(place.url));
  const integrity = await place.check();
  await place.remove();
  return { rounds, unanswered, ...balance, integrity, slowestStart };
}

/** What is sent to a service that is killed. */
export interface Load {
  /** Before the first round. */
  readonly prepare?: (url: string, cookie: string) => Promise<void>;
  /** Sends the next form; resolves to whether there was an answer. */
  readonly send: (url: string, cookie: string) => Promise<boolean>;
  /** Called before the processes of the service are killed. */
  readonly kill?: (processes: readonly number[]) => Promise<void>;
  /** Sends all forms without an answer again; resolves to their number. */
  readonly sendAgain: (url: string, cookie: string) => Promise<number>;
  /** After the last round, while the service runs. */
  readonly finish?: () => Promise<void>;
}

/**
 * Kills the service so many times while eight clients send, and starts it again each time. `slowestStart` is the
 * longest time in milliseconds from the start of the process to its first answer.
 */
export async function killRepeatedly(
  rounds: number,
  place: Place,
  environment: Environment,
  load: Load,
) {
  const settings = { SAMPLE_ITEMS: '0', DATABASE_URL: place.url, ...environment };
  let site = await startApplication(settings);
  const { url } = site;
  const again = { ...settings, PORT: new URL(url).port };
  let unanswered = 0;
  let slowestStart = 0;
  try {
    const cookie = await logIn(url);
    await load.prepare?.(url, cookie);
    for (let round = 0; round < rounds; round++) {
      let isKilled = false;
      const sendOn = async () => {
        while (!isKilled && (await load.send(url, cookie)));
      };
      const senders = Array.from({ length: AT_ONCE }, sendOn);
      await sleep(10 + Math.random() * 490);
      const ended = once(site.process, 'close');
      const processes = [...workersOf(site), site.process.pid].filter((pid) => pid !== undefined);
      await load.kill?.(processes);
      for (const pid of processes) process.kill(pid, 'SIGKILL');
      isKilled = true;
      await Promise.all([ended, ...senders]);

      const start = performance.now();
      site = await startApplication(again);
      await fetch(`${url}/items`);
      slowestStart = Math.max(slowestStart, performance.now() - start);
      unanswered += await load.sendAgain(url, cookie);
    }
    await load.finish?.();
  } finally {
    await site.stop();
  }
  return { unanswered, slowestStart: Math.round(slowestStart) };
}

/** Empty if the service is one process. */
function workersOf({ output }: RunningApplication): readonly number[] {
  const found = output().errors.matchAll(/"A worker listens\.","worker":(\d+)/g);
  return [...found].map(([, pid]) => Number(pid));
}
