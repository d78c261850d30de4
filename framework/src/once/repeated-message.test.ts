/** The message of a form whose answers were lost, so that the browser or a proxy has sent it again. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { readForm } from '../form/read-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { page, type Response, text, withSession } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { loadSession } from '../session/load-session.ts';
import { createMemorySessionStore } from '../session/memory-session-store.ts';
import { startSession } from '../session/session-change.ts';
import type { SessionsInTransaction } from '../session/session-store.ts';
import { get, post } from '../testing/make-request.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { createMemoryReceiptStore } from './memory-receipt-store.ts';
import { type OnceOptions, onlyOnce } from './only-once.ts';

const form = defineForm({ name: textField({ label: 'Name', maxLength: 9 }) });

/** A user who is logged in, and whose form leads to a page with a message. */
async function createSite({
  inTransaction,
  ...options
}: OnceOptions & { readonly inTransaction: boolean }) {
  const store = createMemorySessionStore();
  const sessions: SessionsInTransaction<unknown> = {
    async changeFlashes(_, key, change) {
      await store.update(key, (one) => ({ ...one, flashes: change(one.flashes) }));
    },
  };
  const once = onlyOnce(createMemoryReceiptStore(), inTransaction ? sessions : null, options);
  const router = createRouter()
    .use(loadSession({ store }))
    .post('/login', () => withSession(text('in'), startSession({ id: 1, name: 'ada' })))
    .post('/names', readForm(form), once, (context) =>
      context.once(async () => ({ path: localPath('/saved'), message: 'Saved.' })),
    )
    .get('/saved', ({ flash }) => page(html`${flash ?? 'nothing'}`));
  const visitor = createVisitor(router);
  await visitor.post('/login');
  const sent = { name: 'Chair', _once: 'key' };
  const cookie = () =>
    ['sid', 'awaited']
      .flatMap((name) => (visitor.cookie(name) === null ? [] : `${name}=${visitor.cookie(name)}`))
      .join('; ');
  return {
    send: () => visitor.post('/names', sent),
    see: async () => bodyText(await visitor.get('/saved')),
    /** The browser gets none of these answers. */
    loseForm: (): Promise<Response> =>
      Promise.resolve(router.handle(post('/names', sent, { headers: { cookie: cookie() } }))),
    losePage: async () =>
      bodyText(await router.handle(get('/saved', { headers: { cookie: cookie() } }))),
  };
}

/** With the message in the transaction of the form, and after it. */
const SITES = [true, false].flatMap((inTransaction) =>
  [null, 'Not again.'].map((repeatedMessage) => ({ inTransaction, repeatedMessage })),
);

test('a form whose answer was lost, and that is sent again, has its message until its page arrives', async () => {
  for (const site of SITES) {
    const { send, see, loseForm, losePage } = await createSite(site);
    await loseForm();
    await send();
    for (const answer of [await losePage(), await losePage(), await see()])
      assert.equal(answer, 'Saved.');
    assert.equal(await see(), 'nothing');
  }
});

test('a form that is sent twice at once has its message until its page arrives', async () => {
  for (const site of SITES) {
    const { send, see, loseForm, losePage } = await createSite(site);
    await Promise.all([loseForm(), send()]);
    for (const answer of [await losePage(), await see()]) assert.equal(answer, 'Saved.');
    assert.equal(await see(), 'nothing');
  }
});

test('a form that is sent again after its page has no second message of its work', async () => {
  for (const site of SITES) {
    const { send, see } = await createSite(site);
    await send();
    assert.equal(await see(), 'Saved.');
    await send();
    assert.equal(await see(), site.repeatedMessage ?? 'nothing');
    assert.equal(await see(), 'nothing');
  }
});
