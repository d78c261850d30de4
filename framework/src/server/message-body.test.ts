import assert from 'node:assert/strict';
import test from 'node:test';
import { readBody } from '../http/body.ts';
import { HttpError } from '../http/http-error.ts';
import { text } from '../http/response.ts';
import { catchErrors } from '../middleware/catch-errors.ts';
import { createRouter } from '../router/router.ts';
import {
  bodiesOf,
  connectRaw,
  exchange,
  readAnswers,
  statusesOf,
} from '../testing/raw-connection.ts';
import { startServer } from '../testing/start-server.ts';

const HOST = 'Host: seeother.test\r\n';
const LIMIT = 100_000;
/** Far more than the buffers on the way hold. */
const LARGE = 20_000_000;

/** A site that reads forms up to the limit on `/read`, and answers on `/ignore` without reading. */
function createSite() {
  return createRouter()
    .use(
      catchErrors({ page: ({ status, message }) => text(`${message}`, status), report: () => {} }),
    )
    .get('/', () => text('alive'))
    .post('/read', async ({ request }) => text(String((await readBody(request, LIMIT)).byteLength)))
    .post('/ignore', () => text('ignored'))
    .post('/stream', () => ({ ...text(''), body: streamOf('ignored') }));
}

async function* streamOf(content: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(content);
}

async function start(t: test.TestContext) {
  const site = createSite();
  return startServer(t, (request) => site.handle(request));
}

const withLength = (path: string, length: number, more = '') =>
  `POST ${path} HTTP/1.1\r\n${HOST}Content-Length: ${length}\r\n${more}\r\n`;
const inChunks = (path: string, more = '') =>
  `POST ${path} HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n${more}\r\n`;
const chunk = (content: string) => `${content.length.toString(16)}\r\n${content}\r\n`;

async function assertAnswer(received: string, status: number, body: string | RegExp) {
  const [answer, ...others] = readAnswers(received);
  assert.ok(answer !== undefined && others.length === 0, received);
  assert.equal(answer.status, status);
  assert.match(answer.body, new RegExp(body));
  return answer;
}

test('a body up to the limit is read, by its length and by chunks', async (t) => {
  const { url } = await start(t);
  const body = 'x'.repeat(LIMIT);
  const close = 'Connection: close\r\n';
  await assertAnswer(await exchange(url, withLength('/read', LIMIT, close) + body), 200, '100000');
  const connection = await connectRaw(url);
  await connection.write(inChunks('/read') + chunk(body) + chunk(''));
  const [answer] = readAnswers(await connection.until('100000'));
  assert.equal(answer?.status, 200);
  assert.equal(answer?.header('Connection'), 'keep-alive');
  connection.leave();
});

test('a body over the limit is answered in full although the client keeps sending', async (t) => {
  const { url } = await start(t);
  const slightly = chunk('x'.repeat(LIMIT)) + chunk('x') + chunk('');
  const answers = [
    await exchange(url, withLength('/read', LARGE) + 'x'.repeat(LARGE)),
    await exchange(url, inChunks('/read') + chunk('x'.repeat(LARGE)) + chunk('')),
    await exchange(url, inChunks('/read', 'Connection: close\r\n') + slightly),
  ];
  for (const received of answers) {
    const answer = await assertAnswer(received, 413, /larger than the 100,000 bytes/);
    assert.equal(answer.header('Connection'), 'close');
  }
});

test('a body over the limit is refused by its length before it is sent', async (t) => {
  const { url } = await start(t);
  const connection = await connectRaw(url);
  await connection.write(withLength('/read', LARGE));
  await assertAnswer(await connection.until('accepts.'), 413, /larger than/);
  connection.leave();
});

test('an unread body does not delay the answer', async (t) => {
  const { url } = await start(t);
  for (const path of ['/ignore', '/stream', '/nowhere']) {
    const received = await exchange(url, withLength(path, LARGE) + 'x'.repeat(LARGE));
    const [answer] = readAnswers(received);
    assert.equal(answer?.header('Connection'), 'close');
    assert.match(answer?.body ?? '', /^(ignored|Not found.*\n)$/);
  }
});

test('a small unread body leaves the connection usable', async (t) => {
  const { url } = await start(t);
  const received = await exchange(
    url,
    `${withLength('/ignore', 9)}name=LampGET / HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
  );
  assert.deepEqual(bodiesOf(received), ['ignored', 'alive']);
});

const EXPECT = 'Expect: 100-continue\r\n';

test('a client that waits for leave to send gets a 100, then the answer', async (t) => {
  const { url } = await start(t);
  const connection = await connectRaw(url);
  await connection.write(withLength('/read', 9, `${EXPECT}Connection: close\r\n`));
  assert.equal(await connection.until('\r\n\r\n'), 'HTTP/1.1 100 Continue\r\n\r\n');
  await connection.write('name=Lamp');
  const received = await connection.untilEnd();
  assert.deepEqual(statusesOf(received), [100, 200]);
  assert.deepEqual(bodiesOf(received), ['', '9']);
});

test('a client that waits with a body over the limit gets 413 and no 100', async (t) => {
  const { url } = await start(t);
  const answer = await assertAnswer(
    await exchange(url, withLength('/read', LARGE, EXPECT)),
    413,
    /larger than/,
  );
  assert.equal(answer.header('Connection'), 'close');
});

test('a client that waits for a 100 gets only the answer if the body is not read', async (t) => {
  const { url } = await start(t);
  await assertAnswer(await exchange(url, withLength('/ignore', 9, EXPECT)), 200, 'ignored');
});

test('any other expectation is answered with 417', async (t) => {
  const { url } = await start(t);
  const answer = await assertAnswer(
    await exchange(url, withLength('/read', 9, 'Expect: foo\r\n')),
    417,
    /100-continue/,
  );
  assert.equal(answer.header('Connection'), 'close');
});

test('a client that disconnects in the middle of its body is a 400 for the chain, and the server continues', async (t) => {
  const outcome = Promise.withResolvers<unknown>();
  const server = await startServer(t, async (request) => {
    if (request.body === null) return text('alive');
    await readBody(request, LIMIT).then(outcome.resolve, outcome.reject);
    return text('read');
  });
  const connection = await connectRaw(server.url);
  await connection.write(withLength('/read', 5_000));
  await connection.write('the first part');
  connection.leave();
  await assert.rejects(outcome.promise, (error) => {
    assert(error instanceof HttpError);
    assert.equal(error.status, 400);
    assert.match(error.message, /connection ended before the whole form had arrived/);
    return true;
  });
  const received = await exchange(server.url, `GET / HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
  await assertAnswer(received, 200, 'alive');
  assert.deepEqual(server.reported, []);
});
