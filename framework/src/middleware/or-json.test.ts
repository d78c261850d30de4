import assert from 'node:assert/strict';
import test from 'node:test';
import { html } from '../http/html.ts';
import { HttpError } from '../http/http-error.ts';
import { json } from '../http/json.ts';
import { page } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { loadSession } from '../session/load-session.ts';
import { createMemorySessionStore } from '../session/memory-session-store.ts';
import { requireSession } from '../session/require-session.ts';
import { get } from '../testing/make-request.ts';
import { bodyText } from '../testing/visitor.ts';
import { answerNotModified } from './answer-not-modified.ts';
import { catchErrors } from './catch-errors.ts';
import { orJson } from './or-json.ts';

const PROGRAM = { headers: { accept: 'application/json' } };
const BROWSER = { headers: { accept: 'text/html,*/*;q=0.8' } };

const router = createRouter()
  .use(catchErrors({ page: ({ status }) => page(html`sorry`, status), report: () => {} }))
  .use(loadSession({ store: createMemorySessionStore() }))
  .use(answerNotModified(() => '1'))
  .get(
    '/notes/:id<int>',
    orJson(({ params: { id } }: { readonly params: { readonly id: number } }) => {
      if (id === 9) throw new HttpError(404, 'There is no such note.');
      return json({ id });
    }),
    ({ params: { id } }) => {
      if (id === 9) throw new HttpError(404, 'There is no such note.');
      return page(html`note ${id}`);
    },
  )
  .get(
    '/mine',
    requireSession,
    orJson(() => json('mine')),
    () => page(html`mine`),
  );

test('one address answers with a page or with JSON', async () => {
  for (const [init, type, body] of [
    [PROGRAM, 'application/json', '{"id":7}'],
    [BROWSER, 'text/html; charset=utf-8', 'note 7'],
    [{}, 'text/html; charset=utf-8', 'note 7'],
  ] as const) {
    const answer = await router.handle(get('/notes/7', init));
    assert.deepEqual([answer.headers['Content-Type'], bodyText(answer)], [type, body]);
    assert.match(String(answer.headers['Vary']), /(?:^|, )Accept$/);
  }
});

test('the tag of the page is never that of the JSON', async () => {
  const shown = await router.handle(get('/notes/7', BROWSER));
  const tag = { 'if-none-match': String(shown.headers['ETag']) };
  const again = await router.handle(get('/notes/7', { headers: { ...BROWSER.headers, ...tag } }));
  assert.deepEqual([again.status, again.headers['Vary']], [304, 'Cookie, Accept']);
  const read = await router.handle(get('/notes/7', { headers: { ...PROGRAM.headers, ...tag } }));
  assert.deepEqual([read.status, read.headers['ETag']], [200, undefined]);
  assert.equal(read.headers['Cache-Control'], 'no-store');
});

test('errors of such a route are problem details for a client that prefers JSON', async () => {
  const answer = await router.handle(get('/notes/9', PROGRAM));
  assert.equal(answer.headers['Content-Type'], 'application/problem+json');
  assert.deepEqual(JSON.parse(bodyText(answer)), {
    status: 404,
    detail: 'There is no such note.',
  });
  assert.equal(bodyText(await router.handle(get('/notes/9', BROWSER))), 'sorry');
});

test('without a session, a program gets a 401 instead of the log-in form', async () => {
  const answer = await router.handle(get('/mine', PROGRAM));
  assert.deepEqual([answer.status, JSON.parse(bodyText(answer)).status], [401, 401]);
  assert.ok(answer.headers['WWW-Authenticate']);
  assert.equal((await router.handle(get('/mine', BROWSER))).status, 303);
});

test('what is no handler is refused', () => {
  assert.throws(() => orJson({} as never), /pass a function of the context/);
});
