import assert from 'node:assert/strict';
import test from 'node:test';
import { runInNewContext } from 'node:vm';
import { descriptionOf } from '../chain/describe-middleware.ts';
import { hiddenField, passwordField, textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { formField, onceField } from '../form/form-markup.ts';

import { readForm } from '../form/read-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { page, seeOther, text, withSession } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { requireSession } from '../session/require-session.ts';
import type { LoggedIn } from '../session/session.ts';
import { renewSession, startSession } from '../session/session-change.ts';
import { get, post, type TypedFields } from '../testing/make-request.ts';
import { bodyText, createVisitor, hiddenFields } from '../testing/visitor.ts';
import { createSite, type SiteContext } from './create-site.ts';
import { createFormHandlers } from './form-handlers.ts';
import { createMemoryStores } from './stores.ts';

const HOME = localPath('/');
const ADA = { id: 1, name: 'ada' };
const form = defineForm({
  firstName: textField({ label: 'First name', required: 'Enter a name', maxLength: 9 }),
});
const formHandlers = createFormHandlers<SiteContext<null> & LoggedIn>();
const open = createFormHandlers<SiteContext<null>>();

/** A site with a form to log in and a start page that shows the message. */
const createTestSite = () =>
  createSite(createMemoryStores(), { log: false, errors: { report: () => {} } })
    .post('/login', () => withSession(seeOther(HOME), startSession(ADA)))
    .get('/', ({ flash }) => page(html`${flash ?? 'nothing'}`));

test('page and action of a form stand at different addresses, and a form counts once', async () => {
  const saved: string[] = [];
  const {
    show,
    send,
    post: chain,
  } = formHandlers(form, {
    name: 'addGuest',
    page: '/guests/new',
    fill: ({ session }) => ({ firstName: session.user.name }),
    show: ({ form }) =>
      html`<form method="post" action="/guests">${onceField(form)}${formField(form, 'firstName')}</form>`,
    send({ values, transaction, session }) {
      assert.equal(transaction, null);
      if (values.firstName === 'taken')
        return { errors: [{ field: 'firstName', message: 'This name is taken' }], status: 409 };
      saved.push(`${values.firstName} by ${session.user.name}`);
      return { path: HOME, message: `${values.firstName} has joined.` };
    },
  });
  const site = createTestSite()
    .get('/guests/new', requireSession, show)
    .post('/guests', requireSession, ...chain);
  // @ts-expect-error the guard that its context needs is missing
  void (() => createTestSite().post('/guests', ...chain));
  assert.deepEqual([send.name, show.name], ['addGuest', 'show addGuest']);
  assert.ok(descriptionOf(send)?.countsOnce);
  const visitor = createVisitor(site);
  await visitor.post('/login');
  const shown = await visitor.get('/guests/new');
  assert.match(bodyText(shown), / value="ada"/);
  assert.equal(shown.headers['Cache-Control'], 'private, no-cache');
  const hidden = hiddenFields(bodyText(shown));
  for (const [firstName, status, message] of [
    ['', 400, 'Enter a name'],
    ['taken', 409, 'This name is taken'],
  ] as const) {
    const refused = await visitor.post('/guests', { ...hidden, firstName });
    assert.equal(refused.status, status);
    assert.match(bodyText(refused), new RegExp(message));
  }
  for (let count = 0; count < 2; count++)
    assert.equal((await visitor.post('/guests', { ...hidden, firstName: 'Bo' })).status, 303);
  assert.deepEqual(saved, ['Bo by ada']);
  assert.equal(bodyText(await visitor.get('/')), 'Bo has joined.');
});

test('act checks before its transaction and answers after it; a repeat does not reach it', async () => {
  const steps: string[] = [];
  const { show, send } = formHandlers(form, {
    name: 'addGuest',
    show: ({ form, errors }) => html`${onceField(form)}${errors.map(({ message }) => message)}`,
    async act({ values, once }) {
      steps.push('check');
      if (values.firstName === 'Cy') return page(html`Cy is here already`, 409);
      if (values.firstName === 'Di') return { errors: [{ field: null, message: 'Not Di' }] };
      const answer = await once(async () => {
        steps.push('write');
        return HOME;
      });
      steps.push('log');
      return answer;
    },
  });
  const site = createTestSite().post('/guests', requireSession, readForm(form), send, show);
  const visitor = createVisitor(site);
  await visitor.post('/login');
  const guest = { firstName: 'Bo', _once: 'key' };
  for (let count = 0; count < 2; count++)
    assert.equal((await visitor.post('/guests', guest)).status, 303);
  assert.deepEqual(steps, ['check', 'write', 'log']);
  assert.equal((await visitor.post('/guests', { firstName: 'Cy' })).status, 409);
  const refused = await visitor.post('/guests', { firstName: 'Di' });
  assert.equal(refused.status, 400);
  assert.match(bodyText(refused), /Not Di$/);
});

test('a form with send is not looked up before its transaction, unless it is invalid or from the old id of a session', async () => {
  const stores = createMemoryStores();
  const { receipts } = stores;
  let lookUps = 0;
  const counting: typeof receipts = {
    ...receipts,
    find(key) {
      lookUps++;
      return receipts.find(key);
    },
  };
  const guests: string[] = [];
  const { show, send } = formHandlers(form, {
    name: 'addGuest',
    show: ({ form }) => html`${onceField(form)}`,
    send: ({ values }) => localPath(`/?guest=${guests.push(values.firstName)}`),
  });
  const options = { log: false, errors: { report: () => {} } } as const;
  const site = createSite({ ...stores, receipts: counting }, options)
    .post('/login', () => withSession(seeOther(HOME), startSession(ADA)))
    .post('/renew', () => withSession(seeOther(HOME), renewSession))
    .post('/guests', requireSession, readForm(form), send, show);
  const visitor = createVisitor(site);
  await visitor.post('/login');
  const cookie = `sid=${visitor.cookie('sid')}`;
  const guest = { firstName: 'Bo', _once: 'key' };
  for (let count = 0; count < 2; count++)
    assert.equal((await visitor.post('/guests', guest)).headers['Location'], '/?guest=1');
  assert.equal(lookUps, 0);
  assert.equal((await visitor.post('/guests', { ...guest, firstName: '' })).status, 400);
  assert.equal(lookUps, 1);
  await visitor.post('/renew');
  const sendOld = (fields: TypedFields) =>
    site.handle(post('/guests', fields, { headers: { cookie } }));
  assert.equal((await sendOld(guest)).headers['Location'], '/?guest=1');
  assert.equal((await sendOld({ ...guest, firstName: 'Cy' })).status, 401);
  assert.deepEqual(guests, ['Bo']);
});

const logInForm = defineForm({
  name: textField({ label: 'Name', required: 'Enter a name', maxLength: 9 }),
  password: passwordField({ label: 'Password', required: 'x', minLength: 1, maxLength: 9 }),
});

test('a refused form says the errors of its fields and those of its check at once, in the order of the fields', async () => {
  const definition = defineForm({
    name: textField({ label: 'Name', maxLength: 9 }),
    email: textField({ label: 'Email', required: 'Enter an email address', maxLength: 9 }),
    again: textField({ label: 'Email again', required: 'Enter it again', maxLength: 9 }),
  });
  const saved: string[] = [];
  const { show, send } = open(definition, {
    name: 'signUp',
    check({ form: { text } }) {
      const found = [
        { field: 'again', message: 'The addresses differ' },
        { field: 'name', message: 'This name is not allowed' },
        { field: null, message: 'The list is full' },
      ] as const;
      return text.name === 'root' ? found : saved.length > 0 ? [found[2]] : [];
    },
    show: ({ errors, form }) =>
      html`${onceField(form)}${errors.map(({ message }) => html`${message};`)}`,
    send({ values }) {
      saved.push(values.email);
      return HOME;
    },
  });
  const site = createTestSite().post('/', readForm(definition), send, show);
  const messages = async (fields: TypedFields) => {
    const answer = await site.handle(post('/', fields));
    assert.equal(answer.status, 400);
    return bodyText(answer).replace(/<.*>/, '');
  };
  assert.equal(
    await messages({ name: 'root', again: '' }),
    'This name is not allowed;Enter an email address;Enter it again;The list is full;',
  );
  const valid = { name: 'root', email: 'a', again: 'b' };
  assert.match(await messages(valid), /^This name is not allowed;The addresses differ;The list/);
  assert.deepEqual(saved, []);
  const fields = { name: 'ada', email: 'a', again: 'a', _once: 'one-key' };
  for (const _time of ['first', 'again'])
    assert.equal((await site.handle(post('/', fields))).status, 303, 'a repeat is not checked');
  assert.deepEqual(saved, ['a']);
});

test('a form that may be carried out again has no receipt; its page of a password is stored if it was refused', async () => {
  const logIn = open(logInForm, {
    name: 'logIn',
    once: false,
    show: ({ form, errors }) => html`${onceField(form)}${errors.map(({ message }) => message)}`,
    act({ values, ...context }) {
      assert.ok(!('once' in context));
      if (values.password !== 'right')
        return { errors: [{ field: 'name', message: 'Wrong' }], status: 401 };
      return withSession(seeOther(HOME), startSession(ADA));
    },
  });
  const site = createSite(createMemoryStores(), { log: false })
    .get('/login', logIn.show)
    .post('/login', ...logIn.post);
  assert.equal(descriptionOf(logIn.send)?.countsOnce, false);
  const shown = await site.handle(get('/login'));
  assert.equal(shown.headers['Cache-Control'], 'no-store');
  const typed = { name: 'ada', _once: 'key' };
  const refused = await site.handle(post('/login', { ...typed, password: 'wrong' }));
  assert.deepEqual([refused.status, bodyText(refused).endsWith('>Wrong')], [401, true]);
  assert.match(String(refused.headers['WWW-Authenticate']), /^Cookie /);
  // For Back, also after the log-in has changed the cookie.
  assert.equal(refused.headers['Cache-Control'], 'private, no-cache');
  assert.equal(refused.headers['Vary'], undefined);
  assert.doesNotMatch(bodyText(refused), /"wrong"/);
  for (let count = 0; count < 2; count++) {
    const { headers } = await site.handle(post('/login', { ...typed, password: 'right' }));
    assert.match(String(headers['Set-Cookie']), /^sid=/);
  }
});

test('fill and show share what load has read, and show may answer without a page', async () => {
  let reads = 0;
  const { show, send } = open(form, {
    name: 'rename',
    load: ({ request, form }) => ({
      found: form === null ? request.query.get('of') : null,
      read: ++reads,
    }),
    fill: ({ found }) => ({ firstName: found ?? '' }),
    show: ({ found, form, isSent }) =>
      found === null && !isSent
        ? text('No such guest.', 404)
        : html`${onceField(form)}${form.text.firstName}`,
    headers: { 'Referrer-Policy': 'strict-origin' },
    send: () => HOME,
  });
  const site = createTestSite().get('/rename', show).post('/rename', readForm(form), send, show);
  assert.equal((await site.handle(get('/rename'))).status, 404);
  const shown = await site.handle(get('/rename?of=Bo'));
  assert.match(bodyText(shown), /Bo$/);
  assert.equal(shown.headers['Referrer-Policy'], 'strict-origin');
  assert.equal(reads, 2);
  assert.equal((await site.handle(post('/rename', {}))).status, 400);
});

test('load, fill and show may return a promise of another class, as query builders do', async () => {
  // Of another realm.
  const { resolve } = runInNewContext('({ resolve: (value) => Promise.resolve(value) })');
  const later = <T>(value: T): Promise<T> => resolve(value);
  const { show } = open(form, {
    name: 'addGuest',
    load: () => later({ club: 'Chess' }),
    fill: ({ club }) => later({ firstName: `${club}!` }),
    show: ({ club, form }) =>
      later(
        html`<form method="post" action="/">${club}${onceField(form)}${formField(form, 'firstName')}</form>`,
      ),
    send: () => HOME,
  });
  const shown = await createTestSite().get('/new', show).handle(get('/new'));
  assert.match(bodyText(shown), />Chess.* value="Chess!"/s);
});

test('a refused form without a page is an error with its messages', async () => {
  const remove = open(defineForm({ version: hiddenField() }), {
    name: 'remove',
    send: ({ values }) =>
      values.version === '1'
        ? HOME
        : { errors: [{ field: null, message: 'It was changed' }], status: 409 },
  });
  const reader = readForm(defineForm({ version: hiddenField() }));
  const site = createTestSite().post('/remove', reader, remove.send, remove.show);
  assert.equal((await site.handle(post('/remove', { version: '1' }))).status, 303);
  const refused = await site.handle(post('/remove', { version: '2' }));
  assert.equal(refused.status, 409);
  assert.match(bodyText(refused), /It was changed\./);
});

test('handlers of another context do not compile, and needs are checked where they are registered', () => {
  const { show, send } = formHandlers(form, {
    name: 'addGuest',
    // @ts-expect-error the form has no such field
    fill: () => ({ lastName: 'Lovelace' }),
    show: ({ form }) => html`${onceField(form)}`,
    // @ts-expect-error a path must follow
    send: ({ values }) => values.firstName,
  });
  // @ts-expect-error it needs a user who is logged in
  createTestSite().get('/guests/new', show);
  assert.throws(
    // @ts-expect-error it needs a form
    () => createTestSite().post('/guests', requireSession, send, show),
    /"addGuest" in POST \/guests: it needs context\.form/,
  );
  assert.throws(
    // @ts-expect-error it needs the stores of a site
    () => createRouter().post('/guests', readForm(form), send, show),
    /it needs context\.session/,
  );
});

test('handlers without an action, with two, or with a password in a transaction are refused', () => {
  const parts = { name: 'logIn', show: () => html`` };
  const both = { ...parts, send: () => HOME, act: () => seeOther(HOME) };
  // @ts-expect-error no action
  assert.throws(() => open(form, parts), /handlers of logIn with neither of send and act/);
  // @ts-expect-error two actions
  assert.throws(() => open(form, both), /handlers of logIn with both of send and act/);
  assert.throws(
    () => open(logInForm, { ...parts, send: () => HOME }),
    /^TypeError: Cannot carry out logIn with send: the form has a password/,
  );
});

test('check gets the values of the valid fields, also of a password', async () => {
  const names = { name: textField({ label: 'Name', required: 'Enter a name', maxLength: 9 }) };
  const secret = { required: 'x', minLength: 1, maxLength: 9 };
  const account = defineForm({ ...names, code: passwordField({ label: 'Code', ...secret }) });
  const seen: unknown[] = [];
  const { post: chain } = open(account, {
    name: 'check',
    check({ values }) {
      seen.push(values);
      return values.code === '1' ? [{ field: 'code', message: 'Longer' }] : [];
    },
    show: ({ form, errors }) => html`${onceField(form)}${errors.map(({ message }) => message)}`,
    act: () => seeOther(HOME),
  });
  const site = createTestSite().post('/', ...chain);
  const send = async (fields: TypedFields) => bodyText(await site.handle(post('/', fields)));
  assert.match(await send({ name: '', code: '1' }), /Enter a name/);
  assert.match(await send({ name: '', code: '1' }), /Longer/);
  assert.deepEqual(seen[0], { code: '1' });
  await send({ name: 'Ada', code: '22' });
  assert.deepEqual(seen[2], { name: 'Ada', code: '22' });
});

test('a repeat gets the first answer, also if its check would refuse it by now, or fails', async () => {
  let check = (): readonly { field: 'firstName'; message: string }[] => [];
  let count = 0;
  const { post: save } = open(form, {
    name: 'save',
    check: () => check(),
    send() {
      count += 1;
      return localPath('/saved');
    },
    show: ({ form }) => html`${onceField(form)}${formField(form, 'firstName')}`,
  });
  const site = createTestSite().post('/save', ...save);
  const send = async (once: string) =>
    (await site.handle(post('/save', { _once: once, firstName: 'Ada' }))).status;
  assert.equal(await send('first'), 303);
  check = () => [{ field: 'firstName', message: 'It is taken' }];
  assert.deepEqual([await send('first'), await send('other')], [303, 400]);
  check = () => {
    throw new Error('away');
  };
  assert.deepEqual([await send('first'), await send('other')], [303, 500]);
  assert.equal(count, 1);
});
