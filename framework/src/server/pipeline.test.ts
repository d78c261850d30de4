import assert from 'node:assert/strict';
import { connect } from 'node:net';
import test from 'node:test';
import { text } from '../http/response.ts';
import {
  bodiesOf,
  connectRaw,
  exchange,
  readAnswers,
  statusesOf,
} from '../testing/raw-connection.ts';
import { startServer } from '../testing/start-server.ts';

const HOST = 'Host: seeother.test\r\n';
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${HOST}${more}\r\n`;
const END = get('/end', 'Connection: close\r\n');

test('requests sent at once are handled one after the other, and answered in order', async (t) => {
  const events: string[] = [];
  const { url } = await startServer(t, async ({ path }) => {
    events.push(`${path} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    events.push(`${path} ends`);
    return text(path);
  });
  const received = await exchange(url, get('/one') + get('/two') + END);
  const paths = ['/one', '/two', '/end'];
  assert.deepEqual(bodiesOf(received), paths);
  assert.deepEqual(
    events,
    paths.flatMap((path) => [`${path} begins`, `${path} ends`]),
  );
});

test('a request waits until the client has taken the answer to the one before it', async (t) => {
  const size = 40_000_000;
  let received = 0;
  let receivedBefore = -1;
  const { url } = await startServer(t, ({ path }) => {
    if (path === '/large') return text('x'.repeat(size));
    receivedBefore = received;
    return text('small');
  });
  const client = connect(Number(new URL(url).port), '127.0.0.1');
  client.write(get('/large') + END);
  for await (const chunk of client) received += chunk.length;
  assert.ok(received > size);
  assert.ok(receivedBefore > size / 2, `handled when ${receivedBefore} bytes had arrived`);
});

test('a connection with more than 64 unanswered requests is closed', async (t) => {
  const gate = Promise.withResolvers<void>();
  let handled = 0;
  const { url } = await startServer(t, async ({ path }) => {
    handled++;
    if (path === '/one') await gate.promise;
    return text(path);
  });
  const [most, more] = [await connectRaw(url), await connectRaw(url)];
  await more.write(get('/one').repeat(65));
  await assert.rejects(more.until('HTTP/1.1'), /ended without|ECONNRESET/);
  assert.equal(handled, 1);
  await most.write(get('/one') + get('/two').repeat(62) + END);
  gate.resolve();
  assert.equal(readAnswers(await most.untilEnd()).length, 64);
});

test('when 4,096 requests wait, connections with several are closed, and others are answered', async (t) => {
  const gate = Promise.withResolvers<void>();
  const { url } = await startServer(t, async ({ path }) => {
    await gate.promise;
    return text(path);
  });
  const flooding = await Promise.all(Array.from({ length: 68 }, () => connectRaw(url)));
  const other = await connectRaw(url);
  const end = Promise.race(
    flooding.map((one) => one.untilEnd().catch((error: Error) => error.message)),
  );
  await Promise.all(flooding.map((one) => one.write(get('/flood').repeat(63)).catch(() => {})));
  assert.doesNotMatch(await end, /sent nothing/);
  await other.write(get('/one') + END);
  gate.resolve();
  assert.equal(readAnswers(await other.untilEnd()).length, 2);
});

test('a request behind an answer that ends the connection is not handled', async (t) => {
  const paths: string[] = [];
  const server = await startServer(t, async ({ path }) => {
    paths.push(path);
    if (path === '/one') void server.stop(20_000);
    return text(path);
  });
  const [answer, ...others] = readAnswers(await exchange(server.url, get('/one') + get('/two')));
  assert.equal(answer?.header('Connection'), 'close');
  assert.deepEqual(others, []);
  assert.deepEqual(paths, ['/one']);
});

test('requests after a refused message are not handled, whether sent at once or one by one', async (t) => {
  const paths: string[] = [];
  const { url } = await startServer(t, ({ path }) => {
    paths.push(path);
    return text(path);
  });
  const refused = `POST /refused HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`;
  assert.deepEqual(statusesOf(await exchange(url, refused + get('/inside'))), [501]);
  const connection = await connectRaw(url);
  await connection.write(refused);
  await connection.until('501');
  await connection.write(get('/after')).catch(() => {});
  await connection.untilEnd().catch(() => {});
  assert.deepEqual(paths, []);
});
