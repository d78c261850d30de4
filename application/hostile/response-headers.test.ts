/** Rows G of docs/hostile.md: the headers of every answer. */
import assert from 'node:assert/strict';
import test, { after, before, type TestContext } from 'node:test';
import type { Request, Response } from 'seeother';
import { bodyText, createVisitor, get, type RequestInit, request } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
} from '../testing/create-test-application.ts';
import { ask, type Site, send, startSite } from './probe.ts';

let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.stop());

/** Written out, so that a change of any letter is seen here. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};
const HSTS = 'Strict-Transport-Security';

interface Sample {
  readonly name: string;
  readonly status: number;
  readonly answer: Response;
}

/** An answer of each kind; decisions.md has 400 where the list of rows has 422. */
async function sampleAnswers(t: TestContext, init: RequestInit = {}): Promise<readonly Sample[]> {
  const application = await createTestApplication(t);
  const failing = await createTestApplication(t, {
    replace: ({ items }) => ({
      items: { ...items, list: () => Promise.reject(new Error('away')) },
    }),
  });
  const member = await createMember(application);
  const secure = createVisitor(application);
  const account = { username: 'ada', password: PASSWORD };
  const session = await secure.post('/login', account, { scheme: 'https' });
  const sid = init.scheme === 'https' ? secure.cookie('__Host-sid') : member.cookie('sid');
  const cookie = `${init.scheme === 'https' ? '__Host-' : ''}sid=${sid}`;
  assert.equal(session.status, 303);
  const ask = (target: string, headers: Request['headers'] = {}) =>
    application.handle(get(target, { ...init, headers }));
  const send = (target: string, body: string, headers: Request['headers'] = {}) =>
    application.handle(request('POST', target, Buffer.from(body), { ...init, headers }));
  const etag = headerOf(await ask('/styles.css'), 'ETag');
  const list: readonly (readonly [string, number, Response | Promise<Response>])[] = [
    ['the start', 303, ask('/')],
    ['a page', 200, ask('/items')],
    ["a member's page", 200, ask('/items/new', { cookie })],
    ['a guard', 303, ask('/items/new')],
    ['a stale cookie', 200, ask('/items', { cookie: cookie.replace(/sid=./, 'sid=_') })],
    ['a created item', 303, send('/items', 'name=Drill', { cookie })],
    ['a log-in', 303, send('/login', new URLSearchParams(account).toString())],
    ['an invalid form', 400, send('/items', 'name=', { cookie })],
    ['a malformed path', 400, ask('/%ff')],
    ['no session', 401, send('/items', 'name=x')],
    ['another site', 403, send('/items', 'name=x', { 'sec-fetch-site': 'cross-site' })],
    ['closed registration', 403, send('/register', 'username=bob&password=12345678')],
    ['no route', 404, ask('/nothing')],
    ['no item', 404, ask('/items/999')],
    ['too large', 413, send('/items', 'name=x', { cookie, 'content-length': '99999999' })],
    ['no form', 415, send('/items', 'name=x', { cookie, 'content-type': 'text/plain' })],
    ['a bug', 500, failing.handle(get('/items', init))],
    ['a file', 200, ask('/styles.css')],
    ['a file not modified', 304, ask('/styles.css', { 'if-none-match': etag })],
    ['health', 200, ask('/healthz')],
    ['HEAD', 200, application.handle(request('HEAD', '/items', null, init))],
  ];
  return Promise.all(
    list.map(async ([name, status, one]) => ({ name, status, answer: await one })),
  );
}

test('G1: every answer carries the whole set of headers, whatever its status', async (t) => {
  for (const init of [{}, { scheme: 'https' }] as const) {
    for (const { name, status, answer } of await sampleAnswers(t, init)) {
      assert.equal(answer.status, status, name);
      assert.deepEqual({ ...answer.headers, ...EVERYWHERE }, answer.headers, name);
      const isFile = name.startsWith('a file');
      assert.equal(answer.headers['Cache-Control'], isFile ? 'no-cache' : 'no-store', name);
    }
  }
  // On the wire each of them once.
  for (const path of ['/', '/items', '/nothing', '/%ff', '/styles.css']) {
    const answer = await ask(site.url, path);
    for (const [header, value] of Object.entries(EVERYWHERE))
      assert.equal(answer.header(header), value, `${path}: ${header}`);
  }
});

test('G2: no page holds a style, a script or a handler of its own', async (t) => {
  const inline =
    /<style|<script|<[^>]*\s(?:style|on[a-z]+)\s*=|javascript:|<(?:iframe|object|embed|base)\b/i;
  for (const { name, answer } of await sampleAnswers(t)) {
    if (headerOf(answer, 'Content-Type') !== 'text/html; charset=utf-8') continue;
    assert.doesNotMatch(bodyText(answer), inline, name);
    const loaded = [...bodyText(answer).matchAll(/<link\b[^>]*href="([^"]*)"|\ssrc="([^"]*)"/g)];
    assert.deepEqual(
      loaded.map(([, href]) => href),
      ['/styles.css'],
      name,
    );
  }
});

