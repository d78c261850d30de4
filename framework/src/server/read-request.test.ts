import assert from 'node:assert/strict';
import test from 'node:test';
import { text } from '../http/response.ts';
import { exchange, readAnswers } from '../testing/raw-connection.ts';
import { startServer } from '../testing/start-server.ts';
import { parseProxies, TRUST_NO_PROXY, type Trust } from './forwarded.ts';

const CLOSE = 'Host: seeother.test\r\nConnection: close\r\n';

/** The scheme and address that the application sees. */
async function seen(t: test.TestContext, headers: string, trust?: Trust): Promise<string> {
  const { url } = await startServer(
    t,
    ({ scheme, address, path, method }) => text(`${method} ${path} ${scheme} ${address}`),
    trust === undefined ? {} : { trust },
  );
  const [answer] = readAnswers(await exchange(url, `GET /a HTTP/1.1\r\n${CLOSE}${headers}\r\n`));
  return answer?.body ?? '';
}

const FORWARDED = 'X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Proto: https\r\n';
const LOCAL_PROXY: Trust = { ...TRUST_NO_PROXY, isProxy: parseProxies('127.0.0.1, 10.0.0.0/8') };

test('proxy headers from untrusted clients are ignored', async (t) => {
  const others =
    'Forwarded: for=192.0.2.1;proto=https\r\nX-Forwarded-Host: evil.test\r\nX-Original-URL: /account\r\nX-Rewrite-URL: /account\r\nX-HTTP-Method-Override: POST\r\n';
  assert.equal(await seen(t, FORWARDED + others), 'GET /a http 127.0.0.1');
  const elsewhere = { ...TRUST_NO_PROXY, isProxy: parseProxies('10.0.0.0/8') };
  assert.equal(await seen(t, FORWARDED + others, elsewhere), 'GET /a http 127.0.0.1');
  assert.equal(await seen(t, others, LOCAL_PROXY), 'GET /a http 127.0.0.1');
});

test('a trusted proxy is believed', async (t) => {
  assert.equal(await seen(t, FORWARDED, LOCAL_PROXY), 'GET /a https 192.0.2.1');
});

test('the client is the last address that no trusted proxy has added', async (t) => {
  const chains = {
    '192.0.2.66, 192.0.2.1, 10.1.2.3': '192.0.2.1',
    '192.0.2.66,192.0.2.1': '192.0.2.1',
    '::ffff:192.0.2.1': '192.0.2.1',
    '2001:db8::1, 10.0.0.1': '2001:db8::1',
    '192.0.2.1:54321': '192.0.2.1',
    '192.0.2.1:54321, 10.1.2.3:80': '192.0.2.1',
    '[2001:db8::1]:54321': '2001:db8::1',
    '[2001:db8::1]': '2001:db8::1',
    '[::ffff:192.0.2.1]:80': '192.0.2.1',
  };
  for (const [chain, client] of Object.entries(chains)) {
    const headers = `X-Forwarded-For: ${chain}\r\n`;
    assert.equal(await seen(t, headers, LOCAL_PROXY), `GET /a http ${client}`, chain);
  }
});

test('an invalid address is replaced by the address of the proxy', async (t) => {
  for (const chain of [
    'unknown',
    '',
    '192.0.2.1:port',
    '[192.0.2.1]:80',
    '[2001:db8::1',
    '<script>',
    '192.0.2.1, unknown',
    '10.0.0.1',
  ]) {
    const headers = `X-Forwarded-For: ${chain}\r\n`;
    assert.equal(await seen(t, headers, LOCAL_PROXY), 'GET /a http 127.0.0.1', chain);
  }
});

test('the scheme is the one that the nearest proxy has seen, and http when it is another', async (t) => {
  const schemes = { 'http, https': 'https', 'https, http': 'http', HTTPS: 'https', ftp: 'http' };
  for (const [sent, scheme] of Object.entries(schemes)) {
    const headers = `X-Forwarded-Proto: ${sent}\r\n`;
    assert.equal(await seen(t, headers, LOCAL_PROXY), `GET /a ${scheme} 127.0.0.1`, sent);
  }
});

test('a scheme known from configuration is not for headers to change', async (t) => {
  const secure: Trust = { ...TRUST_NO_PROXY, scheme: 'https' };
  assert.equal(await seen(t, '', secure), 'GET /a https 127.0.0.1');
  const plain: Trust = { ...LOCAL_PROXY, scheme: 'http' };
  assert.equal(await seen(t, FORWARDED, plain), 'GET /a http 192.0.2.1');
});

test('proxies are listed as addresses and networks', () => {
  const isProxy = parseProxies(' 10.0.0.0/8, 192.0.2.7,2001:db8::/32 , ::1,');
  for (const address of ['10.255.0.1', '192.0.2.7', '2001:db8:1::1', '::1']) {
    assert.equal(isProxy(address), true, address);
  }
  for (const address of ['11.0.0.1', '192.0.2.8', '2001:db9::1', '::2', '', 'unknown']) {
    assert.equal(isProxy(address), false, address);
  }
  assert.equal(parseProxies('')('127.0.0.1'), false);
});

test('a list of proxies that cannot be read is refused with the entry that is wrong', () => {
  const entries = ['localhost', '10.0.0.0/33', '10.0.0/8', '::/129', '10.0.0.0/x', '10.0.0.0/-1'];
  for (const entry of [...entries, '10.0.0.0/', '10.0.0.0/8/8', '*']) {
    assert.throws(
      () => parseProxies(`127.0.0.1, ${entry}`),
      (error) => error instanceof TypeError && error.message.startsWith(JSON.stringify(entry)),
      entry,
    );
  }
});
