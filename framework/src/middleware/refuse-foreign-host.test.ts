import assert from 'node:assert/strict';
import test from 'node:test';
import type { Passed } from '../chain/context.ts';
import { HttpError } from '../http/http-error.ts';
import { type Response, text } from '../http/response.ts';
import { get } from '../testing/make-request.ts';
import { type HostOptions, refuseForeignHost } from './refuse-foreign-host.ts';

const PASSED = text('the handler ran') as Response as Passed;

function ask(
  host: string | undefined,
  options: HostOptions = {},
  scheme: 'http' | 'https' = 'http',
) {
  const request = get('/items', { scheme, headers: { host } });
  return refuseForeignHost(options)({ request, route: null }, () => PASSED);
}

function assertPasses(hosts: readonly string[], ...rest: [HostOptions?, ('http' | 'https')?]) {
  for (const host of hosts) assert.equal(ask(host, ...rest), PASSED, host);
}

function assertRefused(hosts: readonly string[], ...rest: [HostOptions?, ('http' | 'https')?]) {
  for (const host of hosts) {
    const isMisdirected = (error: unknown) => error instanceof HttpError && error.status === 421;
    assert.throws(() => ask(host, ...rest), isMisdirected, host);
  }
}

const SITE = { publicOrigin: 'https://things.example' };

test('with a public origin no other host is served, over http or https', () => {
  assertPasses(['things.example', 'THINGS.example', 'things.example:443', 'things.example:'], SITE);
  const foreign = [
    'evil.example',
    'things.example.evil.example',
    'www.things.example',
    'localhost',
  ];
  assertRefused([...foreign, '127.0.0.1:8000', 'things.example:80', 'things.example.'], SITE);
  assertRefused(foreign, SITE, 'https');
  const withPort = { publicOrigin: 'http://things.example:8080' };
  assertPasses(['things.example:8080', 'THINGS.example:8080'], withPort);
  assertRefused(['things.example', 'things.example:80'], withPort);
});

const ADDRESSES = ['127.0.0.1:8000', '10.0.0.7', '[::1]:8000', '[fe80::1]', '[::ffff:127.0.0.1]'];
const LOCAL = [
  'localhost',
  'localhost:8000',
  'localhost:',
  '[::1]:',
  'LocalHost',
  'things.localhost:8000',
];
const DNS = [
  ...['evil.example', 'evil.example:8000', '127.0.0.1.evil.example', '127.0.0.1.nip.io', 'a.local'],
  ...['localhost.evil.example', 'evil-localhost.example', 'notlocalhost.example', 'evil.example.'],
];

test('without a public origin, over http only names pass that an attacker cannot own', () => {
  assertPasses([...ADDRESSES, ...LOCAL]);
  assertRefused([...DNS, 'server', 'notlocalhost', 'localhost.']);
});

test('a server that listens beyond this machine accepts names without a dot', () => {
  for (const listensOn of ['0.0.0.0', '::', '10.0.0.7', 'server']) {
    assertPasses([...ADDRESSES, ...LOCAL, 'server', 'server:8000'], { listensOn });
    assertRefused([...DNS, 'localhost.'], { listensOn });
  }
  for (const listensOn of ['127.0.0.1', '127.0.0.53', '::1', 'localhost'])
    assertRefused(['server'], { listensOn });
});

test('over https any name passes, because the certificate proves it', () => {
  assertPasses(['things.example', 'things.example:8443'], {}, 'https');
});

test('a request without a host passes, because it is not from a browser', () => {
  assert.equal(ask(undefined), PASSED);
  assert.equal(ask(undefined, SITE), PASSED);
});

test('excepted routes accept any host, and other routes do not', () => {
  const middleware = refuseForeignHost({ ...SITE, except: ['/healthz'] });
  const request = get('/healthz', { headers: { host: '10.0.0.7:8001' } });
  const health = { request, route: { method: 'GET', pattern: '/healthz' } } as const;
  assert.equal(
    middleware(health, () => PASSED),
    PASSED,
  );
  const page = { request, route: { method: 'GET', pattern: '/items' } } as const;
  assert.throws(() => middleware(page, () => PASSED), HttpError);
});

test('a flood of refused requests is one line, and a line with the last one and the number', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const refused: [path: string, reason: string][] = [];
  const middleware = refuseForeignHost({
    onRefused: ({ path }, reason) => refused.push([path, reason]),
  });
  for (let count = 0; count < 1_000; count++) {
    const request = get(`/${count}`, { headers: { host: `${'x'.repeat(2_000)}.example` } });
    assert.throws(() => middleware({ request, route: null }, () => PASSED), HttpError);
  }
  assert.deepEqual(
    refused.map(([path]) => path),
    ['/0'],
  );
  t.mock.timers.tick(5_000);
  const [, [path, reason] = ['', ''], ...others] = refused;
  assert.deepEqual([path, others], ['/999', []]);
  assert.match(
    reason,
    /^999 more requests were refused\. The last: The request is for the host "x{100}…", and/,
  );
});

test('the log names the host, at most 100 characters of it, and the remedy', () => {
  assert.throws(() => ask('evil.example', SITE), {
    reason: /host "evil\.example", but this site is https:\/\/things\.example\..*Host header/,
  });
  assert.throws(() => ask('evil.example'), { reason: /Set publicOrigin \(PUBLIC_ORIGIN\)/ });
  assert.throws(
    () => ask(`${'x'.repeat(5_000)}.example`),
    ({ reason }: HttpError) => reason !== null && reason.length < 300,
  );
});

test('the page names the address of the site, if it is known, and no setting', () => {
  const message = 'This site can’t be opened at this address.';
  assert.throws(() => ask('evil.example', SITE), {
    message: `${message} Its address is https://things.example.`,
  });
  assert.throws(() => ask('evil.example'), { message });
});