/** What MDN's HTTP Observatory 1.6.3 gives for the headers of a page over TLS, beyond the base of 100. */
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
/** What is taken away when a header is not so; none of it may be, or no bonus counts. */
const DUTIES: readonly (readonly [header: string, wanted: RegExp])[] = [
  [HSTS, /^max-age=(?:1576[89]\d{4}|157[7-9]\d{5}|15[89]\d{6}|1[6-9]\d{7}|[2-9]\d{7,})\b/],
  ['X-Content-Type-Options', /^nosniff$/],
  ['Access-Control-Allow-Origin', /^$/],
];

test('G3: the page that a scanner sees over TLS earns all 150 points, 155 with a cookie', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const seen = [
    await application.handle(get('/items', { scheme: 'https' })),
    await createVisitor(application).post(
      '/login',
      { username: 'ada', password: PASSWORD },
      { scheme: 'https' },
    ),
  ];
  assert.equal((await member.get('/items/new')).status, 200);
  const scores = seen.map((answer) => {
    for (const [header, wanted] of DUTIES) assert.match(headerOf(answer, header) ?? '', wanted);
    const earned = BONUSES.filter(([, header, one]) => one.test(headerOf(answer, header) ?? ''));
    const cookie = headerOf(answer, 'Set-Cookie') ?? '';
    const good = /^__Host-[^;]*; Path=\/; Max-Age=\d+; HttpOnly; Secure; SameSite=(?:Lax|Strict)$/;
    return earned.reduce((sum, [points]) => sum + points, 100) + (good.test(cookie) ? 5 : 0);
  });
  assert.deepEqual(scores, [150, 155]);
});

test('G4: Strict-Transport-Security is said over TLS, and only there', async (t) => {
  for (const { name, answer } of await sampleAnswers(t)) {
    assert.equal(headerOf(answer, HSTS), undefined, name);
  }
  for (const { name, answer } of await sampleAnswers(t, { scheme: 'https' })) {
    assert.equal(headerOf(answer, HSTS), 'max-age=63072000; includeSubDomains', name);
  }
  // A client cannot say that it came over TLS; a proxy that is trusted can.
  const https = { 'X-Forwarded-Proto': 'https', Forwarded: 'proto=https' };
  assert.equal((await ask(site.url, '/items', https)).header(HSTS), null);
});

test('G5: every body has a type, and text its charset', async (t) => {
  for (const { name, answer } of await sampleAnswers(t)) {
    const type = headerOf(answer, 'Content-Type');
    const hasBody = answer.body !== null && answer.body !== '';
    assert.equal(type !== undefined, hasBody, name);
    if (type === undefined) continue;
    const isPage = typeof answer.body === 'string' && answer.body.startsWith('<!doctype html>');
    const plain = name === 'a file' ? 'text/css' : 'text/plain';
    assert.equal(type, `${isPage ? 'text/html' : plain}; charset=utf-8`, name);
  }
  // What the server refuses by itself is no exception.
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

test('G6: neither a header nor an error says what the server is made of', async (t) => {
  for (const { name, status, answer } of await sampleAnswers(t)) {
    for (const header of ['Server', 'X-Powered-By', 'Via', 'X-Runtime', 'Server-Timing'])
      assert.equal(headerOf(answer, header), undefined, name);
    const values = Object.values(answer.headers).flat().join('\n');
    assert.doesNotMatch(values, TELLING, name);
    if (status >= 400) assert.doesNotMatch(bodyText(answer), TELLING, name);
    // A digest of the content: neither an inode nor a time.
    assert.match(headerOf(answer, 'ETag') ?? '"0123456789abcdefghijkl"', /^"[\w-]{22}"$/, name);
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

test('G7: no answer is compressed: its length tells nothing of a secret in it', async () => {
  const headers = { 'Accept-Encoding': 'gzip, deflate, br, zstd', TE: 'gzip', Connection: 'close' };
  const member = { ...headers, Cookie: site.cookie };
  const paths = ['/', '/items', '/items/new', '/login', '/styles.css', '/healthz', '/nothing'];
  for (const path of paths) {
    for (const asked of [headers, member]) {
      const answer = await ask(site.url, path, asked);
      assert.equal(answer.header('Content-Encoding'), null, path);
      assert.equal(answer.header('Transfer-Encoding'), null, path);
      assert.equal(Number(answer.header('Content-Length') ?? 0), answer.body.length, path);
    }
  }
});
