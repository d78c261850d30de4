/** Cells that are not in the rows yet are kept, whatever happens to their form. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { buttonField } from '../field/button-field.ts';
import { textField } from '../field/fields.ts';
import { blankForm, defineForm } from '../form/define-form.ts';
import { choiceGroup, fieldGroup, rows } from '../form/field-set.ts';
import { formField } from '../form/form-markup.ts';
import { missingTexts } from '../form/missing-texts.ts';
import { readForm } from '../form/read-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { seeOther, text, withSession } from '../http/response.ts';
import { german } from '../language/german.ts';
import { createRouter } from '../router/router.ts';
import { requireSession } from '../session/require-session.ts';
import { startSession } from '../session/session-change.ts';
import { stepPages } from '../steps/step-pages.ts';
import { steps } from '../steps/steps.ts';
import { post } from '../testing/make-request.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { createSite } from './create-site.ts';
import { formPage } from './form-page.ts';
import { createMemoryStores } from './stores.ts';

const people = (name = 'Person') =>
  rows({
    label: 'People',
    name,
    fields: { name: textField({ label: 'Name', required: 'Enter a name', maxLength: 80 }) },
    max: 100,
    paste: true,
  });
const CELLS = 'Name\nAda\nBob\n';

test('cells survive a log-in, and the page after it shows them', async () => {
  const form = defineForm({ people: people() });
  let saved = 0;
  const site = createSite(createMemoryStores(), { log: false })
    .get('/login', () => text('Log in'))
    .post('/enter', () =>
      withSession(seeOther(localPath('/')), startSession({ id: 1, name: 'Ada' })),
    );
  formPage(site, '/', form, {
    middleware: [requireSession],
    button: 'Save',
    show: ({ formHtml }) => html`<main>${formHtml}</main>`,
    send() {
      saved++;
      return localPath('/');
    },
  });
  for (const change of [{}, { _change: 'fill people' }]) {
    const other = createVisitor(site);
    const refused = await other.post('/?send', { _cells_people: CELLS, ...change });
    assert.equal(refused.status, 401);
    const next = /href="(\/login\?next=[^"]*)"/
      .exec(bodyText(refused))?.[1]
      ?.replaceAll('&amp;', '&');
    const path = new URL(next ?? '', 'http://x').searchParams.get('next') ?? '';
    await other.post('/enter', {});
    const filled = await other.follow(await other.get(path));
    assert.match(
      bodyText(filled),
      /<details class="paste" open>[\s\S]*>\nName\nAda\nBob\n<\/textarea>/,
    );
    const done = await other.submit(filled, { _cells_people: CELLS, _change: 'fill people' });
    assert.match(bodyText(done), /2 rows were added\./);
  }
  assert.equal(saved, 0);
});

test('steps keep cells, list no field for them, and go on only when they are in the rows', async () => {
  const list = steps()
    .step('who', defineForm({ people: people() }), { title: 'Who' })
    .step('note', defineForm({ note: textField({ label: 'Note', maxLength: 80 }) }), {
      title: 'Note',
    });
  const site = createSite(createMemoryStores(), { log: false });
  stepPages(site, '/trip', list, {
    button: 'Send',
    show: ({ formHtml }) => html`<main>${formHtml}</main>`,
    send: () => localPath('/trip'),
  });
  const visitor = createVisitor(site);
  const filled = await visitor.submit('/trip', { _cells_people: CELLS });
  assert.equal(filled.status, 200);
  assert.match(bodyText(filled), /2 rows were added\./);
  const named = { 'people.0.name': 'Ada', 'people.1.name': 'Bob' };
  const next = await visitor.submit(filled, { ...named, _cells_people: '' });
  const note = await visitor.follow(next);
  const check = await visitor.follow(await visitor.submit(note, { note: 'x' }));
  assert.match(bodyText(check), /Person 2: Name[\s\S]*Bob/);
  assert.ok(!bodyText(check).includes('Paste cells'));
});

test('in groups and choices, and with a layout of your own, the cells stand with their rows', async () => {
  const form = defineForm({
    group: fieldGroup({ label: 'Group', fields: { people: people() } }),
    pay: choiceGroup({
      label: 'Pay',
      choices: {
        all: { label: 'All', fields: { payers: people('Payer') } },
        none: { label: 'None' },
      },
    }),
  });
  const blank = blankForm(form);
  assert.equal(formField(blank, 'group.people').markup.split('_cells_people"').length - 1, 3);
  assert.deepEqual(
    Array.from(blank, ({ key }) => key),
    ['group', 'pay'],
  );
  const router = createRouter().post('/', readForm(form), ({ form, status }) =>
    text(`${JSON.stringify(form.text)} ${form.focus}`, status as 200),
  );
  const send = async (name: string, change: string) => {
    const body = { [name]: CELLS, _change: `fill ${change}`, pay: 'all' };
    const answer = await router.handle(post('/', body));
    return String(answer.body);
  };
  assert.match(
    await send('group._cells_people', 'group.people'),
    /"_cells_people":"","people":\[\{"name":"Ada"\},\{"name":"Bob"\}\].* group\.people$/,
  );
  assert.match(
    await send('pay.all._cells_payers', 'pay.all.payers'),
    /"payers":\[\{"name":"Ada"\},\{"name":"Bob"\}\].* pay\.all\.payers$/,
  );
});

test('a button that does not check the rows sends the form without the cells', async () => {
  const form = defineForm({
    people: people(),
    button: buttonField({
      buttons: [
        { value: 'save', label: 'Save' },
        { value: 'remove', label: 'Remove', checks: [] },
      ],
    }),
  });
  const sent: string[] = [];
  const site = createSite(createMemoryStores(), { log: false });
  formPage(site, '/', form, {
    button: null,
    show: ({ formHtml }) => formHtml,
    send: {
      save({ values }) {
        sent.push(`save ${Object.keys(values)}`);
        return localPath('/');
      },
      remove() {
        sent.push('remove');
        return localPath('/');
      },
    },
  });
  const visitor = createVisitor(site);
  const removed = await visitor.submit('/', { _cells_people: CELLS, button: 'remove' });
  assert.equal(removed.status, 303);
  assert.equal((await visitor.submit('/', { _cells_people: CELLS })).status, 200);
  const named = { 'people.0.name': 'Ada', _cells_people: ' \n' };
  assert.equal((await visitor.submit('/', named)).status, 303);
  assert.deepEqual(sent, ['remove', 'save people,button']);
});

test('a form whose rows fill a page has no more of them than it can keep', async () => {
  const note = textField({ label: 'Note', maxLength: 1_000 });
  const form = defineForm({
    list: rows({
      label: 'List',
      name: 'Row',
      fields: { note, more: note },
      max: 1_000,
      paste: true,
    }),
  });
  const site = createSite(createMemoryStores(), { log: false });
  let count = 0;
  formPage(site, '/', form, {
    button: 'Save',
    show: ({ formHtml }) => formHtml,
    send({ values }) {
      count = values.list.length;
      return localPath('/');
    },
  });
  const visitor = createVisitor(site);
  const cells = `Note\tMore\n${`${'<'.repeat(30)}${'x'.repeat(160)}\t${'y'.repeat(60)}\n`.repeat(1_000)}`;
  const filled = await visitor.submit('/', { _cells_list: cells, _change: 'fill list' });
  const said = bodyText(filled);
  const added = Number(/(\d+) rows were added/.exec(said)?.[1]);
  const left = Number(/no space for (\d+) more rows/.exec(said)?.[1] ?? 0);
  assert.ok(added > 500, `${added} were added`);
  assert.equal(added + left, 1_000);
  assert.ok(!said.includes('are left out'));
  const fields = [...said.matchAll(/name="(list\.\d+[.\w]*)"[^>]*? value="([^"]*)"/g)];
  const all = Object.fromEntries(fields.map(([, name = '', text = '']) => [name, text]));
  assert.equal((await visitor.submit('/', all)).status, 303);
  assert.equal(count, added);
});

test('the texts of cells need no translation', () => {
  const form = defineForm({ people: people() });
  assert.deepEqual(missingTexts(form, german), ['People', 'Person', 'Name', 'Enter a name']);
});
