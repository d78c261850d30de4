/** A form with fields that an administrator defines, which may change between the page and what is sent. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Field } from '../field/field.ts';
import { textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { errorSummary, formField, formTag } from '../form/form-markup.ts';
import { withFields } from '../form/run-time-fields.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { seeOther, withSession } from '../http/response.ts';
import { requireSession } from '../session/require-session.ts';
import { startSession } from '../session/session-change.ts';
import { bodyText, createVisitor, hiddenFields } from '../testing/visitor.ts';
import { createSite } from './create-site.ts';
import { createFormHandlers, type FormNeeds } from './form-handlers.ts';
import { createMemoryStores } from './stores.ts';

const HOME = localPath('/');
const form = defineForm({
  name: textField({ label: 'Name', required: 'Enter a name', maxLength: 99 }),
});

type Own = Record<`own_${number}`, Field<string>>;

function openThings() {
  const own: Own = { own_1: textField({ label: 'Volts', maxLength: 99 }) };
  const done: unknown[] = [];
  const site = createSite(createMemoryStores(), { log: false, errors: { report: () => {} } }).post(
    '/login',
    () => withSession(seeOther(HOME), startSession({ id: 1, name: 'Ada' })),
  );
  const add = createFormHandlers<FormNeeds>()(() => withFields(form, { ...own }), {
    name: 'add',
    show: ({ form, isDraft }) => html`<main>${isDraft ? 'draft' : null}${errorSummary(form)}
${formTag(form, html`${form.definition.names.map((name) => formField(form, name as 'name'))}<button>Add</button>`)}</main>`,
    send({ values }) {
      const { name }: { name: string } = values;
      // @ts-expect-error there is no such field
      assert.equal(values.serial, undefined);
      const volts: string | undefined = values.own_1;
      done.push([name, volts, values.own_2]);
      return HOME;
    },
  });
  site.get('/', add.show).post('/', ...add.post);
  site.get('/members', requireSession, add.show).post('/members', requireSession, ...add.post);
  return { own, done, visitor: createVisitor(site) };
}

test('fields that are known at run time are read by their names', async () => {
  const { done, visitor } = openThings();
  const sent = { ...hiddenFields(bodyText(await visitor.get('/'))), name: 'Drill', own_1: '230' };
  assert.equal((await visitor.post('/', sent)).status, 303);
  assert.deepEqual(done, [['Drill', '230', undefined]]);
});

test('what was typed into a field that is gone is told once, beside what is new', async () => {
  const { own, done, visitor } = openThings();
  const sent = { ...hiddenFields(bodyText(await visitor.get('/'))), name: 'Drill', own_1: '2<3' };
  delete own.own_1;
  own.own_2 = textField({ label: 'Maker', maxLength: 99 });
  const refused = await visitor.post('/', sent);
  assert.equal(refused.status, 400);
  const page = bodyText(refused);
  assert.match(page, /“Volts” is no longer part of this form. You had entered: 2&lt;3/);
  assert.match(page, /href="#own_2">“Maker” is new in this form/);
  assert.match(page, /value="Drill"/);
  assert.deepEqual(done, []);
  const again = { ...hiddenFields(page), name: 'Drill', own_2: 'Bosch' };
  assert.equal((await visitor.post('/', again)).status, 303);
  assert.deepEqual(done, [['Drill', undefined, 'Bosch']]);
});

test('a form that was carried out is not refused for a field that is gone by now', async () => {
  const { own, done, visitor } = openThings();
  const sent = { ...hiddenFields(bodyText(await visitor.get('/'))), name: 'Drill', own_1: '230' };
  assert.equal((await visitor.post('/', sent)).status, 303);
  delete own.own_1;
  assert.equal((await visitor.post('/', sent)).status, 303);
  assert.equal(done.length, 1);
});

test('a new field that is required says that it is new; an empty one that is gone is no error', async () => {
  const { own, done, visitor } = openThings();
  const sent = { ...hiddenFields(bodyText(await visitor.get('/'))), name: 'Drill', own_1: '' };
  delete own.own_1;
  assert.equal((await visitor.post('/', sent)).status, 303);
  own.own_2 = textField({ label: 'Maker', maxLength: 99, required: 'Enter the maker' });
  const refused = bodyText(await visitor.post('/', { ...sent, name: 'Saw' }));
  assert.match(refused, /“Maker” is new in this form. Enter the maker/);
  assert.equal(done.length, 1);
});

test('a draft of before the log-in tells what is gone', async () => {
  const { own, visitor } = openThings();
  const page = bodyText(await visitor.get('/'));
  const sent = { ...hiddenFields(page), name: 'Drill', own_1: '230' };
  const refused = bodyText(await visitor.post('/members', sent));
  const [, next = ''] = /next=([^"]+)"/.exec(refused) ?? [];
  await visitor.post('/login', {});
  delete own.own_1;
  const back = await visitor.follow(await visitor.get(decodeURIComponent(next)));
  assert.match(bodyText(back), /draft.*“Volts” is no longer.*: 230.*value="Drill"/s);
});

test('a program that sends no list, and one that sends nonsense, are not told of fields', async () => {
  const { visitor, done } = openThings();
  for (const _fields of ['', 'x', '{}', '[["own_9"],7,["__proto__","x"]]'])
    assert.equal((await visitor.post('/', { name: 'Drill', own_9: '230', _fields })).status, 303);
  assert.equal(done.length, 4);
});

test('fields are added to a form once, and to none with a schema', () => {
  const name = textField({ label: 'Name', maxLength: 9 });
  assert.throws(() => withFields(form, { name }), /has one of that name/);
  const schema = {
    '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) },
  } as const;
  assert.throws(() => withFields(defineForm({ name }, { schema }), {}), /a form with a schema/);
});

test('the function knows what fills a field that only its answer brings', async () => {
  const site = createSite(createMemoryStores(), { log: false });
  const own = textField({ label: 'Volts', maxLength: 9 });
  const { show } = createFormHandlers<FormNeeds>()(
    ({ typed }) => withFields(form, (typed.has('own_1') ? { own_1: own } : {}) as Own),
    {
      name: 'edit',
      fill: () => ({ name: 'Drill', own_1: '230' }),
      show: ({ form }) => formTag(form, html`${[...form].map((part) => formField(form, part))}`),
      send: () => HOME,
    },
  );
  const page = bodyText(await createVisitor(site.get('/', show)).get('/'));
  assert.match(page, /value="Drill".*value="230"/s);
});
