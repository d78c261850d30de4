/** With a synchronous store, the chain is synchronous. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { page, text, withSession } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { get } from '../testing/make-request.ts';
import { bodyText, createVisitor, type Visitor } from '../testing/visitor.ts';
import { loadSession } from './load-session.ts';
import { createMemorySessionStore } from './memory-session-store.ts';
import { requireSession } from './require-session.ts';
import { addFlash, startSession } from './session-change.ts';
import type { SessionStore } from './session-store.ts';

function createSite(store: SessionStore) {
  return createRouter()
    .use(loadSession({ store }))
    .get('/who', requireSession, ({ session }) => text(session.user.name))
    .get('/page', ({ flash }) => page(html`${flash}`))
    .get('/broken', () => {
      throw new Error('a bug of the handler');
    })
    .post('/login', () => withSession(text('in'), startSession({ id: 1, name: 'ada' })))
    .post('/warn', () => withSession(text('warned'), addFlash(localPath('/page'), 'Look.')));
}

function as(visitor: Visitor) {
  return { headers: { cookie: `sid=${visitor.cookie('sid')}` } };
}

test('the response for a logged-in user is no promise: only a page with a message waits for the store', async () => {
  const site = createSite(createMemorySessionStore());
  const visitor = createVisitor(site);
  await visitor.post('/login');
  await visitor.post('/warn');
  assert.deepEqual(site.handle(get('/who', as(visitor))), text('ada'));
  assert.throws(() => site.handle(get('/broken', as(visitor))), /a bug of the handler/);
  const answer = site.handle(get('/page', as(visitor)));
  assert.ok(answer instanceof Promise);
  assert.equal(bodyText(await answer), 'Look.');
});

test('a store that throws fails the request', async () => {
  const store = createMemorySessionStore();
  const visitor = createVisitor(createSite(store));
  await visitor.post('/login');
  const broken = createSite({
    ...store,
    find: () => {
      throw new Error('disk broken');
    },
  });
  assert.throws(() => broken.handle(get('/who', as(visitor))), /disk broken/);
});
