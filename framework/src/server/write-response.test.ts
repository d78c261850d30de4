import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { trustedHtml } from '../http/html.ts';
import { empty, page, type Response, text } from '../http/response.ts';
import { connectRaw, exchange, readAnswers } from '../testing/raw-connection.ts';
import { startServer } from '../testing/start-server.ts';

const CLOSE = 'Host: seeother.test\r\nConnection: close\r\n\r\n';

async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const one of texts) yield new TextEncoder().encode(one);
}

async function answerTo(t: test.TestContext, response: Response, method = 'GET') {
  const server = await startServer(t, () => response);
  const received = await exchange(server.url, `${method} / HTTP/1.1\r\n${CLOSE}`);
  const [answer, ...others] = readAnswers(received, [method]);
  assert.ok(answer !== undefined && others.length === 0, received);
  return answer;
}

test('the length counts bytes, not characters', async (t) => {
  const answer = await answerTo(t, page(trustedHtml('<p>Größe: 5 € 💡')));
  assert.equal(answer.status, 200);
  assert.equal(answer.header('Content-Type'), 'text/html; charset=utf-8');
  assert.equal(answer.header('Content-Length'), '22');
  assert.equal(Buffer.from(answer.body, 'latin1').toString(), '<p>Größe: 5 € 💡');
});

test('bytes are sent as they are', async (t) => {
  const body = Uint8Array.from({ length: 256 }, (_, index) => index);
  const answer = await answerTo(t, { ...empty(200), body });
  assert.equal(answer.header('Content-Length'), '256');
  assert.deepEqual(Buffer.from(answer.body, 'latin1'), Buffer.from(body));
});

test('an answer without a body says that its length is 0', async (t) => {
  const answer = await answerTo(t, { ...empty(303), headers: { Location: '/items' } });
  assert.equal(answer.header('Location'), '/items');
  assert.equal(answer.header('Content-Length'), '0');
});

test('every answer has a date', async (t) => {
  const answer = await answerTo(t, text('now'));
  assert.match(answer.header('Date') ?? '', /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} .* GMT$/);
});

test('HEAD gets the headers of GET and no body', async (t) => {
  const response = { ...text('Größe'), headers: { 'Set-Cookie': ['a=1', 'b=2'], ETag: '"x"' } };
  const [head, whole] = [await answerTo(t, response, 'HEAD'), await answerTo(t, response, 'GET')];
  const withoutDate = (answer: typeof head) => answer.headers.filter(([name]) => name !== 'Date');
  assert.deepEqual(withoutDate(head), withoutDate(whole));
  assert.equal(head.header('Content-Length'), '7');
  assert.equal(head.body, '');
});

test('HEAD of a stream does not begin the stream', async (t) => {
  let begun = false;
  async function* body() {
    begun = true;
    yield new Uint8Array(1);
  }
  const answer = await answerTo(t, { ...empty(200), body: body() }, 'HEAD');
  assert.equal(answer.status, 200);
  assert.equal(begun, false);
});

/** An endless stream. A generator that was never started would not tell that it is closed. */
function endlessStream() {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const stream: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => stream,
    next: async () => ({ done: false, value: new Uint8Array(1) }),
    async return() {
      resolve();
      return { done: true, value: undefined };
    },
  };
  return { stream, closed };
}

test('the stream of an answer without a body is closed', { timeout: 10_000 }, async (t) => {
  for (const [status, method] of [
    [200, 'HEAD'],
    [304, 'GET'],
  ] as const) {
    const { stream, closed } = endlessStream();
    await answerTo(t, { ...empty(status), body: stream }, method);
    await closed;
  }
});

test('the stream of an answer whose client has left is closed', { timeout: 10_000 }, async (t) => {
  const { stream, closed } = endlessStream();
  const arrived = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Response>();
  const server = await startServer(t, () => {
    arrived.resolve();
    return answer.promise;
  });
  const client = await connectRaw(server.url);
  await client.write(`GET / HTTP/1.1\r\n${CLOSE}`);
  await arrived.promise;
  client.leave();
  // The server notices it meanwhile; otherwise it notices it while it reads the stream.
  await setTimeout(100);
  answer.resolve({ ...empty(200), body: stream });
  await closed;
});

test('204 and 304 have neither body nor length, whatever the response contains', async (t) => {
  for (const status of [204, 304]) {
    for (const body of [null, 'ignored', new Uint8Array(3), chunks('ignored')]) {
      const answer = await answerTo(t, { status, headers: { ETag: '"x"' }, body });
      assert.equal(answer.status, status);
      assert.equal(answer.header('ETag'), '"x"');
      assert.equal(answer.header('Content-Length'), null);
      assert.equal(answer.header('Transfer-Encoding'), null);
    }
  }
});

