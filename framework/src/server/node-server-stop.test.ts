import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { empty, text } from '../http/response.ts';
import { connectRaw, exchange, readAnswers } from '../testing/raw-connection.ts';
import { startServer } from '../testing/start-server.ts';

const HOST = 'Host: seeother.test\r\n';
const REQUEST = `GET / HTTP/1.1\r\n${HOST}\r\n`;
/** Milliseconds that no test waits for: the server has stopped long before. */
const LONG = 60_000;

test('a server without connections stops, and all was answered', async (t) => {
  const server = await startServer(t, () => text('fine'));
  assert.equal(await server.stop(LONG), true);
});

/** A server with a request that has arrived, and is answered after `release`. */
async function startBusy(t: test.TestContext) {
  const arrived = Promise.withResolvers<void>();
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const server = await startServer(t, async () => {
    arrived.resolve();
    await promise;
    return text('answered');
  });
  const connection = await connectRaw(server.url);
  await connection.write(REQUEST);
  await arrived.promise;
  return { server, connection, release };
}

test('stopping answers what is under way, says that the connection ends, and ends it', async (t) => {
  const { server, connection, release } = await startBusy(t);
  const stopped = server.stop(LONG);
  release();
  const [answer, ...others] = readAnswers(await connection.untilEnd());
  assert.equal(answer?.body, 'answered');
  assert.equal(answer?.header('Connection'), 'close');
  assert.deepEqual(others, []);
  assert.equal(await stopped, true);
});

test('stopping refuses new connections at once', async (t) => {
  const { server, release } = await startBusy(t);
  const stopped = server.stop(LONG);
  await assert.rejects(exchange(server.url, REQUEST), { code: 'ECONNREFUSED' });
  release();
  assert.equal(await stopped, true);
});

test('stopping closes idle connections', async (t) => {
  const server = await startServer(t, () => text('answered'));
  const connection = await connectRaw(server.url);
  await connection.write(REQUEST);
  await connection.until('answered');
  assert.equal(await server.stop(LONG), true);
  assert.equal(readAnswers(await connection.untilEnd()).length, 1);
});

test('stopping closes a connection after its running answer is complete', async (t) => {
  const gate = Promise.withResolvers<void>();
  async function* body() {
    yield new TextEncoder().encode('the first half, ');
    await gate.promise;
    yield new TextEncoder().encode('the second half');
  }
  const server = await startServer(t, () => ({ ...empty(200), body: body() }));
  const connection = await connectRaw(server.url);
  await connection.write(REQUEST);
  await connection.until('the first half');
  const stopped = server.stop(LONG);
  gate.resolve();
  const [answer] = readAnswers(await connection.untilEnd());
  assert.equal(answer?.body, 'the first half, the second half');
  assert.equal(await stopped, true);
});

test('a request that never ends is closed at the deadline, and stop reports it', async (t) => {
  const { server, connection } = await startBusy(t);
  const cut = assert.rejects(connection.until('HTTP/1.1'), /ended without|ECONNRESET/);
  assert.equal(await server.stop(20), false);
  await cut;
});

test('a client that never finishes its headers is cut at the deadline', async (t) => {
  const server = await startServer(t, () => text('never'));
  const connection = await connectRaw(server.url);
  await connection.write('GET / HTTP/1.1\r\nHo');
  await exchange(server.url, `GET / HTTP/1.0\r\n\r\n`);
  const cut = assert.rejects(connection.until('HTTP/1.1'), /ended without|ECONNRESET/);
  assert.equal(await server.stop(20), false);
  await cut;
});

test('an unused connection does not delay the stop', async (t) => {
  const server = await startServer(t, () => text('never'));
  const connection = await connectRaw(server.url);
  await exchange(server.url, 'GET / HTTP/1.0\r\n\r\n');
  assert.equal(await server.stop(LONG), true);
  assert.equal(await connection.untilEnd(), '');
});

test('a request on a connection that was accepted just before the stop is answered', async (t) => {
  const server = await startServer(t, () => text('answered'));
  const connection = await connectRaw(server.url);
  await exchange(server.url, 'GET / HTTP/1.0\r\n\r\n');
  const stopped = server.stop(LONG);
  await sleep(100);
  await connection.write(
    `GET / HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nConnection: close\r\n\r\n`,
  );
  assert.match(await connection.untilEnd(), /answered$/);
  assert.equal(await stopped, true);
});

test('stopping waits for a client that is still reading its answer', async (t) => {
  const size = 20_000_000;
  const asked = Promise.withResolvers<void>();
  const server = await startServer(t, () => {
    asked.resolve();
    return text('x'.repeat(size));
  });
  const client = connect(Number(new URL(server.url).port), '127.0.0.1');
  t.after(() => client.destroy());
  client.on('error', () => {});
  client.pause().write(REQUEST);
  await asked.promise;
  const stopped = server.stop(LONG);
  await sleep(300);
  let received = 0;
  client.on('data', (chunk) => {
    received += chunk.length;
  });
  await once(client.resume(), 'close');
  assert.ok(received > size, `only ${received} bytes arrived`);
  assert.equal(await stopped, true);
});

test('a client that does not read its answer is cut at the deadline', async (t) => {
  const server = await startServer(t, () => text('x'.repeat(20_000_000)));
  const client = connect(Number(new URL(server.url).port), '127.0.0.1');
  t.after(() => client.destroy());
  client.on('error', () => {});
  const answer = once(client, 'readable');
  client.write(REQUEST);
  await answer;
  assert.equal(await server.stop(20), false);
});

test('during the notice the server continues to answer, and asks every client to close its connection', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const server = await startServer(t, () => text('answered'));
  const stopped = server.stop(LONG, 5_000);
  const [answer] = readAnswers(await exchange(server.url, REQUEST));
  assert.equal(answer?.body, 'answered');
  assert.equal(answer?.header('Connection'), 'close');
  t.mock.timers.tick(5_000);
  assert.equal(await stopped, true);
  await assert.rejects(exchange(server.url, REQUEST), { code: 'ECONNREFUSED' });
});
