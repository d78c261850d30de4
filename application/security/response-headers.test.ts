/** Section G of docs/hostile.md: the headers of every response. */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { bodyText } from 'seeother/testing';
import { headerOf } from '../testing/create-test-application.ts';
import { ask, EVERYWHERE, OF_PASSKEYS, type Site, send, startSite } from './probe.ts';
import { sampleAnswers } from './sample-answers.ts';

let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.stop());

/** The server itself answers invalid HTTP, with the policy of the framework. */
const BY_SERVER = {
  ...EVERYWHERE,
  'Content-Security-Policy': EVERYWHERE['Content-Security-Policy']?.replace(
    / script-src [^;]*; connect-src 'self';/,
    '',
  ),
};
/** The Cache-Control of the responses that may be cached. No other response may be. */
const CACHING: Readonly<Record<string, string>> = {
  'a file': 'no-cache',
  'a file not modified': 'no-cache',
  'a page': 'private, no-cache',
  'a page not modified': 'private, no-cache',
  // The cookie may be of another site on this host: it is left alone.
  'a stale cookie': 'private, no-cache',
  // Stored for Back: otherwise the typed text would be lost.
  'the form of an item': 'private, no-cache',
  'an invalid form': 'private, no-cache',
  HEAD: 'private, no-cache',
};
const HSTS = 'Strict-Transport-Security';

test('G1: every response has all security headers, whatever its status', async (t) => {
  for (const scheme of ['http', 'https'] as const) {
    for (const { name, status, answer } of await sampleAnswers(t, scheme)) {
      assert.equal(answer.status, status, name);
      assert.deepEqual({ ...answer.headers, ...EVERYWHERE }, answer.headers, name);
      assert.equal(answer.headers['Cache-Control'], CACHING[name] ?? 'no-store', name);
    }
  }
  // In the bytes sent, each header is there once, also in responses to invalid HTTP.
  const refused = [
    await ask(site.url, '/items new'),
    await ask(site.url, '/items', {}, 'BREW'),
    await ask(site.url, '/items', { Expect: 'x' }),
    await ask(site.url, '/items', { Long: 'x'.repeat(20_000) }),
  ];
  const paths = ['/', '/items', '/nothing', '/%ff', '/styles.css'];
  const answered = await Promise.all(paths.map((path) => ask(site.url, path)));
  for (const [expected, answers] of [
    [BY_SERVER, refused],
    [EVERYWHERE, answered],
  ] as const) {
    for (const answer of answers) {
      for (const [header, value] of Object.entries(expected))
        assert.equal(
          answer.header(header)?.replace(OF_PASSKEYS, ''),
          value,
          `${answer.status}: ${header}`,
        );
    }
  }
});

test('G2: no page has an inline style, script or event handler', async (t) => {
  const inline =
    /<style|<script(?! type="module" src=)|<[^>]*\s(?:style|on[a-z]+)\s*=|javascript:|<(?:iframe|object|embed|base)\b/i;
  for (const { name, answer } of await sampleAnswers(t)) {
    if (headerOf(answer, 'Content-Type') !== 'text/html; charset=utf-8') continue;
    assert.doesNotMatch(bodyText(answer), inline, name);
    const loaded = [...bodyText(answer).matchAll(/<link\b[^>]*href="([^"]*)"|\ssrc="([^"]*)"/g)];
    const files = loaded.map(([, href, src = '']) => href ?? src);
    // The script of forms is in each form.
    assert.deepEqual(
      files.filter((file) => !/^\/form-[\da-f]{16}\.js$/.test(file)),
      ['/icon.svg', '/styles.css', '/seeother.js'],
      name,
    );
  }
});

/**
 * Points that MDN's HTTP Observatory 1.6.3 adds to the base of 100 for the headers of a page over
 * TLS.
 */
const BONUSES: readonly (readonly [points: number, header: string, earned: RegExp])[] = [
  [10, 'Content-Security-Policy', /^default-src 'none';(?!.*(?:unsafe|\*|data:|https?:))/],
  [
    5,
    'Referrer-Policy',
    /^(?:no-referrer|same-origin|strict-origin|strict-origin-when-cross-origin)$/,
  ],
  [5, 'Content-Security-Policy', /frame-ancestors 'none'/],
  [10, 'Cross-Origin-Resource-Policy', /^same-(?:origin|site)$/],
  [10, 'Cross-Origin-Embedder-Policy', /^require-corp$/],
  [10, 'Cross-Origin-Opener-Policy', /^same-origin$/],
];
/**
 * Headers for which it deducts points when they are missing. With any deduction, no bonus counts.
 */
const DUTIES: readonly (readonly [header: string, wanted: RegExp])[] = [
  [HSTS, /^max-age=(?:1576[89]\d{4}|157[7-9]\d{5}|15[89]\d{6}|1[6-9]\d{7}|[2-9]\d{7,})\b/],
  ['X-Content-Type-Options', /^nosniff$/],
  ['Access-Control-Allow-Origin', /^$/],
];

