import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBody } from '../http/body.ts';
import type { Request } from '../http/request.ts';
import { text } from '../http/response.ts';
import {
  bodiesOf,
  connectRaw,
  exchange,
  readAnswers,
  statusesOf,
} from '../testing/raw-connection.ts';
import { startServer } from '../testing/start-server.ts';
import type { Application } from './application.ts';
import { serve } from './node-server.ts';
import type { Dropped } from './serve-options.ts';

const HOST = 'Host: seeother.test\r\n';
const CLOSE = `${HOST}Connection: close\r\n`;

const echo = (request: Request) => text(`${request.method} ${request.path}`);

test('a port in use is an error', async (t) => {
  const { url } = await startServer(t, echo);
  const port = Number(new URL(url).port);
  await assert.rejects(serve({ handle: echo }, { host: '127.0.0.1', port }), {
    code: 'EADDRINUSE',
  });
});

test('a connection is reused for the next request', async (t) => {
  const { url } = await startServer(t, echo);
  const connection = await connectRaw(url);
  await connection.write(`GET /one HTTP/1.1\r\n${HOST}\r\n`);
  const [first] = readAnswers(await connection.until('GET /one'));
  assert.equal(first?.header('Connection'), 'keep-alive');
  await connection.write(`GET /two HTTP/1.1\r\n${CLOSE}\r\n`);
  const [, second] = readAnswers(await connection.untilEnd());
  assert.equal(second?.header('Connection'), 'close');
  assert.equal(second?.body, 'GET /two');
});

test('the body of a GET is never parsed as the next request', async (t) => {
  const { url } = await startServer(t, echo);
  const smuggled = `GET /smuggled HTTP/1.1\r\n${HOST}\r\n`;
  const received = await exchange(
    url,
    `GET /one HTTP/1.1\r\n${HOST}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}GET /two HTTP/1.1\r\n${CLOSE}\r\n`,
  );
  assert.deepEqual(bodiesOf(received), ['GET /one', 'GET /two']);
});

