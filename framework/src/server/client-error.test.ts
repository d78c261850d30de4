import assert from 'node:assert/strict';
import test from 'node:test';
import { readBody } from '../http/body.ts';
import { empty, text } from '../http/response.ts';
import {
  bodiesOf,
  connectRaw,
  exchange,
  readAnswers,
  statusesOf,
} from '../testing/raw-connection.ts';
import { startServer } from '../testing/start-server.ts';

const HOST = 'Host: seeother.test\r\n';
const CLOSE = `${HOST}Connection: close\r\n`;

/** Sends what is no HTTP; gives the only answer, after which the connection has ended. */
async function refusalOf(t: test.TestContext, sent: string) {
  const paths: string[] = [];
  const { url } = await startServer(t, async (request) => {
    paths.push(request.path);
    await readBody(request, 100_000);
    return text('processed');
  });
  const [answer, ...others] = readAnswers(await exchange(url, sent));
  assert.ok(answer !== undefined && others.length === 0);
  assert.equal(answer.header('Connection'), 'close');
  assert.ok(!paths.includes('/smuggled'));

  const [alive] = readAnswers(await exchange(url, `GET /alive HTTP/1.1\r\n${CLOSE}\r\n`));
  assert.equal(alive?.status, 200);
  return answer;
}

test('an invalid request line is answered with 400, and the connection is closed', async (t) => {
  const lines = [
    ...['GET / HTTP/x', 'GET / HTTP/11.1', 'GET / HTTP/3', 'GET / HTTPS/1.1', 'GET / http/1.1'],
    ...['GET /a b HTTP/1.1', 'GET / HTTP/1.1 ', 'GET', 'BREW', 'BREW /', 'BREW / HTTP/x', '\\'],
    ...[
      'GET\t/ HTTP/1.1',
      ' GET / HTTP/1.1',
      'GET/ HTTP/1.1',
      'G{T / HTTP/1.1',
      'BREW\t/ HTTP/1.1',
    ],
  ];
  for (const line of lines) {
    const answer = await refusalOf(t, `${line}\r\n${HOST}\r\n`);
    assert.equal(answer.status, 400, line);
    assert.equal(answer.body, 'The request is not valid HTTP and was not processed.\n');
    assert.equal(answer.header('Content-Type'), 'text/plain; charset=utf-8');
    assert.equal(answer.header('Cache-Control'), 'no-store');
    assert.equal(answer.header('X-Content-Type-Options'), 'nosniff');
  }
});

test('an unknown method is answered with 501', async (t) => {
  for (const method of ['BREW', 'get', 'GETT', 'PLAY']) {
    assert.equal((await refusalOf(t, `${method} / HTTP/1.1\r\n${HOST}\r\n`)).status, 501, method);
  }
});

test('CONNECT is answered with 501, after the answers to earlier requests', async (t) => {
  const host = 'Host: seeother.test:443\r\n';
  const sent = [
    `CONNECT seeother.test:443 HTTP/1.1\r\n${host}\r\n`,
    `CONNECT seeother.test:443 HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nhe`,
    `CONNECT / HTTP/1.1\r\n${host}\r\n`,
  ];
  for (const one of sent) assert.equal((await refusalOf(t, one)).status, 501, one);

  const { url } = await startServer(t, () => text('processed'));
  const good = `GET / HTTP/1.1\r\n${HOST}\r\n`;
  assert.deepEqual(statusesOf(await exchange(url, `${good}${good}${sent[0]}`)), [200, 200, 501]);
  const reset = await connectRaw(url);
  await reset.write(`${good}${sent[1]}`);
  reset.leave();
  assert.equal((await fetch(url)).status, 200);
});

test('the status for a pipelined request depends on its own request line', async (t) => {
  const { url } = await startServer(t, () => text('processed'));
  const good = `GET / HTTP/1.1\r\n${HOST}\r\n`;
  for (const [line, status] of Object.entries({ 'BREW / HTTP/1.1': 501, 'GET\t/ HTTP/1.1': 400 })) {
    const received = await exchange(url, `${good}${line}\r\n${HOST}\r\n`);
    assert.deepEqual(statusesOf(received), [200, status]);
  }
});

test('a version of HTTP other than 1.0 and 1.1 is answered with 505', async (t) => {
  const lines = ['GET / HTTP/9.9', 'GET / HTTP/1.2', 'BREW / HTTP/2.0'];
  const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
  for (const sent of [...lines.map((line) => `${line}\r\n${HOST}\r\n`), preface])
    assert.equal((await refusalOf(t, sent)).status, 505, sent);
});

test('bytes that are not HTTP are answered with 400, and the connection is closed', async (t) => {
  const hello = '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03';
  const long = 'A'.repeat(100_000);
  for (const bytes of [
    hello,
    '\0\0\0\0\r\n\r\n',
    '{"a":1}\r\n\r\n',
    '   \r\n\r\n',
    long,
    `${long} / HTTP/1.1`,
  ])
    assert.equal((await refusalOf(t, bytes)).status, 400, bytes.slice(0, 20));
});

