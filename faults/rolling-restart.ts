/**
 * Restarts two instances behind HAProxy, one after the other, with the files and the script of
 * `deploy/`, under light load. No request may fail, and every answered form must be one item.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { portOf } from '../application/testing/start-pair.ts';
import { type Ask, createAsk, logInBehind, ORIGIN } from '../deploy/ask-proxy.ts';
import { runRollingRestart } from '../deploy/run-rolling-restart.ts';
import { type Behind, startBehind } from '../deploy/start-behind.ts';
import { type Books, compareBooks, createBooks, nextForm, readItems } from './send-forms.ts';

const CLIENTS = 4;

/** The traffic during the restarts. */
interface Load {
  readonly books: Books;
  /** Milliseconds between two requests of a client. */
  readonly pause: number;
  requests: number;
  /** Broken connections, and unexpected statuses. */
  failed: number;
  isOver: boolean;
}

/** Runs the script this many times; each run restarts both instances. */
export async function restartInTurn(times: number, pause: number) {
  const environment = { DRAIN_NOTICE: '3' };
  const behind = await startBehind('haproxy', { environment, engine: 'sqlite' });
  const load: Load = { books: createBooks(), pause, requests: 0, failed: 0, isOver: false };
  try {
    const ask = createAsk(behind.proxy);
    const headers = { origin: ORIGIN, cookie: await logInBehind(ask) };
    const clients = Promise.all(Array.from({ length: CLIENTS }, () => sendOn(load, ask, headers)));
    let restarts = 0;
    for (let count = 0; count < times; count++) restarts += await restartBoth(behind);
    load.isOver = true;
    await clients;
    const { books, requests, failed } = load;
    const balance = compareBooks(books, await readItems(behind.databaseUrl));
    return { restarts, requests, failed, ...balance };
  } finally {
    load.isOver = true;
    await behind.stop();
  }
}

/** Restarts with the script; resolves to the number of restarts. */
async function restartBoth({ instances, startAgain }: Behind): Promise<number> {
  const ports = instances.map(portOf);
  const starts: Promise<void>[] = [];
  const { code, errors } = await runRollingRestart({
    ports,
    async restart(port) {
      const index = port === ports[0] ? 0 : 1;
      const exitCode = await instances[index].stop();
      if (exitCode !== 0) throw new Error(`An instance ended with ${exitCode} instead of 0.`);
      starts.push(startAgain(index));
    },
  });
  if (code !== 0) throw new Error(`The script ended with ${code}: ${errors}`);
  await Promise.all(starts);
  return starts.length;
}

/** Sends a form, then requests three pages, and repeats until the end. */
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
    await sleep(load.pause);
  }
}
