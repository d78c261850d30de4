import assert from 'node:assert/strict';
import test from 'node:test';
import { localPath } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import { empty, page, seeOther, text, withHeader } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { loadSession } from '../session/load-session.ts';
import { createMemorySessionStore } from '../session/memory-session-store.ts';
import { get } from '../testing/make-request.ts';
import { bodyText } from '../testing/visitor.ts';
import { answerNotModified } from './answer-not-modified.ts';
import { catchErrors } from './catch-errors.ts';
import { secureHeaders } from './secure-headers.ts';

const EVERYWHERE = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

const site = createRouter()
  .use(secureHeaders())
  .use(catchErrors({ page: ({ status }) => text('An error page', status), report: () => {} }))
  .get('/page', async () => page(html`<p>Hello`))
  .get('/redirect', () => seeOther(localPath('/page')))
  .get('/not-modified', () => empty(304))
  .get('/cached', () => withHeader(text('cached'), 'Cache-Control', 'no-cache'))
  .get('/fails', () => {
    throw new Error('a bug');
  });

const STATUSES = {
  '/page': 200,
  '/redirect': 303,
  '/not-modified': 304,
  '/nowhere': 404,
  '/%ff': 400,
  '/fails': 500,
};

test('every answer carries the whole set, whatever its status', async () => {
  for (const [path, status] of Object.entries(STATUSES)) {
    const answer = await site.handle(get(path));
    assert.equal(answer.status, status);
    assert.deepEqual({ ...answer.headers, ...EVERYWHERE }, answer.headers, path);
  }
});

test('Strict-Transport-Security is sent over https, and over http never', async () => {
  for (const path of Object.keys(STATUSES)) {
    const plain = await site.handle(get(path));
    assert.ok(!('Strict-Transport-Security' in plain.headers), path);
    const secure = await site.handle(get(path, { scheme: 'https' }));
    assert.equal(
      secure.headers['Strict-Transport-Security'],
      'max-age=63072000; includeSubDomains',
      path,
    );
    assert.deepEqual({ ...secure.headers, ...EVERYWHERE }, secure.headers, path);
  }
});

test('a header that a response sets itself is kept', async () => {
  const answer = await site.handle(get('/cached'));
  assert.equal(answer.headers['Cache-Control'], 'no-cache');
  assert.equal(answer.headers['Referrer-Policy'], EVERYWHERE['Referrer-Policy']);
});

test('the middleware changes nothing of a response but its headers', async () => {
  const answer = await site.handle(get('/redirect'));
  assert.equal(answer.headers['Location'], '/page');
  assert.equal(answer.body, null);
});

test('no header names the software of the server', async () => {
  for (const path of Object.keys(STATUSES)) {
    const { headers } = await site.handle(get(path));
    for (const name of ['Server', 'X-Powered-By']) assert.ok(!(name in headers));
  }
});

let fragment: Html | null = null;

const withNonce = createRouter()
  .use(secureHeaders({ policy: { 'script-src': ["'self'", "'nonce'"] } }))
  .use(catchErrors({ page: ({ status }) => text('An error page', status), report: () => {} }))
  .use(loadSession({ store: createMemorySessionStore() }))
  .use(answerNotModified(() => 'version 1'))
  .get('/inline', ({ nonce }) =>
    page(html`<script nonce="${nonce()}">1</script><style nonce="${nonce()}"></style>`),
  )
  .get('/cached-fragment', ({ nonce }) => {
    fragment ??= html`<script nonce="${nonce()}"></script>`;
    return page(fragment);
  })
  .get('/plain', () => page(html`<p>Hello`))
  .get('/stored', ({ nonce }) => ({
    ...withHeader(page(html`<script nonce="${nonce()}"></script>`), 'Cache-Control', 'public'),
    status: 200,
  }))
  .get('/dated', ({ nonce }) =>
    withHeader(page(html`<b class="${nonce()}">`), 'Last-Modified', new Date(0).toUTCString()),
  )
  .get('/streamed', ({ nonce }) => ({
    ...page(html``),
    body: (async function* () {
      yield Buffer.from(nonce());
    })(),
  }));

const policyOf = ({ headers }: { headers: object }) =>
  String(new Map(Object.entries(headers)).get('Content-Security-Policy'));

test('the nonce of a page is in its policy, has 128 bits, and no other response has it', async () => {
  const seen = new Set<string>();
  for (let count = 0; count < 100; count++) {
    const answer = await withNonce.handle(get('/inline'));
    const found = [...bodyText(answer).matchAll(/nonce="([\w-]{22})"/g)].map(([, one]) => one);
    assert.equal(found.length, 2);
    assert.equal(found[0], found[1]);
    assert.ok(policyOf(answer).includes(`script-src 'self' 'nonce-${found[0]}';`));
    seen.add(found[0] ?? '');
  }
  assert.equal(seen.size, 100);
});

test('a page with a nonce is never stored, whatever it says itself', async () => {
  for (const path of ['/inline', '/stored', '/dated']) {
    const { headers } = await withNonce.handle(get(path));
    assert.equal(headers['Cache-Control'], 'no-store', path);
    for (const name of ['ETag', 'Last-Modified']) assert.ok(!(name in headers), `${path}: ${name}`);
  }
});

test('a page without the nonce keeps its tag, and its 304 has a policy without one', async () => {
  const first = await withNonce.handle(get('/plain'));
  const tag = String(first.headers['ETag']);
  assert.equal(first.headers['Cache-Control'], 'private, no-cache');
  const again = await withNonce.handle(get('/plain', { headers: { 'if-none-match': tag } }));
  assert.equal(again.status, 304);
  assert.match(policyOf(first), /script-src 'self';/);
  assert.equal(policyOf(again), policyOf(first));
});

test('the nonce of a cached fragment is valid in the first page only', async () => {
  const first = await withNonce.handle(get('/cached-fragment'));
  const second = await withNonce.handle(get('/cached-fragment'));
  assert.equal(bodyText(second), bodyText(first));
  assert.match(policyOf(first), /'nonce-/);
  assert.doesNotMatch(policyOf(second), /nonce/);
});

test('a 304 has no nonce, also if the page was made for it', async () => {
  const answer = await withNonce.handle(get('/inline', { headers: { 'if-none-match': '*' } }));
  assert.equal(answer.status, 304);
  assert.doesNotMatch(policyOf(answer), /nonce/);
});

test("a nonce that is read while the body is streamed is an error: the policy can't have it", async () => {
  const { body } = await withNonce.handle(get('/streamed'));
  await assert.rejects(async () => {
    for await (const _ of body as AsyncIterable<Uint8Array>);
  }, /Call nonce\(\) before the handler returns/);
});

test('a policy is checked before the first request', () => {
  const source = 'https://cdn.example; script-src *';
  assert.throws(() => secureHeaders({ policy: { 'img-src': [source] } }), /Cannot use the source/);
});

test('without the source for it, there is no nonce on the context', async () => {
  const site = createRouter()
    .use(secureHeaders({ policy: { 'script-src': ["'self'"] } }))
    // @ts-expect-error No directive has the source 'nonce'.
    .get('/', ({ nonce }) => text(String(nonce)));
  assert.equal(bodyText(await site.handle(get('/'))), 'undefined');
});

test('a misspelt directive and a keyword without quotes do not compile', () => {
  // @ts-expect-error The directive is script-src.
  assert.throws(() => secureHeaders({ policy: { 'img-src': ['*'], 'scripts-src': ['*'] } }));
  // @ts-expect-error The keyword is 'self' in quotes.
  assert.throws(() => secureHeaders({ policy: { 'script-src': ['self'] } }));
});