test('headers that break the grammar are answered with 400', async (t) => {
  const lines = ['Name : value', ': value', 'no colon', 'N\0ame: value', 'Name: a\0b', 'X: a\x01b'];
  for (const line of lines) {
    const answer = await refusalOf(t, `GET / HTTP/1.1\r\n${HOST}${line}\r\n\r\n`);
    assert.equal(answer.status, 400, JSON.stringify(line));
  }
});

test('headers of more than 16 KiB are answered with 431', async (t) => {
  const long = `X-Long: ${'x'.repeat(20_000)}\r\n`;
  const many = Array.from({ length: 2_500 }, (_, index) => `X-${index}: 1\r\n`).join('');
  for (const headers of [long, many]) {
    const answer = await refusalOf(t, `GET / HTTP/1.1\r\n${HOST}${headers}\r\n`);
    assert.equal(answer.status, 431);
  }
});

test('an address of 8000 bytes is served, one beyond the limit of the headers is refused', async (t) => {
  const { url } = await startServer(t, (request) => text(String(request.path.length)));
  const path = `/${'a'.repeat(7_999)}`;
  const [served] = readAnswers(await exchange(url, `GET ${path} HTTP/1.1\r\n${CLOSE}\r\n`));
  assert.equal(served?.body, '8000');
  const refused = await refusalOf(t, `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`);
  assert.equal(refused.status, 431);
});

const SMUGGLED = `GET /smuggled HTTP/1.1\r\n${HOST}\r\n`;

test('two framings of one body are refused, and nothing after them is a request', async (t) => {
  const heads = [
    'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n',
    'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n',
    'Content-Length: 4\r\nContent-Length: 5\r\n',
    'Content-Length: 4\r\nContent-Length: 4\r\n',
    'Content-Length: 4, 5\r\n',
    'Transfer-Encoding: chunked, identity\r\n',
  ];
  for (const head of heads) {
    const sent = `POST / HTTP/1.1\r\n${HOST}${head}\r\n0\r\n\r\n${SMUGGLED}`;
    assert.equal((await refusalOf(t, sent)).status, 400, head);
  }
});

test('a length that is not a plain number is refused', async (t) => {
  for (const length of ['+5', '-1', '0x5', '5_0', '1 0', 'abc', '', '18446744073709551616']) {
    const sent = `POST / HTTP/1.1\r\n${HOST}Content-Length: ${length}\r\n\r\nhello${SMUGGLED}`;
    assert.equal((await refusalOf(t, sent)).status, 400, length);
  }
});

test('chunks that break the grammar are refused in the middle of the body', async (t) => {
  const bodies = [
    'zz\r\n',
    '+5\r\nhello\r\n',
    '5\r\nhelloX',
    '0x5\r\nhello\r\n',
    '5 5\r\nhello\r\n',
  ];
  for (const body of bodies) {
    const sent = `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n${body}${SMUGGLED}`;
    assert.equal((await refusalOf(t, sent)).status, 400, JSON.stringify(body));
  }
});

test('chunk extensions beyond a bound are answered with 413', async (t) => {
  const body = `1;${'x'.repeat(65_536)}\r\na\r\n`;
  const sent = `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n${body}`;
  assert.equal((await refusalOf(t, sent)).status, 413);
});

test('a bad request is refused after the answer to the previous request, even a late one', async (t) => {
  const { url } = await startServer(t, async (request) => {
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    return text(request.path);
  });
  const received = await exchange(
    url,
    `GET /good HTTP/1.1\r\n${HOST}\r\nGET / HTTP/x\r\n\r\nGET /after HTTP/1.1\r\n${HOST}\r\n`,
  );
  assert.deepEqual(statusesOf(received), [200, 400]);
  assert.equal(bodiesOf(received)[0], '/good');
});

test('a bad request does not interrupt an answer that has begun', async (t) => {
  const gate = Promise.withResolvers<void>();
  async function* body() {
    yield new TextEncoder().encode('the first half, ');
    await gate.promise;
    yield new TextEncoder().encode('the second half');
  }
  const { url } = await startServer(t, () => ({ ...empty(200), body: body() }));
  const connection = await connectRaw(url);
  await connection.write(`GET / HTTP/1.1\r\n${HOST}\r\n`);
  await connection.until('the first half');
  await connection.write('GET / HTTP/x\r\n\r\n');
  await exchange(url, 'not HTTP\r\n\r\n');
  gate.resolve();
  const [answer, refusal] = readAnswers(await connection.untilEnd());
  assert.equal(answer?.body, 'the first half, the second half');
  assert.equal(refusal?.status, 400);
});

test('an invalid body after an unfinished answer closes the connection without a second answer', async (t) => {
  const server = await startServer(t, async (request) => {
    if (request.method === 'GET') return new Promise(() => {});
    await readBody(request, 100);
    return text('processed');
  });
  const received = await exchange(
    server.url,
    `GET / HTTP/1.1\r\n${HOST}\r\nPOST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  ).catch(() => '');
  assert.equal(received, '');
});

test('a client that resets its connection is not answered, and the server continues', async (t) => {
  const { url } = await startServer(t, (request) => text(request.path));
  const connection = await connectRaw(url);
  await connection.write('GET / HTTP/1.1\r\nHo');
  connection.leave();
  const [alive] = readAnswers(await exchange(url, `GET /alive HTTP/1.1\r\n${CLOSE}\r\n`));
  assert.equal(alive?.body, '/alive');
});
