/** A form belongs to the account that opened it: another one that has logged in meanwhile is asked first. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { textField } from '../field/fields.ts';
import { blankForm, defineForm, type FilledForm } from '../form/define-form.ts';
import { errorSummary, formField, formTag, onceField } from '../form/form-markup.ts';
import { readForm } from '../form/read-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { type Response as Answer, page, seeOther, withSession } from '../http/response.ts';
import { onlyOnce } from '../once/only-once.ts';
import { endSession, startSession } from '../session/session-change.ts';
import { stepPages } from '../steps/step-pages.ts';
import { steps } from '../steps/steps.ts';
import {
  bodyText,
  createVisitor,
  hiddenFields,
  toFormData,
  type Visitor,
} from '../testing/visitor.ts';
import { fileField } from '../upload/file-field.ts';
import { createSite, type SiteContext } from './create-site.ts';
import { createFormHandlers } from './form-handlers.ts';
import { formPage } from './form-page.ts';
import { createMemoryStores } from './stores.ts';

const HOME = localPath('/');
const text = textField({ label: 'Text', required: 'Enter a text', maxLength: 99 });
const note = defineForm({ text });
const letter = defineForm({ text, scan: fileField({ label: 'Scan', maxSize: 99 }) });
const button = defineForm({});
const order = steps().step('room', note, { title: 'Room' }).step('meal', note, { title: 'Meal' });

const formHandlers = createFormHandlers<SiteContext<null>>();

/** A layout of one's own. */
const draw = (form: FilledForm<typeof note.fields>) =>
  html`<main>${errorSummary(form)}<form method="post" action="/own">${onceField(form)}${formField(form, 'text')}</form></main>`;

/** Each kind of form; what it has done is in `done`. */
function openSite() {
  const done: string[] = [];
  const stores = createMemoryStores();
  const say = ({ session }: Pick<SiteContext<null>, 'session'>, what: string) => {
    done.push(`${what} by ${session?.user.name ?? 'nobody'}`);
    return HOME;
  };
  const press = formHandlers(button, { name: 'press', send: (context) => say(context, 'press') });
  const site = createSite(stores, { log: false, errors: { report: () => {} } })
    .post('/login/:name', ({ params: { name } }) =>
      withSession(seeOther(HOME), startSession({ id: name, name })),
    )
    .post('/logout', () => withSession(seeOther(HOME), endSession))
    .get('/own', ({ session }) => page(draw(blankForm(note, {}, undefined, session?.user))))
    .post(
      '/own',
      readForm(note),
      onlyOnce(stores.receipts),
      ({ once, validation, form, ...context }) => {
        if (!validation.valid) return page(draw(form), 409);
        return once(async () => say(context, validation.values.text));
      },
    )
    .post('/careless', readForm(note), onlyOnce(stores.receipts), ({ once, form, ...context }) =>
      once(async () => say(context, form.text.text)),
    )
    .get('/press', ({ session }) =>
      page(
        html`<main>${formTag(blankForm(button, {}, undefined, session?.user), html`<button>Go</button>`, { action: '/press' })}</main>`,
      ),
    )
    .post('/press', ...press.post);
  formPage(site, '/note', note, {
    button: 'Save',
    show: ({ formHtml }) => html`<main>${formHtml}</main>`,
    send: ({ values, ...context }) => say(context, values.text),
  });
  formPage(site, '/letter', letter, {
    button: 'Save',
    show: ({ formHtml }) => html`<main>${formHtml}</main>`,
    async send({ values, transaction, ...context }) {
      await values.scan?.keep(transaction);
      return say(context, `${values.text} with ${values.scan?.name}`);
    },
  });
  stepPages(site, '/order', order, {
    button: 'Order',
    show: ({ formHtml }) => html`<main>${formHtml}</main>`,
    send: ({ answers, ...context }) => say(context, `${answers.room.text} ${answers.meal.text}`),
  });
  return { done, browser: createVisitor(site) };
}

async function open(browser: Visitor, path: string) {
  return hiddenFields(bodyText(await browser.get(path)));
}

/** Ada has opened the form; bo has logged in meanwhile. */
async function openAsAdaGoOnAsBo(path: string) {
  const site = openSite();
  await site.browser.post('/login/ada');
  const opened = await open(site.browser, path);
  await site.browser.post('/login/bo');
  return { ...site, opened };
}

/** The answer is the form again, with a key of the account that is logged in. */
function readAgain(answer: Answer, name: string) {
  const markup = bodyText(answer);
  assert.equal(answer.status, 409, markup);
  assert.match(markup, new RegExp(`logged in as ${name} now`));
  return hiddenFields(markup);
}

