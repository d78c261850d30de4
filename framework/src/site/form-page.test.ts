import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Middleware } from '../chain/context.ts';
import { descriptionOf } from '../chain/describe-middleware.ts';
import { createStores } from '../database/create-stores.ts';
import { buttonField } from '../field/button-field.ts';
import { checkboxField, textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { rows } from '../form/field-set.ts';
import { errorSummary, formField, formTag, onceField } from '../form/form-markup.ts';
import { formOf } from '../form/form-of.ts';
import { localPath } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import { page, seeOther, withSession } from '../http/response.ts';
import { createLinks } from '../router/links.ts';
import { createRouter } from '../router/router.ts';
import { loadSession } from '../session/load-session.ts';
import { createMemorySessionStore } from '../session/memory-session-store.ts';
import { requireSession } from '../session/require-session.ts';
import { startSession } from '../session/session-change.ts';
import { openTestDatabase } from '../testing/test-folder.ts';
import { bodyText, createVisitor, hiddenFields } from '../testing/visitor.ts';
import { createSite } from './create-site.ts';
import { formPage, type ShownPage } from './form-page.ts';
import { createMemoryStores } from './stores.ts';

const HOME = localPath('/');
const ADA = { id: 1, name: 'ada' };
const form = defineForm({
  firstName: textField({ label: 'First name', required: 'Enter a name', maxLength: 9 }),
  isMember: checkboxField({ label: 'Member' }),
});

const needClock: Middleware<{ readonly clock: Date }> = (context, next) => next(context);

/** A site over SQLite: its form writes to a table before it finds out that a name is taken. */
async function createGuests(t: TestContext) {
  const { database } = await openTestDatabase(
    t,
    'create table guests (name text unique on conflict ignore, author text)',
  );
  const site = createSite(createStores(database), { log: false, errors: { report: () => {} } })
    .post('/login', () => withSession(seeOther(HOME), startSession(ADA)))
    .get('/', ({ flash }) => page(html`${flash ?? 'nothing'}`));
  const guests = formPage(site, '/clubs/:club', form, {
    button: 'Join & sign',
    middleware: [requireSession],
    show: ({ formHtml, session, params }) =>
      html`<main>${params.club} of ${session.user.name}${formHtml}</main>`,
    fill: ({ params }) => ({ firstName: params.club }),
    async send({ values, session, transaction: { run } }) {
      const { firstName } = values;
      const { changes } = await run('insert into guests values (?, ?)', [
        firstName,
        session.user.name,
      ]);
      if (firstName === 'taken' || changes === 0)
        return { errors: [{ field: 'firstName', message: 'This name is taken' }], status: 409 };
      return { path: HOME, message: `${firstName} has joined.` };
    },
  });
  const visitor = createVisitor(guests);
  const rowsOf = async () => (await database.read.run('select name, author from guests')).rows;
  return { guests, visitor, rowsOf };
}

test('a form that was sent without a key gets one when it is refused, so its correction counts once', async () => {
  const saved: string[] = [];
  const site = createSite(createMemoryStores(), { log: false });
  formPage(site, '/', form, {
    button: 'Join',
    show: ({ formHtml }) => formHtml,
    send({ values }) {
      saved.push(values.firstName);
      return HOME;
    },
  });
  const visitor = createVisitor(site);
  const refused = await visitor.post('/', { firstName: '' });
  assert.equal(refused.status, 400);
  const corrected = { ...hiddenFields(bodyText(refused)), firstName: 'Ada' };
  for (let count = 0; count < 2; count++)
    assert.equal((await visitor.post('/', corrected)).status, 303);
  assert.deepEqual(saved, ['Ada']);
});

test('a page contains its complete form, filled and with a key', async (t) => {
  const { visitor } = await createGuests(t);
  await visitor.post('/login');
  const shown = await visitor.get('/clubs/chess');
  assert.equal(shown.status, 200);
  assert.match(
    bodyText(shown),
    /^<main>chess of ada<form method="post" action="\?send" novalidate>\n<input type="hidden" name="_once" value="[\w.]{31}">.*\n<div class="field">\n<label for="firstName">[\s\S]* value="chess"[\s\S]*<input type="checkbox"[\s\S]*<button>Join &amp; sign<\/button>\n<\/form><\/main>$/,
  );
});

test('a valid form is carried out in one transaction with its message, and counts once', async (t) => {
  const { visitor, rowsOf } = await createGuests(t);
  await visitor.post('/login');
  const typed = {
    ...hiddenFields(bodyText(await visitor.get('/clubs/chess'))),
    firstName: 'Bo',
  };
  const answers = [
    await visitor.post('/clubs/chess', typed),
    await visitor.post('/clubs/chess', typed),
  ];
  for (const { status, headers } of answers)
    assert.deepEqual([status, headers['Location']], [303, '/']);
  assert.deepEqual(await rowsOf(), [{ name: 'Bo', author: 'ada' }]);
  assert.equal(bodyText(await visitor.get('/')), 'Bo has joined.');
  assert.equal(bodyText(await visitor.get('/')), 'nothing');
});

test('a refusal by send shows the form again with its errors and status, and commits nothing', async (t) => {
  const { visitor, rowsOf } = await createGuests(t);
  await visitor.post('/login');
  const hidden = hiddenFields(bodyText(await visitor.get('/clubs/chess')));
  const typed = { ...hidden, firstName: 'taken' };
  for (let count = 0; count < 2; count++) {
    const answer = await visitor.post('/clubs/chess', typed);
    assert.equal(answer.status, 409);
    assert.match(bodyText(answer), /<a href="#firstName">This name is taken<\/a>/);
    assert.match(bodyText(answer), new RegExp(`name="_once" value="${hidden['_once']}"`));
    assert.match(bodyText(answer), / value="taken"/);
  }
  assert.deepEqual(await rowsOf(), []);
  assert.equal((await visitor.post('/clubs/chess', { ...typed, firstName: 'Bo' })).status, 303);
});

test('the middleware stands before page and form: without a session there is a log-in, or a 401', async (t) => {
  const { visitor, rowsOf } = await createGuests(t);
  const shown = await visitor.get('/clubs/chess');
  assert.equal(shown.headers['Location'], '/login?next=%2Fclubs%2Fchess');
  const refused = await visitor.post('/clubs/chess', { firstName: 'Bo' });
  assert.equal(refused.status, 401);
  assert.match(bodyText(refused), /<dt>First name<\/dt>\n<dd>Bo<\/dd>/);
  assert.deepEqual(await rowsOf(), []);
});

test('the routes say which form they read, that it counts once, and where they were registered', async (t) => {
  const { guests } = await createGuests(t);
  const [show, send] = guests.routes.slice(2);
  assert.deepEqual([show?.name, send?.name], ['GET /clubs/:club', 'POST /clubs/:club']);
  assert.ok(send !== undefined);
  assert.ok(send.middleware.some((one) => descriptionOf(one)?.countsOnce));
  assert.equal(formOf(send)?.definition?.names.join(), 'firstName,isMember');
  for (const route of [show, send]) assert.match(route?.registeredAt ?? '', /form-page\.test\.ts:/);
  const { href, action } = createLinks<typeof guests>();
  assert.equal(href('/clubs/:club', { club: 'chess' }), action('/clubs/:club', { club: 'chess' }));
});

test('a form page in a group has its prefix and its middleware', async () => {
  const site = createSite(createMemoryStores(), { log: false })
    .post('/login', () => withSession(seeOther(HOME), startSession(ADA)))
    .group('/admin', requireSession, (admin) =>
      formPage(admin, '/guests', form, {
        button: 'Save',
        show: ({ formHtml, session }) => html`${session.user.name}${formHtml}`,
        send: ({ session }) => localPath(`/admin/${session.user.name}`),
      }),
    );
  const visitor = createVisitor(site);
  assert.equal((await visitor.get('/admin/guests')).status, 303);
  await visitor.post('/login');
  const answer = await visitor.submit('/admin/guests', { firstName: 'Bo' });
  assert.equal(answer.headers['Location'], '/admin/ada');
});

test('a form with buttons of its own has no other, and one without any is refused', async () => {
  const buttons = defineForm({
    button: buttonField({
      buttons: [
        { value: 'publish', label: 'Publish' },
        { value: 'save', label: 'Save as draft' },
      ],
    }),
  });
  const pressed: string[] = [];
  const options = {
    show: ({ formHtml }: { readonly formHtml: Html }) => formHtml,
    send: () => HOME,
  };
  const site = createSite(createMemoryStores(), { log: false });
  formPage(site, '/news', buttons, {
    ...options,
    button: null,
    send({ values }) {
      pressed.push(values.button);
      return HOME;
    },
  });
  const visitor = createVisitor(site);
  const shown = bodyText(await visitor.get('/news'));
  assert.deepEqual(shown.match(/(?<=<button[^>]*>)[^<]+/g), ['Publish', 'Save as draft']);
  assert.equal((await visitor.submit('/news', { button: 'save' })).status, 303);
  assert.deepEqual(pressed, ['save']);
  assert.throws(() => formPage(site, '/two', buttons, { ...options, button: 'Send' }), {
    message: /^Cannot add the button "Send" to the form page of \/two: .*Write button: null\.$/,
  });
  assert.throws(() => formPage(site, '/none', form, { ...options, button: null }), {
    message: /^Cannot make a form page of \/none without a button: /,
  });
});

type Shown = ShownPage<typeof form.fields>;

const OMISSIONS: readonly (readonly [string, (shown: Shown) => Html, RegExp])[] = [
  [
    'the key',
    ({ form }) => html`<form method="post">${formField(form, 'firstName')}</form>`,
    /the page lacks the key of its form, so .* twice\. Draw the form with formTag\(form, content\)/,
  ],
  [
    'the method',
    ({ form }) => html`<form>${onceField(form)}${formField(form, 'firstName')}</form>`,
    /its <form> has no method="post"/,
  ],
  [
    'a required field',
    ({ form }) => formTag(form, html`${errorSummary(form)}<input name="other">`),
    /the form lacks the required field "firstName", so it could never be sent/,
  ],
];

for (const [what, show, message] of OMISSIONS)
  test(`a page without ${what} of its form is an error that says what to add`, async () => {
    const reports: string[] = [];
    const errors = { report: ({ message }: { readonly message: string }) => reports.push(message) };
    const site = createSite(createMemoryStores(), { log: false, errors });
    formPage(site, '/own/:id', form, { button: 'Save', send: () => HOME, show });
    const visitor = createVisitor(site);
    assert.equal((await visitor.get('/own/7')).status, 500);
    assert.equal((await visitor.post('/own/7', { _once: 'key' })).status, 500);
    assert.equal(reports.length, 2);
    for (const report of reports) {
      assert.match(report, /^Cannot show the form page of \/own\/:id: /);
      assert.match(report, message);
    }
  });

test('a page of a refused form without its errors is an error', async () => {
  const reports: string[] = [];
  const errors = { report: ({ message }: { readonly message: string }) => reports.push(message) };
  const site = createSite(createMemoryStores(), { log: false, errors });
  formPage(site, '/', form, {
    button: 'Save',
    send: () => ({ errors: [{ field: null, message: 'It is closed' }] }),
    show: ({ form }) => formTag(form, html`${formField(form, 'firstName')}`),
  });
  const visitor = createVisitor(site);
  assert.equal((await visitor.get('/')).status, 200);
  assert.equal((await visitor.post('/', { _once: 'key', firstName: 'Ada' })).status, 500);
  assert.match(reports.join(), /the page lacks its error "[^"]+"\. Write errorSummary\(form\)/);
});

test('fields may have the names of members of every object', async () => {
  const named = defineForm({
    constructor: textField({ label: 'Built by', maxLength: 9 }),
    toString: textField({ label: 'To', maxLength: 9 }),
  });
  const site = formPage(createSite(createMemoryStores(), { log: false }), '/', named, {
    button: 'Save',
    show: ({ formHtml }) => html`${formHtml}`,
    send: ({ values }) => localPath(`/${values.constructor}/${values.toString}`),
  });
  const answer = await createVisitor(site).submit('/', { constructor: 'a', toString: 'b' });
  assert.equal(answer.headers['Location'], '/a/b');
});

test('a page without the form, and one with two copies of it, are no error', async () => {
  const site = createSite(createMemoryStores(), { log: false });
  const options = { button: 'Save', send: () => HOME };
  formPage(site, '/full', form, { ...options, show: () => html`<p>The club is full.</p>` });
  formPage(site, '/twice', form, {
    ...options,
    show: ({ formHtml }: Shown) => html`${formHtml}${formHtml}`,
  });
  const visitor = createVisitor(site);
  for (const path of ['/full', '/twice']) {
    assert.equal((await visitor.get(path)).status, 200);
    for (const key of [{}, { _once: '"<&\'>~' }])
      assert.equal((await visitor.post(path, key)).status, 400);
  }
});

test('a router without stores or sessions, and a middleware with an unmet need, do not compile', () => {
  const options = { button: 'x', show: () => html``, send: () => HOME };
  const store = createMemorySessionStore();
  assert.throws(
    // @ts-expect-error there are no sessions and no stores
    () => formPage(createRouter(), '/', form, options),
    /it needs context\.session/,
  );
  assert.throws(
    // @ts-expect-error there are no stores
    () => formPage(createRouter().use(loadSession({ store })), '/', form, options),
    /it needs context\.stores.* Put the middleware of createSite\(stores\) before it/,
  );
  assert.throws(
    // @ts-expect-error there are no sessions
    () => formPage(createSite(createMemoryStores(), { session: false }), '/', form, options),
    /it needs context\.session/,
  );
  const site = createSite(createMemoryStores());
  // @ts-expect-error no middleware adds a clock
  formPage(site, '/', form, { ...options, middleware: [needClock] });
  // @ts-expect-error the session may be null
  formPage(site, '/a', form, { ...options, show: ({ session }) => html`${session.user.name}` });
  // @ts-expect-error the form has no such value
  formPage(site, '/b', form, { ...options, send: ({ values }) => localPath(`/${values.name}`) });
  formPage(site, '/c', form, {
    ...options,
    // @ts-expect-error the form has no such field
    send: () => ({ errors: [{ field: 'name', message: 'x' }] }),
  });
});

test('a button that adds a row carries out no button that checks nothing', async () => {
  const drafted = defineForm({
    guests: rows({
      label: 'Guests',
      name: 'Guest',
      max: 5,
      fields: { name: textField({ label: 'Name', maxLength: 9 }) },
    }),
    button: buttonField({ buttons: [{ value: 'draft', label: 'Save draft', checks: [] }] }),
  });
  let count = 0;
  const site = formPage(createSite(createMemoryStores(), { log: false }), '/', drafted, {
    button: null,
    show: ({ formHtml }) => formHtml,
    send: { draft: () => localPath(`/drafts/${++count}`) },
  });
  const answer = await createVisitor(site).post('/', { 'guests.0': 'row', _change: 'add guests' });
  assert.deepEqual([answer.status, count], [200, 0]);
});