test('each cookie has its own header line', async (t) => {
  const cookies = ['a=1; Path=/', 'b=2; Path=/', 'c=3; Path=/'];
  const answer = await answerTo(t, { ...empty(200), headers: { 'Set-Cookie': cookies } });
  const lines = answer.headers.filter(([name]) => name === 'Set-Cookie');
  assert.deepEqual(
    lines.map(([, value]) => value),
    cookies,
  );
});

test('responses that share their headers each say their own length', async (t) => {
  const headers = Object.freeze({ 'Content-Type': 'text/plain' });
  const responses: Readonly<Record<string, Response>> = {
    '/short': { status: 200, headers, body: '12345' },
    '/none': { status: 204, headers, body: null },
    '/long': { status: 200, headers, body: 'Größe 67890' },
    '/bytes': { status: 200, headers, body: Buffer.from('bytes') },
    '/stream': { status: 200, headers, body: chunks('a stream') },
    '/empty': { status: 404, headers, body: '' },
    '/last': { status: 200, headers, body: 'last' },
  };
  const paths = [...Object.keys(responses), '/short', '/last'];
  const server = await startServer(t, ({ path }) => responses[path] ?? empty(500));
  const sent = paths.map((path, index) => {
    const end = index === paths.length - 1 ? CLOSE : 'Host: seeother.test\r\n\r\n';
    return `GET ${path} HTTP/1.1\r\n${end}`;
  });
  const answers = readAnswers(await exchange(server.url, sent.join('')));
  assert.deepEqual(
    answers.map(({ header, body }) => `${header('Content-Length')} ${body.length}`),
    ['5 5', 'null 0', '13 13', '5 5', 'null 8', '0 0', '4 4', '5 5', '4 4'],
  );
  assert.deepEqual(
    answers.map(({ header }) => header('Connection')),
    [...paths.slice(1).map(() => 'keep-alive'), 'close'],
  );
});

test('a list of values inside frozen headers may change from one answer to the next', async (t) => {
  const cookies = ['a=1'];
  const headers = Object.freeze({ 'Set-Cookie': cookies });
  const server = await startServer(t, () => ({ status: 200, headers, body: 'x' }));
  const cookiesOfNext = async () => {
    const [answer] = readAnswers(await exchange(server.url, `GET / HTTP/1.1\r\n${CLOSE}`));
    return answer?.header('Set-Cookie');
  };
  assert.equal(await cookiesOfNext(), 'a=1');
  cookies.push('b=2');
  assert.equal(await cookiesOfNext(), 'a=1 | b=2');
});

test('a stream is sent in chunks', async (t) => {
  const answer = await answerTo(t, { ...empty(200), body: chunks('one ', 'two ', 'dreißig') });
  assert.equal(answer.header('Transfer-Encoding'), 'chunked');
  assert.equal(answer.header('Content-Length'), null);
  assert.equal(Buffer.from(answer.body, 'latin1').toString(), 'one two dreißig');
});

test('a stream that is larger than every buffer arrives completely', async (t) => {
  const part = 'x'.repeat(100_000);
  const body = chunks(...Array.from({ length: 50 }, () => part));
  const answer = await answerTo(t, { ...empty(200), body });
  assert.equal(answer.body.length, 5_000_000);
});

test('a stream that fails halfway is truncated and does not look complete', async (t) => {
  const gate = Promise.withResolvers<void>();
  async function* body() {
    yield new TextEncoder().encode('the first half');
    await gate.promise;
    throw new Error('the disk is gone');
  }
  const server = await startServer(t, () => ({ ...empty(200), body: body() }));
  const connection = await connectRaw(server.url);
  await connection.write(`GET / HTTP/1.1\r\n${CLOSE}`);
  const begun = await connection.until('the first half');
  gate.resolve();
  const received = await connection.untilEnd().catch(() => begun);
  assert.throws(() => readAnswers(received), /truncated/);
  assert.match(String(server.reported[0]), /the disk is gone/);
});

test('a stream is closed when the client disconnects', async (t) => {
  const closed = Promise.withResolvers<void>();
  async function* body() {
    try {
      for (;;) yield new Uint8Array(65_536);
    } finally {
      closed.resolve();
    }
  }
  const server = await startServer(t, () => ({ ...empty(200), body: body() }));
  const connection = await connectRaw(server.url);
  await connection.write(`GET / HTTP/1.1\r\n${CLOSE}`);
  await connection.until('\r\n\r\n');
  connection.leave();
  await closed.promise;
  assert.deepEqual(server.reported, []);
});