for (const path of ['/note', '/own']) {
  test(`${path}: a form of one account, sent from another, is asked about and then carried out once`, async () => {
    const { browser, done, opened } = await openAsAdaGoOnAsBo(path);
    const sent = { ...opened, text: 'Hello' };
    const asked = await browser.post(path, sent);
    if (path === '/note') readAgain(asked, 'bo');
    assert.match(bodyText(asked), /logged in as bo now/);
    assert.match(bodyText(asked), /value="Hello"/);
    assert.deepEqual(done, []);
    const again = { ...hiddenFields(bodyText(asked)), text: 'Hello' };
    // The first form again, such as by a double click or a reload, is asked about again.
    assert.deepEqual(
      hiddenFields(bodyText(await browser.post(path, sent))),
      hiddenFields(bodyText(asked)),
    );
    for (let count = 0; count < 2; count++)
      assert.equal((await browser.post(path, again)).status, 303);
    assert.deepEqual(done, ['Hello by bo']);
  });
}

test('an action that does not look at errors carries out nothing', async () => {
  const { browser, done, opened } = await openAsAdaGoOnAsBo('/note');
  const answer = await browser.post('/careless', { ...opened, text: 'Hello' });
  assert.equal(answer.status, 409);
  assert.match(bodyText(answer), /logged in as bo now[\s\S]*<dd>Hello<\/dd>/);
  assert.deepEqual(done, []);
});

test('a button of another account, without a page, is a 409 with the button', async () => {
  const { browser, done, opened } = await openAsAdaGoOnAsBo('/press');
  const again = readAgain(await browser.post('/press', opened), 'bo');
  for (let count = 0; count < 2; count++)
    assert.equal((await browser.post('/press', again)).status, 303);
  assert.deepEqual(done, ['press by bo']);
});

test('a chosen file waits with the form', async () => {
  const { browser, done, opened } = await openAsAdaGoOnAsBo('/letter');
  const sent = { ...opened, text: 'Dear', scan: new File(['%PDF'], 'letter.pdf') };
  const asked = await browser.post('/letter', toFormData(sent));
  const again = { ...readAgain(asked, 'bo'), text: 'Dear' };
  assert.equal((await browser.post('/letter', toFormData(again))).status, 303);
  assert.deepEqual(done, ['Dear with letter.pdf by bo']);
});

test('the first step of one account does not start answers of another', async () => {
  const { browser, done, opened } = await openAsAdaGoOnAsBo('/order');
  for (const target of ['/order', '/order?back']) {
    const again = readAgain(await browser.post(target, { ...opened, text: '7' }), 'bo');
    assert.notEqual(again['_once'], opened['_once']);
  }
  const again = readAgain(await browser.post('/order', { ...opened, text: '7' }), 'bo');
  const second = await browser.post('/order', { ...again, text: '7' });
  const meal = String(second.headers['Location']);
  const third = await browser.post(meal, { ...(await open(browser, meal)), text: 'soup' });
  const check = String(third.headers['Location']);
  assert.equal((await browser.post(check, await open(browser, check))).status, 303);
  assert.deepEqual(done, ['7 soup by bo']);
});

test('after a log-out, a form is carried out as a visitor only when it is sent again', async () => {
  const { browser, done } = openSite();
  await browser.post('/login/ada');
  const opened = await open(browser, '/note');
  assert.equal((await browser.post('/note', { ...opened, text: 'Hello' })).status, 303);
  await browser.post('/logout');
  const asked = await browser.post('/note', { ...opened, text: 'Hello' });
  assert.equal(asked.status, 409);
  assert.match(bodyText(asked), /you are logged out now/);
  assert.deepEqual(done, ['Hello by ada']);
  const again = { ...hiddenFields(bodyText(asked)), text: 'Hello' };
  assert.equal((await browser.post('/note', again)).status, 303);
  assert.deepEqual(done, ['Hello by ada', 'Hello by nobody']);
});

test('a form of the same account after a new log-in, of a visitor and of a program are carried out', async () => {
  const { browser, done } = openSite();
  const visitors = await open(browser, '/note');
  await browser.post('/login/ada');
  const opened = await open(browser, '/note');
  await browser.post('/logout');
  await browser.post('/login/ada');
  for (const fields of [visitors, opened, {}, { _once: 'order.12345678' }])
    assert.equal((await browser.post('/note', { ...fields, text: 'Hello' })).status, 303);
  assert.deepEqual(done, Array(4).fill('Hello by ada'));
});

test('a form with errors says both', async () => {
  const { browser, opened } = await openAsAdaGoOnAsBo('/note');
  const answer = await browser.post('/note', { ...opened, text: '' });
  readAgain(answer, 'bo');
  assert.match(bodyText(answer), /Enter a text/);
});