test('a request that arrives byte by byte is answered', async (t) => {
  const { url } = await startServer(t, async (request) =>
    text(Buffer.from(await readBody(request, 100)).toString()),
  );
  const connection = await connectRaw(url);
  for (const byte of `POST /items HTTP/1.1\r\n${CLOSE}Content-Length: 9\r\n\r\nname=Lamp`) {
    await connection.write(byte);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual(bodiesOf(await connection.untilEnd()), ['name=Lamp']);
});

test('an offer to upgrade is ignored', async (t) => {
  const { url } = await startServer(t, echo);
  for (const protocol of ['h2c', 'websocket']) {
    const connection = await connectRaw(url);
    await connection.write(
      `GET /one HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`,
    );
    await connection.until('GET /one');
    await connection.write(`GET /two HTTP/1.1\r\n${CLOSE}\r\n`);
    const received = await connection.untilEnd();
    assert.deepEqual(statusesOf(received), [200, 200]);
    assert.deepEqual(bodiesOf(received), ['GET /one', 'GET /two']);
  }
});

test('headers with the names of object members do no harm', async (t) => {
  const { url } = await startServer(t, ({ headers }) => text(String(headers['x-kept'])));
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const lines = names.map((name) => `${name}: evil\r\n`).join('');
  const received = await exchange(url, `GET / HTTP/1.1\r\n${lines}X-Kept: yes\r\n${CLOSE}\r\n`);
  assert.deepEqual(bodiesOf(received), ['yes']);
  assert.equal(Object.getPrototypeOf({}), Object.prototype);
});

test('no header is dropped, however many there are', async (t) => {
  const { url } = await startServer(t, ({ headers }) => text(String(headers['x-last'])));
  const many = 'a:1\r\n'.repeat(2_500);
  const received = await exchange(url, `GET / HTTP/1.1\r\n${CLOSE}${many}X-Last: here\r\n\r\n`);
  assert.deepEqual(bodiesOf(received), ['here']);
});

test('a request without a body has a null body', async (t) => {
  const { url } = await startServer(t, (request) => text(String(request.body)));
  const none = await exchange(url, `GET / HTTP/1.1\r\n${CLOSE}\r\n`);
  const zero = await exchange(url, `POST / HTTP/1.1\r\n${CLOSE}Content-Length: 0\r\n\r\n`);
  assert.deepEqual([...bodiesOf(none), ...bodiesOf(zero)], ['null', 'null']);
});

const BARE = 'Something went wrong on our side.\n';

/** Sends a request that ends in a bare 500, and another that shows that the server is alive. */
async function assertBareError(
  t: test.TestContext,
  respond: Application['handle'],
  reported: RegExp,
) {
  const server = await startServer(t, (request) =>
    request.path === '/alive' ? text('alive') : respond(request),
  );
  const received = await exchange(
    server.url,
    `GET / HTTP/1.1\r\n${HOST}\r\nGET /alive HTTP/1.1\r\n${CLOSE}\r\n`,
  );
  assert.match(received, /^HTTP\/1\.1 500 Internal Server Error\r\n/);
  const [failed, alive] = readAnswers(received);
  assert.equal(failed?.body, BARE);
  assert.equal(failed?.header('Content-Type'), 'text/plain; charset=utf-8');
  assert.equal(failed?.header('X-Echo'), null);
  assert.equal(alive?.body, 'alive');
  assert.equal(server.reported.length, 1);
  assert.match(String(server.reported[0]), reported);
}

const hostileHeaders = [
  { 'X-Echo': 'a\r\nSet-Cookie: planted=1' },
  { 'X-Echo': 'a\nb' },
  { 'X-Echo': ['fine', 'a\rb'] },
  { 'X-Echo': '\u{1f4a1}' },
  { 'X-Echo\r\nSet-Cookie': 'planted=1' },
  { 'X Echo': 'a' },
];

test('a response that would split its headers is a bare 500, and nothing of it is sent', async (t) => {
  for (const headers of hostileHeaders) {
    const response = { ...text('body'), headers };
    await assertBareError(t, () => response, /Invalid character|valid HTTP token/);
    await assertBareError(t, async () => response, /Invalid character|valid HTTP token/);
  }
});

test('a status that HTTP does not have is a bare 500', async (t) => {
  for (const status of [99, 1000, Number.NaN]) {
    await assertBareError(t, () => text('body', status), /Invalid status code/);
  }
});

test('without a report function an error goes to standard error', async (t) => {
  const said = t.mock.method(console, 'error', () => {});
  const bug = new Error('a bug');
  const handle = () => Promise.reject(bug);
  const server = await serve({ handle }, { host: '127.0.0.1', port: 0 });
  t.after(() => server.stop(0));
  assert.equal((await fetch(server.url)).status, 500);
  assert.deepEqual(
    said.mock.calls.map((call) => call.arguments),
    [[bug]],
  );
});

/** A server that makes its sweeps when the test says so. */
async function startSwept(t: test.TestContext, handle: Application['handle']) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const reports: Dropped[] = [];
  const { url } = await startServer(t, handle, {
    stallTimeout: 1,
    reportDropped: (dropped) => reports.push(dropped),
  });
  const sweepUntil = async (isOver: () => boolean) => {
    while (!isOver()) {
      t.mock.timers.tick(1);
      await sleep(2);
    }
  };
  return { url, reports, sweepUntil };
}

test('a client that does not read its answer is dropped, and the drop is reported', async (t) => {
  const size = 20_000_000;
  const { url, reports, sweepUntil } = await startSwept(t, () => text('x'.repeat(size)));
  const client = connect(Number(new URL(url).port), '127.0.0.1');
  client.on('error', () => {});
  const begun = once(client, 'readable');
  client.write(`GET / HTTP/1.1\r\n${CLOSE}\r\n`);
  await begun;
  await sweepUntil(() => reports.length > 0);
  assert.deepEqual(reports, [{ slowReader: 1 }]);
  let received = 0;
  client.on('data', (chunk) => {
    received += chunk.length;
  });
  await once(client.resume(), 'close');
  assert.ok(received < size, `${received} bytes arrived`);
});

test('with the maximum number of idle connections, a new one is answered', async (t) => {
  const { url } = await startServer(t, echo, { maxConnections: 3 });
  const idle = [await connectRaw(url), await connectRaw(url), await connectRaw(url)];
  for (const connection of idle) {
    await connection.write(`GET / HTTP/1.1\r\n${HOST}\r\n`);
    await connection.until('GET /');
  }
  const received = await exchange(url, `GET /another HTTP/1.1\r\n${CLOSE}\r\n`);
  assert.deepEqual(bodiesOf(received), ['GET /another']);
  assert.match((await idle[0]?.untilEnd()) ?? '', /GET \/$/);
  await idle[1]?.write(`GET /again HTTP/1.1\r\n${CLOSE}\r\n`);
  assert.match((await idle[1]?.untilEnd()) ?? '', /GET \/again$/);
  idle[2]?.leave();
});
