/**
 * Two instances behind HAProxy, with the file in `deploy/`, restarted in turn under light load.
 * Promised: no request fails, and every form that was answered is one item.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApplication } from '../application/testing/start-application.ts';
import { type Ask, createAsk, ORIGIN } from '../deploy/ask-proxy.ts';
import { startProxy } from '../deploy/start-proxy.ts';
import {
  type Balance,
  type Books,
  compareBooks,
  createBooks,
  type ItemRow,
  nextForm,
} from './send-forms.ts';

const CLIENTS = 4;
/** Milliseconds between two requests of a client. */
const PAUSE = 20;
/** Milliseconds in which HAProxy has asked twice, and comes back. */
const RISE = 3_000;

export interface RestartReport extends Balance {
  readonly restarts: number;
  readonly requests: number;
  /** Broken connections, and statuses other than those of a good day. */
  readonly failed: number;
  readonly acknowledged: number;
}

/** The traffic while instances come and go. */
interface Load {
  readonly books: Books;
  requests: number;
  failed: number;
  isOver: boolean;
}

export async function restartInTurn(restarts: number): Promise<RestartReport> {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  const file = join(folder, 'application.db');
  const settings = {
    NODE_ENV: 'production',
    DATABASE_URL: `sqlite:${file}`,
    PUBLIC_ORIGIN: ORIGIN,
    TRUST_PROXY: '127.0.0.1',
    DRAIN_NOTICE: '3',
  };
  const instances = [await startApplication(settings), await startApplication(settings)];
  const [one = '', two = ''] = instances.map(({ url }) => new URL(url).port);
  const proxy = await startProxy('haproxy', folder, [one, two]);
  const load: Load = { books: createBooks(), requests: 0, failed: 0, isOver: false };
  try {
    const ask = createAsk(proxy);
    const headers = { origin: ORIGIN, cookie: await logIn(ask) };
    const clients = Promise.all(Array.from({ length: CLIENTS }, () => sendOn(load, ask, headers)));
    for (let count = 0; count < restarts; count++) {
      const index = count % 2;
      const exitCode = await instances[index]?.stop();
      if (exitCode !== 0) throw new Error(`An instance ended with ${exitCode} instead of 0.`);
      instances[index] = await startApplication({ ...settings, PORT: index === 0 ? one : two });
      await sleep(RISE);
    }
    load.isOver = true;
    await clients;
  } finally {
    load.isOver = true;
    await Promise.all(instances.map((instance) => instance.stop()));
    await proxy.stop();
  }
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare('select number, name from items').all() as unknown as ItemRow[];
  database.close();
  rmSync(folder, { recursive: true });
  const { books, requests, failed } = load;
  const acknowledged = books.forms.filter(({ path }) => path !== null).length;
  return { restarts, requests, failed, acknowledged, ...compareBooks(books, rows) };
}

async function logIn(ask: Ask): Promise<string> {
  const body = 'username=ada&password=correct+horse+battery';
  const { cookies } = await ask('/register', { headers: { origin: ORIGIN }, body });
  return cookies.map((line) => line.split(';')[0]).join('; ');
}

/** A form, then three pages, and again, until it is over. */
async function sendOn(load: Load, ask: Ask, headers: Record<string, string>): Promise<void> {
  for (let count = 0; !load.isOver; count++) {
    const form = count % 4 === 0 ? nextForm(load.books) : null;
    load.requests++;
    try {
      const answer = await ask('/items', { headers, ...(form && { body: form.body }) });
      if (answer.status !== (form === null ? 200 : 303)) load.failed++;
      else if (form !== null) form.path = answer.location ?? null;
    } catch {
      load.failed++;
    }
    await sleep(PAUSE);
  }
}
