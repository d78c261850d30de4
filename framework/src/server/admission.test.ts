/** Overload on a real server. Turns without time stand for a load that no test has to make. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { addLevel } from '../events/levels.ts';
import { trustedHtml } from '../http/html.ts';
import type { Request } from '../http/request.ts';
import { page, text } from '../http/response.ts';
import { SECURE_HEADERS } from '../middleware/secure-headers.ts';
import { connectRaw, exchange, type RawAnswer, readAnswers } from '../testing/raw-connection.ts';
import { startServer } from '../testing/start-server.ts';
import { type Arrival, createAdmission } from './admission.ts';
import { TRUST_NO_PROXY } from './forwarded.ts';
import type { ServeSettings } from './node-server.ts';
import type { OverloadOptions } from './serve-options.ts';

const HOST = 'Host: seeother.test\r\n';
const GET = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${HOST}${more}\r\n`;
const CLOSE = 'Connection: close\r\n';

/** Whatever is not urgent has waited too long. */
async function startOverloaded(
  t: TestContext,
  overload: OverloadOptions = {},
  options: Partial<ServeSettings> = {},
) {
  const handled: string[] = [];
  const counts: number[] = [];
  const server = await startServer(
    t,
    ({ path }) => {
      handled.push(path);
      return text('handled');
    },
    {
      ...options,
      overload: {
        limits: { turn: 0, burst: -1, overloadTurn: 0, shed: -1 },
        urgentPaths: ['/healthz'],
        reportShed: (count) => counts.push(count),
        ...overload,
      },
    },
  );
  const ask = async (bytes: string) => {
    const [answer, ...others] = readAnswers(await exchange(server.url, bytes));
    assert.ok(answer !== undefined && others.length === 0);
    return answer;
  };
  return { ...server, handled, counts, ask };
}

function assertSecure(answer: RawAnswer): void {
  for (const [name, value] of Object.entries(SECURE_HEADERS))
    assert.equal(answer.header(name), value, name);
}

test('under overload a health check is answered, and everything else is a 503 that no handler has seen', async (t) => {
  const { ask, handled, counts, stop } = await startOverloaded(t);
  assert.equal((await ask(GET('/healthz', CLOSE))).body, 'handled');
  const answer = await ask(GET('/items', CLOSE));
  assert.equal(answer.status, 503);
  assert.equal(answer.header('Retry-After'), '5');
  assert.equal(answer.header('Strict-Transport-Security'), null);
  assertSecure(answer);
  assert.equal((await ask(GET('/healthz?', CLOSE))).status, 503, 'no other spelling is urgent');
  assert.deepEqual(handled, ['/healthz']);
  assert.deepEqual(counts, [], 'not a report for each');
  assert.equal(await stop(10_000), true);
  assert.deepEqual(counts, [2]);
});

test('over https the 503 of overload says so, as every other answer does', async (t) => {
  const trust = { isProxy: () => false, scheme: 'https' } as const;
  const { ask } = await startOverloaded(t, {}, { trust });
  const answer = await ask(GET('/items', CLOSE));
  assert.equal(answer.header('Strict-Transport-Security'), 'max-age=63072000; includeSubDomains');
  assertSecure(answer);
});

test('each shed request can have its own answer', async (t) => {
  const busy = ({ method, headers }: Request) =>
    page(trustedHtml(`${method} ${headers['accept']}`), 503);
  const { ask } = await startOverloaded(t, { busy });
  const answer = await ask(GET('/items', `Accept: text/html\r\n${CLOSE}`));
  assert.deepEqual([answer.status, answer.body], [503, 'GET text/html']);
  assertSecure(answer);
});

test('a shed form is answered without reading it, and the connection stays open', async (t) => {
  const { url, handled } = await startOverloaded(t);
  const connection = await connectRaw(url);
  const form = `POST /items HTTP/1.1\r\n${HOST}Content-Length: 9\r\n\r\nname=Lamp`;
  await connection.write(form + GET('/healthz', CLOSE));
  const [shed, health] = readAnswers(await connection.untilEnd());
  assert.deepEqual([shed?.status, health?.body], [503, 'handled']);
  assert.deepEqual(handled, ['/healthz']);
});

test('a request whose client has gone while it waited is not handled', async () => {
  const handled: unknown[] = [];
  const { admit } = createAdmission(
    { limits: { turn: 0, burst: 60_000, overloadTurn: 0, shed: 60_000 } },
    TRUST_NO_PROXY,
    (arrival) => handled.push(arrival),
    () => {},
  );
  const create = () => ({ out: { destroyed: false }, message: { url: '/' }, at: 0 });
  const [stays, leaves] = [create(), create()];
  for (const one of [stays, leaves]) admit(one as unknown as Arrival);
  leaves.out.destroyed = true;
  await setImmediate();
  assert.deepEqual(handled, [stays]);
});

test('forms wait while 32 writes wait for the database, and pages while 32 statements do', async (t) => {
  const levels = { 'writes waiting': 31, 'database connections awaited': 31 };
  for (const name of Object.keys(levels) as (keyof typeof levels)[])
    t.after(addLevel(name, () => levels[name]));
  const handled: unknown[] = [];
  const { admit } = createAdmission(
    {
      limits: { turn: 10, burst: 60_000, overloadTurn: 0, shed: 60_000 },
      urgentPaths: ['/healthz'],
    },
    TRUST_NO_PROXY,
    ({ message }) => handled.push(`${message.method} ${message.url}`),
    () => {},
  );
  const send = (method: string, url = '/') =>
    admit({ out: { destroyed: false }, message: { method, url }, at: 0 } as unknown as Arrival);
  const sendBoth = async () => {
    handled.length = 0;
    send('POST');
    send('GET');
    await setImmediate();
    return handled.slice();
  };
  assert.deepEqual(await sendBoth(), ['POST /', 'GET /']);
  levels['writes waiting'] = 32;
  assert.deepEqual(await sendBoth(), ['GET /']);
  levels['database connections awaited'] = 32;
  assert.deepEqual(await sendBoth(), []);
  send('GET', '/healthz');
  assert.deepEqual(handled, ['GET /healthz']);
});

test('a health check is handled before a hundred requests that arrived with it', async (t) => {
  const handled: string[] = [];
  const { url } = await startServer(
    t,
    ({ path }) => {
      handled.push(path);
      return text('handled');
    },
    {
      overload: {
        urgentPaths: ['/healthz'],
        limits: { turn: 0, burst: 60_000, overloadTurn: 0, shed: 60_000 },
      },
    },
  );
  const open = async () => {
    const connection = await connectRaw(url);
    await connection.write(GET('/warm'));
    await connection.until('handled');
    return connection;
  };
  const connections = await Promise.all(Array.from({ length: 101 }, open));
  handled.length = 0;
  const paths = [...Array.from({ length: 100 }, (_, index) => `/${index}`), '/healthz'];
  await Promise.all(paths.map((path, index) => connections[index]?.write(GET(path, CLOSE))));
  await Promise.all(connections.map((connection) => connection.untilEnd()));
  assert.equal(handled.length, 101);
  assert.ok(handled.indexOf('/healthz') < 50, `${handled.indexOf('/healthz')} were before it`);
});
