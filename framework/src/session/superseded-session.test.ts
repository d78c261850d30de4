/** What a client can still do with the old id of a renewed session. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { passwordField, textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { readForm } from '../form/read-form.ts';
import { localPath } from '../http/href.ts';
import { HttpError } from '../http/http-error.ts';
import { text, withSession } from '../http/response.ts';
import { createMemoryReceiptStore } from '../once/memory-receipt-store.ts';
import { onlyOnce } from '../once/only-once.ts';
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

type Guard = ReturnType<typeof onlyOnce<null>>;
type Wrap = (inner: Guard) => Guard;

/** A logged-in user; `visit` sends requests with the first session id. */
async function openSite(store = createMemorySessionStore(), wrap: Wrap = (inner) => inner) {
  let time = Date.parse('2026-11-20T18:00:00Z');
  const receipts = createMemoryReceiptStore();
  const names: string[] = [];
  const router = createRouter()
    .use(loadSession({ store, now: () => new Date(time) }))
    .get('/who', ({ session }) => text(session?.user.name ?? 'nobody'))
    .post('/who', ({ session }) => text(session?.user.name ?? 'nobody'))
    .post('/log-in', () => withSession(text('in'), startSession({ id: 1, name: 'ada' })))
    .post(
      '/names',
      requireSession,
      readForm(nameForm),
      wrap(onlyOnce(receipts)),
      ({ once, form }) => once(async () => localPath(`/names/${names.push(form.text.name)}`)),
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
    /** A visitor with the cookie from the response to a repeat of the form with the old id. */
    sendAgain: async () => {
      const visitor = createVisitor(router);
      await visitor.post('/code', CODE, { headers });
      return visitor;
    },
  };
}

const isRefused = (error: unknown) => error instanceof HttpError && error.status === 401;

test('the old id can read for ten seconds and send no form; its cookie stays', async () => {
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

test('the old id can repeat a form that was carried out before, and send no other one', async () => {
  const { ada, visit, names } = await openSite();
  await ada.post('/names', NAME);
  await ada.post('/code', CODE);
  assert.equal((await visit('/names', NAME)).headers['Location'], '/names/1');
  const others = [{ ...NAME, name: 'Lamp' }, { ...NAME, _once: 'other' }, { name: 'Chair' }];
  for (const fields of others) await assert.rejects(visit('/names', fields), isRefused);
  assert.deepEqual(names, ['Chair']);
});

test('the old id can repeat a form whose onlyOnce is in another middleware with its properties', async () => {
  const wrap: Wrap = (inner) => (context, next) => inner(context, next);
  for (const isDescribed of [true, false]) {
    const { ada, visit } = await openSite(createMemorySessionStore(), (inner) =>
      isDescribed ? Object.assign(wrap(inner), inner) : wrap(inner),
    );
    await ada.post('/names', NAME);
    await ada.post('/code', CODE);
    if (isDescribed) assert.equal((await visit('/names', NAME)).status, 303);
    else await assert.rejects(visit('/names', NAME), isRefused);
  }
});

test('repeating the form that renewed the session gets a valid id', async () => {
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
