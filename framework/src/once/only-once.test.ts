import assert from 'node:assert/strict';
import test from 'node:test';
import { passwordField, textField } from '../field/fields.ts';
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
import { post } from '../testing/make-request.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { createMemoryReceiptStore } from './memory-receipt-store.ts';
import { onlyOnce } from './only-once.ts';
import type { ReceiptKey } from './receipt-store.ts';

const form = defineForm({
  name: textField({ label: 'Name', maxLength: 9 }),
  description: textField({ label: 'Description', maxLength: 9 }),
});
const secret = defineForm({
  code: passwordField({ label: 'Code', required: 'Enter a code', minLength: 1, maxLength: 9 }),
});

/** A site that stores each submitted name and redirects to its number. */
function createSite() {
  const names: string[] = [];
  const receipts = createMemoryReceiptStore();
  const keys: ReceiptKey[] = [];
  const noting: typeof receipts = {
    ...receipts,
    carryOut(key, work) {
      if (key !== null) keys.push(key);
      return receipts.carryOut(key, work);
    },
  };
  const save = (name: string) => async () => localPath(`/saved/${names.push(name)}`);
  const site = createRouter()
    .use(loadSession({ store: createMemorySessionStore() }))
    .post('/log-in/:id', ({ params }) =>
      withSession(text('in'), startSession({ id: Number(params.id), name: params.id })),
    )
    .post('/names', readForm(form), onlyOnce(receipts), ({ once, form }) =>
      once(save(form.text.name)),
    )
    .post('/other', readForm(form), onlyOnce(receipts), ({ once, form }) =>
      once(save(form.text.name)),
    )
    .post('/code', readForm(secret), onlyOnce(noting), ({ once, repeated }) =>
      repeated ? text('again', 409) : once(save('code')),
    );
  return { names, keys, visitor: createVisitor(site), other: createVisitor(site) };
}

const TYPED = { name: 'Chair', description: '', _once: 'page-one' };
const placeOf = ({ status, headers }: Response) => `${status} ${headers['Location']}`;

test('a repeated form gets the same redirect, and is carried out once', async () => {
  const { names, visitor } = createSite();
  assert.equal(placeOf(await visitor.post('/names', TYPED)), '303 /saved/1');
  await visitor.post('/names', { ...TYPED, _once: 'page-two' });
  assert.equal(placeOf(await visitor.post('/names', TYPED)), '303 /saved/1');
  assert.deepEqual(names, ['Chair', 'Chair']);
});

test('a form that is sent many times concurrently is carried out once', async () => {
  const { names, visitor } = createSite();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => visitor.post('/names', TYPED)),
  );
  assert.deepEqual(new Set(answers.map(placeOf)), new Set(['303 /saved/1']));
  assert.deepEqual(names, ['Chair']);
});

test('other line ends do not make it another form', async () => {
  const { names, visitor } = createSite();
  await visitor.post('/names', { ...TYPED, description: 'a\nb' });
  await visitor.post('/names', { ...TYPED, description: 'a\r\nb' });
  assert.equal(names.length, 1);
});

test('the same form at another path, or from another user, is another form', async () => {
  const { names, visitor, other } = createSite();
  await visitor.post('/names', TYPED);
  await visitor.post('/other', TYPED);
  await visitor.post('/log-in/1');
  await visitor.post('/names', TYPED);
  await other.post('/log-in/2');
  await other.post('/names', TYPED);
  assert.equal(names.length, 4);
});

test('the forms of visitors without sessions differ only by their keys', async () => {
  const { names, visitor, other } = createSite();
  const theirs = { ...TYPED, _once: 'page-two' };
  await Promise.all([visitor.post('/names', TYPED), other.post('/names', theirs)]);
  const answers = [await visitor.post('/names', TYPED), await other.post('/names', theirs)];
  assert.deepEqual(names, ['Chair', 'Chair']);
  assert.deepEqual(answers.map(placeOf).toSorted(), ['303 /saved/1', '303 /saved/2']);
});

test('a form without a key is carried out each time', async () => {
  const { names, visitor } = createSite();
  const { _once, ...typed } = TYPED;
  for (const sent of [typed, typed, { ...typed, _once: '' }, { ...typed, _once: '' }])
    assert.equal((await visitor.post('/names', sent)).status, 303);
  assert.equal(names.length, 4);
});

test('a repeated form with a password reaches its action with repeated set, and is carried out once', async () => {
  const { names, visitor } = createSite();
  const send = () => visitor.post('/code', { code: 'x', _once: 'key' });
  assert.equal(placeOf(await send()), '303 /saved/1');
  assert.equal((await send()).body, 'again');
  await visitor.post('/log-in/1');
  assert.equal(placeOf(await send()), '303 /saved/2', 'from another person');
  await visitor.post('/log-in/1');
  assert.equal(placeOf(await send()), '303 /saved/3', 'under another id of the session');
  assert.deepEqual(names, ['code', 'code', 'code']);
});

test('no digest of a password is stored', async () => {
  const { visitor, keys } = createSite();
  for (const code of ['x', 'y']) await visitor.post('/code', { code, _once: 'key' });
  assert.equal(keys.length, 1);
});

for (const isOneWrite of [true, false]) {
  const where = isOneWrite ? 'in the transaction of the work' : 'after the work';
  test(`a message is stored ${where} until its page shows it once`, async () => {
    const store = createMemorySessionStore();
    const writes: string[] = [];
    const sessions: SessionsInTransaction<null> = {
      async changeFlashes(transaction, key, change) {
        writes.push(`in the transaction ${transaction}`);
        await store.update(key, (one) => ({ ...one, flashes: change(one.flashes) }));
      },
    };
    const update: typeof store.update = (key, change) => {
      writes.push('alone');
      return store.update(key, change);
    };
    const receipts = createMemoryReceiptStore();
    const site = createRouter()
      .use(loadSession({ store: { ...store, update } }))
      .post('/log-in', () => withSession(text('in'), startSession({ id: 1, name: 'ada' })))
      .post('/names', readForm(form), onlyOnce(receipts, isOneWrite ? sessions : null), (context) =>
        context.once(async () => ({ path: localPath('/saved'), message: 'Saved.' })),
      )
      .get('/saved', ({ flash }) => page(html`${flash ?? 'nothing'}`));
    const visitor = createVisitor(site);
    await visitor.post('/log-in');
    const answers = await Promise.all([
      visitor.post('/names', TYPED),
      visitor.post('/names', TYPED),
    ]);
    assert.deepEqual(answers.map(placeOf), ['303 /saved', '303 /saved']);
    assert.deepEqual(writes, [isOneWrite ? 'in the transaction null' : 'alone']);
    assert.equal(bodyText(await visitor.get('/saved')), 'Saved.');
    await visitor.post('/names', TYPED);
    assert.equal(bodyText(await visitor.get('/saved')), 'nothing');
  });
}

test('onlyOnce without a store, or without a form before it, is an error that says so', async () => {
  assert.throws(
    // @ts-expect-error the store is missing
    () => onlyOnce(),
    /^TypeError: Cannot add onlyOnce without a receipt store. Pass one: onlyOnce/,
  );
  const guard = onlyOnce(createMemoryReceiptStore());
  await assert.rejects(
    async () => guard({ request: post('/'), route: null, session: null } as never, neverReached),
    /^TypeError: Cannot count a form once: .* Put readForm\(form\) before onlyOnce.$/,
  );
});

function neverReached(): never {
  assert.fail('the action ran without a form');
}
