import assert from 'node:assert/strict';
import test from 'node:test';
import type { Awaitable } from '../http/awaitable.ts';
import { html } from '../http/html.ts';
import { page, type Response, withCookie, withHeader, withSession } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { loadSession } from '../session/load-session.ts';
import { createMemorySessionStore } from '../session/memory-session-store.ts';
import type { Session } from '../session/session.ts';
import { dropDraft } from '../session/session-change.ts';
import { get, request } from '../testing/make-request.ts';
import { answerNotModified, type Versioned } from './answer-not-modified.ts';
import { limitRequests } from './limit-requests.ts';

const ADA = { id: 1, name: 'ada' };
const KEPT = { 'Cache-Control': 'private, no-cache', Vary: 'Cookie' };

interface Situation {
  readonly version?: string;
  readonly user?: Session['user'] | null;
  readonly flash?: string | null;
  readonly target?: string;
  readonly method?: string;
  readonly ifNoneMatch?: string;
  readonly ifModifiedSince?: string;
  readonly answer?: Response;
}

const PAGE = page(html`<h1>Items</h1>`);
const TARGET = '/items?page=2';

let versionNow = 'v1';
/** One middleware for all tests: its cache must not affect later requests. */
const middleware = answerNotModified(() => versionNow);

/** The response to a request, and how often its handler ran. */
function visit(situation: Situation) {
  const { version = 'v1', user = ADA, flash = null, target = TARGET, answer = PAGE } = situation;
  versionNow = version;
  let asked = 0;
  const next = (context: Versioned) => {
    assert.equal(context.version, version);
    asked++;
    return answer as never;
  };
  const { ifNoneMatch, ifModifiedSince, method = 'GET' } = situation;
  const headers = { 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince };
  const session = user === null ? null : ({ user } as Session);
  const context = { request: request(method, target, null, { headers }), route: null };
  const response = middleware({ ...context, session, flash }, next);
  assert.ok(!(response instanceof Promise), 'nothing is waited for where nothing has to be');
  return { response, asked };
}

function tagOf(situation: Situation = {}): string {
  return String(visit(situation).response.headers['ETag']);
}

test('a page has a weak tag, only browsers may cache it, and they revalidate it each time', () => {
  const { response } = visit({});
  const { ETag, ...headers } = response.headers;
  assert.match(String(ETag), /^W\/"[A-Za-z0-9_-]{22}"$/);
  assert.deepEqual(headers, { ...PAGE.headers, ...KEPT });
  assert.equal(response.body, PAGE.body);
});

test('a browser with the current page gets a 304 with its headers, and the handler does not run', () => {
  const tag = tagOf();
  for (const ifNoneMatch of [tag, `"other", ${tag}`, tag.slice(2), `${tag} , "other"`]) {
    const { response, asked } = visit({ ifNoneMatch });
    assert.deepEqual(response, { status: 304, headers: { ETag: tag, ...KEPT }, body: null });
    assert.equal(asked, 0, ifNoneMatch);
  }
});

test('another version, user, name or URL has another tag', () => {
  const others: readonly Situation[] = [
    { version: 'v2' },
    { user: null },
    { user: { id: 2, name: 'ada' } },
    { user: { id: 1, name: 'bo' } },
    { target: '/items' },
    { target: '/items?page=3' },
    { target: '/items/2' },
  ];
  const tags = new Set([tagOf(), ...others.map(tagOf)]);
  assert.equal(tags.size, others.length + 1);
  for (const other of others) {
    const { response, asked } = visit({ ...other, ifNoneMatch: tagOf() });
    assert.deepEqual([response.status, asked], [200, 1], JSON.stringify(other));
  }
});

test('an unknown tag, or only a date, gets the page', () => {
  for (const ifNoneMatch of ['"v1"', 'v1', 'W/""', '""', '']) {
    assert.equal(visit({ ifNoneMatch }).response.status, 200, ifNoneMatch);
  }
  const ifModifiedSince = new Date().toUTCString();
  assert.equal(visit({ ifModifiedSince }).response.status, 200);
  assert.equal(visit({ ifModifiedSince, ifNoneMatch: tagOf() }).response.status, 304);
});

test('If-None-Match with a star gets 304 only after the handler has returned a page', () => {
  const { response, asked } = visit({ ifNoneMatch: '*' });
  assert.deepEqual([response.status, response.body, asked], [304, null, 1]);
  const missing = page(html`<h1>Page not found</h1>`, 404);
  assert.equal(visit({ ifNoneMatch: '*', answer: missing }).response, missing);
});

test('HEAD is answered as GET is', () => {
  assert.equal(tagOf({ method: 'HEAD' }), tagOf());
  assert.equal(visit({ method: 'HEAD', ifNoneMatch: tagOf() }).response.status, 304);
});

test('the response to another method has no tag and is never 304', () => {
  const { response, asked } = visit({ method: 'POST', ifNoneMatch: tagOf() });
  assert.deepEqual([response, asked], [PAGE, 1]);
});

test('a page that shows a message is shown once and never cached', () => {
  const { response, asked } = visit({ flash: 'Saved.', ifNoneMatch: tagOf() });
  assert.deepEqual([response, asked], [PAGE, 1]);
});

test('a response with its own cache headers, cookie or status is not changed', () => {
  const answers: readonly Response[] = [
    page(html`<h1>Page not found</h1>`, 404),
    { status: 303, headers: { Location: '/' }, body: null },
    withHeader(PAGE, 'Cache-Control', 'no-store'),
    withCookie(PAGE, 'device=x'),
    withSession(PAGE, dropDraft),
  ];
  for (const answer of answers) assert.equal(visit({ answer }).response, answer);
});

test('the version is read before the data of the page, so no change is missed', async () => {
  const steps: string[] = [];
  let version = 'v1';
  const read = async () => {
    steps.push('version');
    return version;
  };
  const router = createRouter()
    .use(loadSession({ store: createMemorySessionStore() }))
    .get('/', answerNotModified(read), (context) => {
      steps.push('page');
      version = 'v2';
      return page(html`${context.version}`);
    });
  const first = await router.handle(get('/'));
  assert.deepEqual(steps, ['version', 'page']);
  const headers = { 'if-none-match': String(first.headers['ETag']) };
  assert.equal((await router.handle(get('/', { headers }))).status, 200);
});

test('the stream of a page that is not sent is closed, so that a limit counts it no longer', async () => {
  const router = createRouter()
    .use(loadSession({ store: createMemorySessionStore() }))
    .get(
      '/',
      answerNotModified(() => 'v1'),
      limitRequests({ max: 1 }),
      () => ({ ...PAGE, body: chunks() }),
    );
  for (let times = 0; times < 2; times++) {
    const answer = await router.handle(get('/', { headers: { 'if-none-match': '*' } }));
    assert.equal(answer.status, 304);
  }
});

async function* chunks(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(1);
}

test('a version that cannot be read is an error', async () => {
  const context = { request: get('/'), route: null, session: null, flash: null };
  const fail = (read: () => Awaitable<string>) =>
    answerNotModified(read)(context, () => assert.fail('the page was made'));
  await assert.rejects(async () => fail(() => Promise.reject(new Error('away'))), /away/);
  assert.throws(() => {
    fail(() => {
      throw new Error('away');
    });
  }, /away/);
});
