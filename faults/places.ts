/**
 * Takes all places of each limited kind slowly, and measures until when another account is served there, and whether
 * the others are served elsewhere meanwhile. Then it takes all places but one, and the other account must get the last.
 */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeFields } from 'seeother/testing';
import { createDatabase } from '../application/database/kysely.ts';
import { openDatabase } from '../application/database/open-database.ts';
import { fileOf } from '../application/testing/create-test-database.ts';
import { fillItems } from '../application/testing/fill-items.ts';
import { startApplication } from '../application/testing/start-application.ts';
import { createSqlitePlace } from './kill-during-creates.ts';
import {
  ask,
  type Client,
  type Sent,
  type Slowness,
  type Taker,
  takePlace,
} from './take-places.ts';

/** So many that a list of them does not fit between the service and a client that does not read. */
const ITEMS = 1_500;
const LONG = 'spare battery, charged '.repeat(170);
const PASSWORD = 'correct horse battery';
/** Memory for bodies that four forms of the largest size fill. */
const BODIES_LIMIT = 4_194_304;

interface Attempt extends Slowness {
  readonly name: string;
  /** One for each place. */
  readonly takers: readonly Client[];
  readonly sent: Sent;
  /** Instead of it, if each client sends another one. */
  readonly sentBy?: (index: number) => Sent;
  /** Who else wants such a place, and with which request. */
  readonly other: Client;
  readonly otherSent?: Sent;
  /** Seconds until the place must be free, from when all were taken, or from when the clients left. */
  readonly limit: number;
  readonly leaves?: boolean;
  /** The status with which the clients are refused while they wait: then the places need not be seen taken. */
  readonly refusal?: number;
  /** The answer does not wait for the client, so it cannot be seen that all are taken. */
  readonly short?: boolean;
}

/**
 * `failed` are requests of others elsewhere that were not served, `excess` attempts after which a place was not free
 * within its limit, and `leftovers` places that were not given back.
 */
export async function takeAllPlaces() {
  await using started = new AsyncDisposableStack();
  const place = await createSqlitePlace();
  started.defer(place.remove);
  await fill(place.url);
  const start = async (more = {}) => {
    const settings = { DATABASE_URL: place.url, REGISTRATION: 'open', SAMPLE_ITEMS: '0', ...more };
    const { url, stop } = await startApplication(settings);
    started.defer(async () => void (await stop()));
    return url;
  };
  const service = await start();
  const sessions = await register(service, ['ada', 'bob', 'cyd', 'dan', 'eve']);
  const services = [
    { url: service, lanes: createLanes(sessions) },
    { url: await start(), lanes: createLongLanes(sessions) },
    { url: await start({ BODIES_LIMIT: `${BODIES_LIMIT}` }), lanes: [fillMemory(sessions)] },
  ];
  const all = await Promise.all(
    services.flatMap(({ url, lanes }) =>
      lanes.map(async (lane) => {
        const results: Awaited<ReturnType<typeof measure>>[] = [];
        for (const attempt of lane) results.push(await measure(url, attempt, sessions));
        return results;
      }),
    ),
  );
  const results = all.flat();
  const sum = (what: 'failed' | 'excess' | 'leftovers') =>
    results.reduce((total, result) => total + result[what], 0);
  return {
    failed: sum('failed'),
    excess: sum('excess'),
    leftovers: sum('leftovers'),
    measured: `\n${results.map(({ line }) => line).join('\n')}`,
  };
}

async function fill(url: string): Promise<void> {
  const { door } = await openDatabase(url, { timeout: 60_000 });
  await fillItems(createDatabase(door), ITEMS);
  await door.close();
  const database = new DatabaseSync(fileOf(url));
  database.prepare('update items set description = description || ?').run(LONG);
  database.close();
}

/** The sessions of new accounts. */
async function register(url: string, names: readonly string[]): Promise<readonly string[]> {
  const sessions: string[] = [];
  for (const username of names) {
    const body = encodeFields({ username, password: PASSWORD });
    const visitor = { address: '127.0.0.1', cookie: '' };
    const { status, session } = await ask(url, visitor, {
      method: 'POST',
      path: '/register',
      body,
    });
    if (session === '') throw new Error(`Cannot register ${username}: the answer is ${status}.`);
    sessions.push(session);
  }
  return sessions;
}

/** So many clients, two of each account, each from its own network. */
function clientsOf(sessions: readonly string[], count: number): readonly Client[] {
  return Array.from({ length: count }, (_, index) => ({
    address: `127.0.1.${index + 1}`,
    cookie: sessions[Math.floor(index / 2)] ?? '',
  }));
}

const visitors = (count: number, places = 1): readonly Client[] =>
  Array.from({ length: count }, (_, index) => ({
    address: `127.0.2.${Math.floor(index / places) + 1}`,
    cookie: '',
  }));