test('G3: the page that a scanner sees over TLS scores 150 points, 155 with the cookie', async (t) => {
  const samples = await sampleAnswers(t, 'https');
  const seen = ['a page', 'a log-in'].map(
    (kind) => samples.find(({ name }) => name === kind)?.answer ?? assert.fail(kind),
  );
  const scores = seen.map((answer) => {
    for (const [header, wanted] of DUTIES) assert.match(headerOf(answer, header) ?? '', wanted);
    const earned = BONUSES.filter(([, header, one]) => one.test(headerOf(answer, header) ?? ''));
    const cookies = [answer.headers['Set-Cookie'] ?? []].flat();
    const good = /^__Host-[^;]*; Path=\/; Max-Age=\d+; HttpOnly; Secure; SameSite=(?:Lax|Strict)$/;
    const isGood = cookies.length > 0 && cookies.every((cookie) => good.test(cookie));
    return earned.reduce((sum, [points]) => sum + points, 100) + (isGood ? 5 : 0);
  });
  assert.deepEqual(scores, [150, 155]);
});

test('G4: Strict-Transport-Security is sent over TLS, and only there', async (t) => {
  for (const { name, answer } of await sampleAnswers(t)) {
    assert.equal(headerOf(answer, HSTS), undefined, name);
  }
  for (const { name, answer } of await sampleAnswers(t, 'https')) {
    assert.equal(headerOf(answer, HSTS), 'max-age=63072000; includeSubDomains', name);
  }
  // A client cannot claim that it uses TLS; a trusted proxy can.
  const https = { 'X-Forwarded-Proto': 'https', Forwarded: 'proto=https' };
  assert.equal((await ask(site.url, '/items', https)).header(HSTS), null);
});

test('G5: every body has a media type, and text a charset', async (t) => {
  for (const { name, answer } of await sampleAnswers(t)) {
    const type = headerOf(answer, 'Content-Type');
    const hasBody = answer.body !== null && answer.body !== '';
    assert.equal(type !== undefined, hasBody, name);
    if (type === undefined) continue;
    const isPage = typeof answer.body === 'string' && answer.body.startsWith('<!doctype html>');
    const plain = name === 'a file' ? 'text/css' : 'text/plain';
    assert.equal(type, `${isPage ? 'text/html' : plain}; charset=utf-8`, name);
  }
  // Also in responses of the server itself, before the application.
  for (const [target, method] of [
    ['/items', 'BREW'],
    ['/items new', 'GET'],
    ['http://', 'GET'],
  ] as const) {
    const answer = await ask(site.url, target, {}, method);
    assert.ok(answer.status >= 400 && answer.body !== '', target);
    assert.match(
      answer.header('Content-Type') ?? '',
      /^text\/(?:plain|html); charset=utf-8$/,
      target,
    );
    assert.equal(answer.header('X-Content-Type-Options'), 'nosniff', target);
  }
});

const TELLING =
  /\bnode(?:\.?js)?\b|sqlite|kysely|typescript|\bv?\d+\.\d+\.\d+\b|\bat .+:\d+:\d+|\.ts\b|\/src\//i;

test('G6: no header or error reveals the software of the server', async (t) => {
  for (const { name, status, answer } of await sampleAnswers(t)) {
    for (const header of ['Server', 'X-Powered-By', 'Via', 'X-Runtime', 'Server-Timing'])
      assert.equal(headerOf(answer, header), undefined, name);
    const values = Object.values(answer.headers).flat().join('\n');
    assert.doesNotMatch(values, TELLING, name);
    if (status >= 400) assert.doesNotMatch(bodyText(answer), TELLING, name);
    // A digest of the content, without an inode or a time.
    assert.match(
      headerOf(answer, 'ETag') ?? '"0123456789abcdefghijkl"',
      /^(W\/)?"[\w-]{22}"$/,
      name,
    );
  }
  const wire = [
    await ask(site.url, '/items'),
    await ask(site.url, '/nothing'),
    await ask(site.url, '/items new'),
    await ask(site.url, '/items', {}, 'BREW'),
    await ask(site.url, '/items', { Expect: 'x' }),
    await send(site.url, '/items', 'x', { 'Sec-Fetch-Site': 'cross-site' }),
  ];
  for (const { status, headers, body } of wire) {
    const names = headers.map(([name]) => name).join();
    assert.doesNotMatch(names, /server|powered|via|runtime/i, String(status));
    assert.doesNotMatch(headers.flat().join('\n'), TELLING, String(status));
    if (status >= 400) assert.doesNotMatch(body, TELLING, String(status));
  }
});

test('G7: no page is compressed that has a secret, or text from its address', async () => {
  const headers = { 'Accept-Encoding': 'gzip, deflate, br, zstd', TE: 'gzip', Connection: 'close' };
  const member = { ...headers, Cookie: site.cookie };
  const paths = ['/', '/items?q=guess', '/items/new', '/login', '/account', '/healthz', '/nothing'];
  for (const path of paths) {
    for (const asked of [headers, member]) {
      const answer = await ask(site.url, path, asked);
      assert.equal(answer.header('Content-Encoding'), null, path);
      assert.equal(answer.header('Transfer-Encoding'), null, path);
      assert.equal(Number(answer.header('Content-Length') ?? 0), answer.body.length, path);
    }
  }
  for (const path of ['/items', '/items/1']) {
    const answer = await ask(site.url, path, member);
    assert.equal(answer.header('Content-Encoding'), 'br', path);
    assert.match(answer.header('Vary') ?? '', /Accept-Encoding$/, path);
    assert.equal(Number(answer.header('Content-Length')), answer.body.length, path);
  }
  // A static file is the same for all users.
  const file = await ask(site.url, '/styles.css', member);
  assert.equal(file.header('Content-Encoding'), 'br');
  assert.equal(file.header('Vary'), 'Accept-Encoding');
});
