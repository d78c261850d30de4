import assert from 'node:assert/strict';
import test from 'node:test';
import { text } from '../http/response.ts';
import { exchange, readAnswers } from '../testing/raw-connection.ts';
import { startServer } from '../testing/start-server.ts';
import { TRUST_NO_PROXY } from './forwarded.ts';

const HOST = 'Host: seeother.test\r\n';
const CLOSE = `${HOST}Connection: close\r\n`;
const SMUGGLED = `GET /smuggled HTTP/1.1\r\n${HOST}\r\n`;

/** Status and body of the only answer. What is refused never reaches the application. */
async function answerTo(t: test.TestContext, sent: string, scheme: 'http' | 'https' = 'http') {
  const paths: string[] = [];
  const { url } = await startServer(
    t,
    (request) => {
      paths.push(request.path);
      return text('served');
    },
    { trust: { ...TRUST_NO_PROXY, scheme } },
  );
  const [answer, ...others] = readAnswers(await exchange(url, sent));
  assert.ok(answer !== undefined && others.length === 0);
  assert.equal(answer.header('Connection'), 'close');
  if (answer.status === 200) return 200;
  assert.deepEqual(paths, []);
  assert.equal(answer.header('Content-Type'), 'text/plain; charset=utf-8');
  assert.equal(answer.header('X-Content-Type-Options'), 'nosniff');
  return `${answer.status} ${answer.body}`;
}

const END = 'Connection: close\r\n\r\n';

test('a request without a host is answered with 400', async (t) => {
  assert.match(String(await answerTo(t, 'GET / HTTP/1.1\r\n\r\n')), /^400 .*no Host/);
});

test('two Host lines are answered with 400, also when they agree', async (t) => {
  for (const second of ['Host: seeother.test', 'host: evil.test', 'HOST: seeother.test']) {
    const sent = `GET / HTTP/1.1\r\nHost: seeother.test\r\n${second}\r\n${END}`;
    assert.match(String(await answerTo(t, sent)), /^400 .*Host header is repeated/, second);
  }
});

test('a Host that is not a host and a port is answered with 400', async (t) => {
  const values = ['', 'evil.test:x@h', 'a,b', 'h/x', 'h?x', 'h#x', 'user@h', 'a b', ':'];
  for (const value of [...values, 'h:123456', '[::1', '\u00e9', 'http://h']) {
    const sent = `GET / HTTP/1.1\r\nHost: ${value}\r\n${END}`;
    assert.match(String(await answerTo(t, sent)), /^400 .*not a valid host/, value);
  }
});

test('a name, a port, which may be empty, and an IPv6 address are hosts', async (t) => {
  for (const value of [
    'h',
    'things.example:8000',
    '127.0.0.1:1',
    '[::1]:8000',
    'my_host-1',
    'h:',
    '[::1]:',
  ]) {
    assert.equal(await answerTo(t, `GET / HTTP/1.1\r\nHost: ${value}\r\n${END}`), 200, value);
  }
});

test('HTTP/1.0 needs no host', async (t) => {
  assert.equal(await answerTo(t, 'GET / HTTP/1.0\r\n\r\n'), 200);
});

test('HTTP/2.0 and HTTP/0.9 are answered with 505', async (t) => {
  for (const version of [' HTTP/2.0', ' HTTP/0.9', '']) {
    const sent = `GET /${version}\r\n${HOST}\r\n${SMUGGLED}`;
    assert.match(String(await answerTo(t, sent)), /^505 /, version);
  }
});

test('a Content-Length with leading zeros is answered with 400', async (t) => {
  for (const length of ['005', '00', '0000000000000005']) {
    const sent = `POST / HTTP/1.1\r\n${HOST}Content-Length: ${length}\r\n\r\nhello${SMUGGLED}`;
    assert.match(String(await answerTo(t, sent)), /^400 .*leading zeros/, length);
  }
  const zero = `POST / HTTP/1.1\r\n${CLOSE}Content-Length: 0\r\n\r\n`;
  assert.equal(await answerTo(t, zero), 200);
});

test('a transfer coding other than chunked is answered with 501', async (t) => {
  for (const coding of ['gzip, chunked', 'deflate,Chunked', 'gzip\r\nTransfer-Encoding: chunked']) {
    const sent = `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n${SMUGGLED}`;
    assert.match(String(await answerTo(t, sent)), /^501 .*chunked/, coding);
  }
});

test('a transfer coding that does not say where the body ends is answered with 400', async (t) => {
  const codings = ['gzip', 'xchunked', 'chunked;q=1', ',chunked', 'chunked, identity', '"chunked"'];
  for (const coding of codings) {
    const sent = `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n${SMUGGLED}`;
    assert.match(String(await answerTo(t, sent)), /^400 /, coding);
  }
  const old = `POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`;
  assert.match(String(await answerTo(t, old)), /^400 /);
  const mixed = `POST / HTTP/1.1\r\n${CLOSE}Transfer-Encoding: ChuNked\r\n\r\n0\r\n\r\n`;
  assert.equal(await answerTo(t, mixed), 200);
});

test('two Content-Type lines are answered with 400, also when they agree', async (t) => {
  for (const second of ['text/plain', 'application/x-www-form-urlencoded']) {
    const types = `Content-Type: application/x-www-form-urlencoded\r\ncontent-type: ${second}\r\n`;
    const sent = `POST / HTTP/1.1\r\n${HOST}${types}Content-Length: 1\r\n\r\na`;
    assert.match(String(await answerTo(t, sent)), /^400 .*Content-Type header is repeated/, second);
  }
});

test('an address with another scheme than that of the request is answered with 421', async (t) => {
  const absolute = (scheme: string) => `GET ${scheme}://seeother.test/ HTTP/1.1\r\n${CLOSE}\r\n`;
  for (const scheme of ['https', 'HTTPS']) {
    assert.match(String(await answerTo(t, absolute(scheme))), /^421 /);
    assert.equal(await answerTo(t, absolute(scheme), 'https'), 200);
  }
  assert.match(String(await answerTo(t, absolute('http'), 'https')), /^421 /);
  assert.equal(await answerTo(t, absolute('http')), 200);
});
