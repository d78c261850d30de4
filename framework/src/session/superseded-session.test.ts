/** What is left of a session under its old id, once it goes on under a new one. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { defineForm } from '../form/define-form.ts';
import { passwordField, textField } from '../form/fields.ts';
import { createMemoryReceiptStore } from '../form/memory-receipt-store.ts';
import { onlyOnce } from '../form/only-once.ts';
import { readForm } from '../form/read-form.ts';
import { localPath } from '../http/href.ts';
import { HttpError } from '../http/http-error.ts';
import { text, withSession } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { get, post, type TypedFields } from '../testing/make-request.ts';
import { createVisitor } from '../testing/visitor.ts';
import { loadSession } from './load-session.ts';
import { createMemorySessionStore } from './memory-session-store.ts';
import { requireSession } from './require-session.ts';
import { renewSession, startSession } from './session-change.ts';

const nameForm = defineForm({ name: textField({ label: 'Name', maxLength: 9 }) });
const codeForm = defineForm({
  code: passwordField({ label: 'Code', required: 'Enter a code', minLength: 1, maxLength: 9 }),
});
const HOUR = 3_600_000;
const NAME = { name: 'Chair', _once: 'name' };
const CODE = { code: 'x', _once: 'code' };

/** Somebody is logged in, and `visit` asks with the id that she had first. */
async function openSite(store = createMemorySessionStore()) {
  let time = Date.parse('2026-11-20T18:00:00Z');
  const receipts = createMemoryReceiptStore();
  const names: string[] = [];
  const router = createRouter()
    .use(loadSession({ store, now: () => new Date(time) }))
    .get('/who', ({ session }) => text(session?.user.name ?? 'nobody'))
    .post('/who', ({ session }) => text(session?.user.name ?? 'nobody'))
    .post('/log-in', () => withSession(text('in'), startSession({ id: 1, name: 'ada' })))
    .post('/names', requireSession, readForm(nameForm), onlyOnce(receipts), ({ once, form }) =>
      once(async () => localPath(`/names/${names.push(form.text.name)}`)),
    )
    .post('/code', requireSession, readForm(codeForm), onlyOnce(receipts), async ({ once }) =>
      withSession(await once(async () => localPath('/who')), renewSession),
    );
  const ada = createVisitor(router);
  await ada.post('/log-in');
  const headers = { cookie: `sid=${ada.cookie('sid')}` };
  return {
    names,
    ada,
    wait: (milliseconds: number) => {
      time += milliseconds;
    },
    visit: async (path: string, fields?: TypedFields) =>
      router.handle(
        fields === undefined ? get(path, { headers }) : post(path, fields, { headers }),
      ),
    /** A visitor that has taken the cookie of the answer to the same form, sent with the old id. */
    sendAgain: async () => {
      const visitor = createVisitor(router);
      await visitor.post('/code', CODE, { headers });
      return visitor;
    },
  };
}

const isRefused = (error: unknown) => error instanceof HttpError && error.status === 401;

test('the old id reads for ten seconds and sends nothing; its cookie is left alone', async () => {
  const { ada, visit, wait } = await openSite();
  await ada.post('/code', CODE);
  assert.deepEqual(await visit('/who'), text('ada'));
  assert.deepEqual(await visit('/who', {}), text('nobody'));
  wait(9_999);
  assert.equal((await visit('/who')).body, 'ada');
  wait(1);
  assert.deepEqual(await visit('/who'), text('nobody'));
  assert.equal((await ada.get('/who')).body, 'ada');
});

test('the old id sends a form that was carried out before, and no other one', async () => {
  const { ada, visit, names } = await openSite();
  await ada.post('/names', NAME);
  await ada.post('/code', CODE);
  assert.equal((await visit('/names', NAME)).headers['Location'], '/names/1');
  const others = [{ ...NAME, name: 'Lamp' }, { ...NAME, _once: 'other' }, { name: 'Chair' }];
  for (const fields of others) await assert.rejects(visit('/names', fields), isRefused);
  assert.deepEqual(names, ['Chair']);
});

test('the form that has renewed the session, sent again, gets an id that lives on', async () => {
  const { ada, sendAgain, wait } = await openSite();
  await ada.post('/code', CODE);
  const again = await sendAgain();
  const both = [ada, again];
  assert.notEqual(ada.cookie('sid'), again.cookie('sid'));
  wait(HOUR);
  for (const visitor of both) assert.equal((await visitor.get('/who')).body, 'ada');
});

test('a log-in that the store refuses is a 401, and sets no cookie', async () => {
  const store = createMemorySessionStore();
  await assert.rejects(openSite({ ...store, create: () => false }), isRefused);
});