const post = (path: string, body = '', type?: string): Sent => ({
  method: 'POST',
  path,
  body,
  ...(type !== undefined && { type }),
});
const get = (path: string): Sent => ({ method: 'GET', path });

const MULTIPART = 'multipart/form-data; boundary=limit';
const part = (disposition: string, content: string) =>
  `--limit\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
const FILE = part('name="file"; filename="a.csv"', 'name\nDrill');
const begun = FILE.slice(0, -4);

const BYTE = { name: 'a byte in 2 s', more: 100_000, drip: 'x', limit: 30 };
const STOPS = { name: 'stops', more: 100_000, limit: 30 };
const LEAVES = { name: 'leaves', more: 100_000, leaves: true, limit: 5 };

/** Attempts with one kind of place; its names begin with that of the place. */
function attempts(
  name: string,
  common: Omit<Attempt, 'name' | 'limit'>,
  ways: readonly (Pick<Attempt, 'name' | 'limit'> & Partial<Attempt>)[],
): readonly Attempt[] {
  return ways.map((way) => ({ ...common, ...way, name: `${name}: ${way.name}` }));
}

function uploads(sessions: readonly string[]) {
  return {
    takers: clientsOf(sessions, 6),
    other: { address: '127.0.3.1', cookie: sessions[3] ?? '' },
    sent: post('/items/import', begun, MULTIPART),
    otherSent: post('/items/import', `${FILE}--limit--\r\n`, MULTIPART),
  };
}

/** Each lane is a kind of place, or several that share their places. All lanes of a service run at once. */
function createLanes(sessions: readonly string[]): readonly (readonly Attempt[])[] {
  const upload = uploads(sessions);
  const { takers, other } = upload;
  const text = {
    name: 'text over the limit',
    sent: post('/items/import', part('name="x"', 'x'.repeat(1_200_000)), MULTIPART),
  };
  const columns = {
    takers,
    other,
    sent: post('/items/imports/1/columns', 'a='),
    otherSent: post('/items/imports/1/columns'),
  };
  const undo = post('/items/history/batches/1/undo');
  const logIn = (username: string, password: string) =>
    post('/login', encodeFields({ username, password }));
  const hashes = {
    takers: visitors(52),
    other: { address: '127.0.3.2', cookie: '' },
    sent: logIn('nobody', 'wrong'),
    // Many attempts with one name have to wait.
    sentBy: (index: number) => logIn(`nobody-${index}`, 'wrong'),
    otherSent: logIn('dan', PASSWORD),
    short: true,
  };
  const newcomers = Array.from({ length: 20 }, () => ({ address: '127.0.4.1', cookie: '' }));
  return [
    [
      ...attempts('upload', upload, [
        BYTE,
        STOPS,
        { ...text, more: 5_000_000, refusal: 413, limit: 5 },
        LEAVES,
      ]),
      ...attempts('columns', columns, [BYTE, LEAVES]),
    ],
    attempts(
      'export',
      { takers, other, sent: get('/items.csv'), otherSent: get('/items.csv?q=nothing') },
      [
        { name: 'leaves in the middle', leaves: true, limit: 5 },
        { name: 'does not read', limit: 75 },
      ],
    ),
    attempts(
      'search',
      { takers: visitors(32, 4), other, sent: get('/items?q=thing'), short: true },
      [
        { name: 'leaves', leaves: true, limit: 10 },
        { name: 'does not read', limit: 10 },
      ],
    ),
    attempts('undo', { takers: takers.slice(0, 3), other, sent: undo }, [BYTE, STOPS, LEAVES]),
    attempts(
      'registration',
      { takers: newcomers, other: { address: '127.0.4.1', cookie: '' }, sent: post('/register') },
      [BYTE, LEAVES],
    ),
    attempts('hash of a log-in', hashes, [{ name: 'leaves', leaves: true, limit: 30 }]),
  ];
}

/** On a service of their own, because they share the places of others, and need the longest. */
function createLongLanes(sessions: readonly string[]): readonly (readonly Attempt[])[] {
  const upload = uploads(sessions);
  const steady = { name: '2,500 bytes a second', more: 1_000_000, drip: 'x'.repeat(5_000) };
  return [
    attempts('upload', upload, [{ ...steady, limit: 120 }]),
    attempts(
      'print',
      {
        ...upload,
        sent: get('/items/print'),
        otherSent: get('/items/print?q=nothing'),
        short: true,
      },
      [
        { name: 'leaves in the middle', leaves: true, limit: 5 },
        { name: 'does not read', limit: 75 },
      ],
    ),
  ];
}

function fillMemory(sessions: readonly string[]): readonly Attempt[] {
  const common = {
    takers: clientsOf(sessions, 4),
    other: { address: '127.0.3.1', cookie: sessions[3] ?? '' },
    sent: post('/items', `name=${'x'.repeat(1_048_000)}`),
    otherSent: post('/items', `name=${'x'.repeat(20_000)}`),
    more: 500,
  };
  return attempts('memory of bodies', common, [
    { ...STOPS, more: 500 },
    { ...LEAVES, more: 500 },
  ]);
}

async function measure(url: string, attempt: Attempt, sessions: readonly string[]) {
  const { name, takers, limit, leaves = false, refusal, short = false } = attempt;
  const elsewhere = serveElsewhere(url, { address: '127.0.5.1', cookie: sessions[4] ?? '' });
  const all = await takeAll(url, attempt);
  const taken = countTaken(all);
  const start = performance.now();
  if (leaves) for (const taker of all) taker.leave();
  const isRefused = () => refusal === undefined || all.every((one) => one.status() === refusal);
  const seconds = () => (performance.now() - start) / 1_000;
  while (!((await isServed(url, attempt)) && isRefused()) && seconds() < limit + 30)
    await sleep(leaves || refusal !== undefined ? 100 : 1_000);
  const free = seconds();
  const { tried, served, again } = await elsewhere.stop();
  for (const taker of all) taker.leave();
  const missing = short ? 0 : await takeAgain(url, attempt);
  // Until the place is tried once more.
  const excess = free > limit + 1 ? 1 : 0;
  const line = `${name}: ${taken} of ${takers.length} taken, free after ${free.toFixed(1)} of ${limit} s, ${served} of ${tried} others served (${again} at the second try), ${missing} not given back`;
  return { failed: tried - served, excess, leftovers: missing, line };
}

const REFUSALS: readonly number[] = [429, 503];

const isRefusal = (status = 0) => REFUSALS.includes(status);

const countTaken = (all: readonly Taker[]) => all.filter((one) => !isRefusal(one.status())).length;

async function isServed(url: string, { other, sent, otherSent = sent }: Attempt): Promise<boolean> {
  const { status } = await ask(url, other, otherSent);
  return status !== 0 && !isRefusal(status);
}

/**
 * Takes all places. Who wants to know whether all are taken needs a place for a moment, so a client that is refused
 * tries again. The places are taken when another account is refused, and no client is.
 */
async function takeAll(url: string, attempt: Attempt): Promise<readonly Taker[]> {
  const take = (client: Client, index: number) =>
    takePlace(url, client, attempt.sentBy?.(index) ?? attempt.sent, attempt);
  const all = attempt.takers.map(take);
  if (attempt.refusal !== undefined || attempt.short) {
    // So that the requests have arrived.
    await sleep(200);
    return all;
  }
  const end = performance.now() + 8_000;
  while (performance.now() < end) {
    await sleep(100);
    if (!(await isServed(url, attempt)) && countTaken(all) === all.length) return all;
    for (const [index, client] of attempt.takers.entries()) {
      if (!isRefusal(all[index]?.status())) continue;
      all[index]?.leave();
      all[index] = take(client, index);
    }
  }
  // Places that were not given back are missing.
  if (countTaken(all) < all.length) return all;
  throw new Error(`Cannot measure ${attempt.name}: another account was always served.`);
}

/**
 * 1 if a place is missing: all but one are taken, and the other account does not get the last one. The answers of the
 * clients cannot tell it, because a refused form is answered when its text has arrived.
 */
async function takeAgain(url: string, attempt: Attempt): Promise<number> {
  const body = attempt.sent.body ?? '';
  const sent = { ...attempt.sent, body: body.length > 1_048_576 ? body.slice(0, 20) : body };
  const clients = attempt.takers.slice(1);
  const all = clients.map((client) => takePlace(url, client, sent, { more: 500 }));
  let missing = 1;
  for (let tries = 0; tries < 5 && missing > 0; tries++) {
    await sleep(500);
    if (await isServed(url, attempt)) missing = 0;
  }
  for (const taker of all) taker.leave();
  for (let tries = 0; tries < 50 && !(await isServed(url, attempt)); tries++) await sleep(100);
  return missing;
}

/**
 * Someone who reads and sends forms once a second, and wants no limited place. A busy service may refuse a request, and
 * serve it when it is sent again.
 */
function serveElsewhere(url: string, client: Client) {
  const requests = [get('/items'), post('/items', 'name='), get('/people'), get('/items/1')];
  const isOver = new AbortController();
  const counts = { tried: 0, served: 0, again: 0 };
  const isAnswered = async (sent: Sent) =>
    (await ask(url, client, sent)).status === (sent.method === 'GET' ? 200 : 400);
  const run = async () => {
    do {
      const sent = requests[counts.tried++ % requests.length] ?? get('/items');
      if (await isAnswered(sent)) counts.served++;
      else {
        counts.again++;
        await sleep(1_000);
        if (await isAnswered(sent)) counts.served++;
      }
      await sleep(1_000, null, { signal: isOver.signal }).catch(() => {});
    } while (!isOver.signal.aborted);
    return counts;
  };
  const done = run();
  return {
    stop() {
      isOver.abort();
      return done;
    },
  };
}
