import assert from 'node:assert/strict';
import test from 'node:test';
import * as v from 'valibot';
import { choiceField, choicesField } from '../field/choice-field.ts';
import { checkboxField, hiddenField, textField, wholeNumberField } from '../field/fields.ts';
import { html } from '../http/html.ts';
import { text } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { post } from '../testing/make-request.ts';
import { runReadForm } from '../testing/run-read-form.ts';
import { toChange } from './change-form.ts';
import {
  blankForm,
  defineForm,
  type Fields,
  type FilledForm,
  type FormValues,
} from './define-form.ts';
import { choiceGroup, fieldGroup, rows } from './field-set.ts';
import { errorSummary, formField, formTag } from './form-markup.ts';
import { readForm } from './read-form.ts';

const name = textField({ label: 'Name', required: 'Enter a name', maxLength: 20 });

const form = defineForm({
  title: textField({ label: 'Title', maxLength: 20 }),
  topics: choicesField({
    label: 'Topics',
    choices: [
      { value: 'a', label: 'A' },
      { value: 'b', label: 'B' },
    ],
  }),
  address: fieldGroup({
    label: 'Address',
    fields: { street: textField({ label: 'Street', required: 'Enter a street', maxLength: 20 }) },
  }),
  contact: choiceGroup({
    label: 'Contact',
    required: 'Choose how to contact you',
    choices: {
      post: { label: 'By post' },
      phone: {
        label: 'By phone',
        fields: {
          number: textField({ label: 'Number', required: 'Enter a number', maxLength: 9 }),
        },
      },
    },
  }),
  people: rows({
    label: 'Participants',
    name: 'Participant',
    fields: {
      name,
      age: wholeNumberField({ label: 'Age', min: 0, max: 150, default: null }),
      vegan: checkboxField({ label: 'Vegan' }),
    },
    min: 1,
    max: 3,
    ordered: true,
  }),
});

const read = (body: string) => runReadForm(form, body);

const FULL =
  'title=T&topics=b&topics=a&address.street=Elm&contact=phone&contact.phone.number=12&people.0.name=Ada&people.0.age=36&people.1=row&people.1.name=Bob&people.1.vegan=on&_once=k';

test('the values are nested like the definition, and so are their types', async () => {
  const { validation } = await read(FULL);
  assert.ok(validation.valid);
  const values: FormValues<typeof form.fields> = validation.values;
  assert.deepEqual(values, {
    title: 'T',
    topics: ['a', 'b'],
    address: { street: 'Elm' },
    contact: { choice: 'phone', number: '12' },
    people: [
      { name: 'Ada', age: 36, vegan: false },
      { name: 'Bob', age: null, vegan: true },
    ],
  });
  const { people, topics, contact }: FormValues<typeof form.fields> = validation.values;
  const second: string | undefined = people[1]?.name;
  assert.equal(second, 'Bob');
  const topic: 'a' | 'b' | undefined = topics[0];
  assert.equal(topic, 'a');
  // @ts-expect-error only the choice "phone" has a number
  assert.equal(contact.number, '12');
  assert.equal(contact.choice === 'phone' && contact.number, '12');
});

test('an error names the path of its field, and its row in the summary', async () => {
  const {
    validation,
    form: filled,
    status,
  } = await read('contact=phone&address.street=&people.0.name=&people.0.age=x&people.1.name=Bob');
  assert.ok(!validation.valid);
  assert.equal(status, 400);
  assert.deepEqual(validation.errors, [
    { field: 'address.street', message: 'Enter a street' },
    { field: 'contact.phone.number', message: 'Enter a number' },
    { field: 'people.0.name', message: 'Enter a name', row: 'Participant 1' },
    { field: 'people.0.age', message: 'Age must be a whole number, like 3', row: 'Participant 1' },
  ]);
  const { markup } = errorSummary(filled) ?? assert.fail();
  assert.match(markup, /<a href="#people\.0\.name">Participant 1: enter a name<\/a>/);
  const drawn = formField(filled, 'people').markup;
  assert.match(
    drawn,
    /<p class="field-error" id="people\.0\.name-error"><span[^>]*>Error:<\/span> Enter a name<\/p>/,
  );
  assert.match(drawn, /name="people\.0\.age" value="x"/);
});

test('fields of a choice that is not chosen do not count, and keep their text', async () => {
  const { validation, form: filled } = await read(FULL.replace('contact=phone', 'contact=post'));
  assert.ok(validation.valid);
  assert.deepEqual(validation.values.contact, { choice: 'post' });
  assert.match(formField(filled, 'contact').markup, /name="contact\.phone\.number" value="12"/);
});

test('rows are read by index, gaps are closed up, and a row without an answer is a row', async () => {
  const { form: filled } = await read('people.7.name=Bob&people.2=row&people.10.name=Cleo');
  assert.deepEqual(
    filled.text.people.map((row) => row.name),
    ['', 'Bob', 'Cleo'],
  );
});

for (const index of [
  '__proto__',
  '1000',
  '1000000000',
  '01',
  '-1',
  '+1',
  '1e2',
  '',
  'constructor',
  '0x1',
  '٣',
])
  test(`a row with the index ${JSON.stringify(index)} is refused`, async () => {
    const body = `people.${encodeURIComponent(index)}.name=x`;
    await assert.rejects(read(body), /^HttpError: The form cannot be read/);
  });

test('a cell that is sent twice is an error of that cell', async () => {
  const { validation } = await read(`${FULL}&people.0.name=Eve`);
  assert.ok(!validation.valid);
  assert.deepEqual(validation.errors, [
    { field: 'people.0.name', message: 'Name was sent twice; send it once', row: 'Participant 1' },
  ]);
});

test('fewer rows than min, and more than max, are an error of the list', async () => {
  const none = await read('address.street=Elm&contact=post');
  assert.ok(!none.validation.valid);
  assert.deepEqual(none.validation.errors, [
    { field: 'people', message: 'Add at least 1 of Participants' },
  ]);
  const many = [0, 1, 2, 3].map((at) => `people.${at}.name=x`).join('&');
  const four = await read(`address.street=Elm&contact=post&${many}`);
  assert.ok(!four.validation.valid);
  assert.deepEqual(four.validation.errors, [
    { field: 'people', message: 'Participants must be 3 or fewer' },
  ]);
  assert.equal(four.form.text.people.length, 4);
});

/** The names of the participants, in their order, after the button. */
async function change(button: string): Promise<FilledForm<typeof form.fields>> {
  const {
    form: changed,
    validation,
    status,
  } = await read(`${FULL}&_change=${encodeURIComponent(button)}`);
  assert.deepEqual(validation, { valid: false, errors: [] });
  assert.equal(status, 200);
  assert.equal(changed.text.title, 'T');
  assert.equal(changed.once, 'k');
  return changed;
}

const namesOf = ({ text }: FilledForm<typeof form.fields>) => text.people.map((row) => row.name);

test('a button adds a row, removes it, or moves it up, and the focus is on it', async () => {
  const added = await change(toChange('add', 'people'));
  assert.deepEqual(namesOf(added), ['Ada', 'Bob', '']);
  assert.equal(added.focus, 'people.2.name');
  const removed = await change(toChange('remove', 'people.0'));
  assert.deepEqual(namesOf(removed), ['Bob']);
  assert.equal(removed.text.people[0]?.vegan, 'on');
  const moved = await change(toChange('up', 'people.1'));
  assert.deepEqual(namesOf(moved), ['Bob', 'Ada']);
  assert.equal(moved.focus, 'people.0.name');
  assert.match(
    formField(moved, 'people').markup,
    /<input type="text" id="people\.0\.name"[^>]* autofocus>/,
  );
});

test('a button that the form does not know changes nothing, and nothing is lost', async () => {
  for (const button of [
    'add title',
    'remove people.9',
    'up people.0',
    'drop people.0',
    'x',
    'add __proto__',
  ])
    assert.deepEqual(namesOf(await change(button)), ['Ada', 'Bob'], button);
});

test('no row is added beyond the most', async () => {
  const { form: full } = await read(`${FULL}&people.2.name=C&_change=add+people`);
  assert.equal(full.text.people.length, 3);
  assert.doesNotMatch(formField(full, 'people').markup, /Add another/);
});

test('an empty form has its first rows, and fill gives them text', () => {
  assert.equal(blankForm(form).text.people.length, 1);
  const filled = blankForm(form, { people: [{ name: 'Ada' }, { vegan: 'on' }], topics: ['a'] });
  assert.deepEqual(namesOf(filled), ['Ada', '']);
  assert.match(formField(filled, 'topics').markup, /value="a" checked/);
  // @ts-expect-error a row has no field "colour"
  assert.equal(blankForm(form, { people: [{ colour: 'red' }] }).text.people.length, 1);
});

test('a row is a fieldset with a legend, and its buttons name it', () => {
  const { markup } = formField(blankForm(form), 'people');
  assert.match(
    markup,
    /<fieldset class="row" id="people\.0" tabindex="-1">\n<legend>Participant 1<\/legend>\n<input type="hidden" name="people\.0" value="row">/,
  );
  assert.match(
    markup,
    /<button class="quiet" name="_change" value="remove people\.0">Remove<span class="visually-hidden"> participant 1<\/span><\/button>/,
  );
  assert.match(
    markup,
    /value="add people">Add another<span class="visually-hidden"> participant<\/span>/,
  );
});

test('rows of records that exist have no buttons, and are named by a text of their own', async () => {
  const shelf = defineForm({
    items: rows({
      label: 'Items',
      name: 'Item',
      fields: {
        thing: hiddenField(),
        count: wholeNumberField({ label: 'Count', min: 0, max: 9, default: null }),
      },
      max: 100,
      fixed: true,
      title: 'thing',
      schema: v.pipe(
        v.object({ thing: v.string(), count: v.nullable(v.number()) }),
        v.forward(
          v.check(({ count }) => count !== 7, 'Count it again'),
          ['count'],
        ),
      ),
    }),
  });
  const filled = blankForm(shelf, { items: [{ thing: 'Chair', count: '3' }, { thing: 'Desk' }] });
  assert.equal(blankForm(shelf).text.items.length, 0);
  const { markup } = formTag(filled, formField(filled, 'items'));
  assert.match(markup, /<legend>Chair<\/legend>/);
  assert.doesNotMatch(markup, /<button/);
  // A field that is drawn alone, as in the cell of a table, is named too.
  assert.match(
    formField(filled, 'items.1.count').markup,
    /^<div class="field">\n<label for="items\.1\.count">Count<span class="visually-hidden"> Desk<\/span> <span class="optional">/,
  );
  const router = createRouter().post(
    '/',
    readForm(shelf),
    ({ form: { text: typed }, validation }) =>
      text(JSON.stringify([typed.items.length, validation.valid || validation.errors])),
  );
  const send = async (more: string) => {
    const sent = 'items.0.thing=Chair&items.0.count=3&items.1.thing=Desk&items.1.count=';
    return JSON.parse(`${(await router.handle(post('/', sent + more))).body}`);
  };
  const wrong = (message: string) => [2, [{ field: 'items.1.count', message, row: 'Desk' }]];
  assert.deepEqual(await send('5'), [2, true]);
  assert.deepEqual(await send('12'), wrong('Count must be between 0 and 9'));
  assert.deepEqual(await send('7'), wrong('Count it again'));
  for (const change of ['add+items', 'remove+items.0'])
    assert.deepEqual(await send(`&_change=${change}`), [2, []], change);
});

test('Enter presses the first button of the form, and not one that changes a row', () => {
  const { markup } = formTag(blankForm(form), html`x`);
  assert.match(
    markup,
    /<form method="post" action="\?send" novalidate>\n<input type="hidden" name="_once"[^>]*><span hidden>.*<\/span><button class="visually-hidden"/,
  );
});

test('the schema of a row and of a group names the cell, and messages do not compile without fields', async () => {
  const pair = rows({
    label: 'Stays',
    name: 'Stay',
    fields: {
      from: wholeNumberField({ label: 'From', min: 0, max: 9, default: 0 }),
      to: wholeNumberField({ label: 'To', min: 0, max: 9, default: 0 }),
    },
    max: 3,
    schema: v.pipe(
      v.object({ from: v.number(), to: v.number() }),
      v.forward(
        v.check(({ from, to }) => from <= to, 'Enter a later day'),
        ['to'],
      ),
      v.transform(({ from, to }) => to - from),
    ),
  });
  const stays = defineForm({ stays: pair, other: choiceField({ label: 'Other', choices: [] }) });
  const router = createRouter().post('/', readForm(stays), ({ validation }) => {
    if (!validation.valid) return text(JSON.stringify(validation.errors));
    const days: readonly number[] = validation.values.stays;
    return text(days.join());
  });
  const send = async (body: string) => (await router.handle(post('/', body))).body;
  assert.equal(await send('stays.0.from=1&stays.0.to=4&stays.1.to=2'), '3,2');
  assert.equal(
    await send('stays.0.to=4&stays.1.from=3&stays.1.to=2'),
    '[{"field":"stays.1.to","message":"Enter a later day","row":"Stay 2"}]',
  );
});

test('a choice is not named choice, which is the name of the text that tells it', () => {
  assert.throws(
    () =>
      choiceGroup({ label: 'Way', choices: { choice: { label: 'A choice', fields: { name } } } }),
    /^TypeError: Cannot define Way with the choice "choice": the value of the choice has this name/,
  );
});

test('a definition that is nested too deep, or with an impossible number of rows, is refused', () => {
  const nest = (depth: number): Fields[string] =>
    fieldGroup({
      label: 'G',
      fields: depth === 0 ? { name } : ({ inner: nest(depth - 1) } as Fields),
    });
  assert.throws(
    () => nest(4),
    /^TypeError: Cannot define the group G with fields that are nested more than 4 deep/,
  );
  const people = { label: 'People', name: 'Person', fields: { name } };
  assert.throws(() => rows({ ...people, max: 1_001 }), /a whole number from 1 to 1000/);
  assert.throws(() => rows({ ...people, min: 3, max: 2 }), /max must not be less/);
  assert.throws(() => rows({ ...people, max: 2, fixed: true, ordered: true }), /Leave out one/);
  assert.throws(
    () => rows({ ...people, max: 2, title: 'nick' as 'name' }),
    /^TypeError: Cannot name the rows People by "nick": name one of their fields/,
  );
});

test('a form may send as many fields as its rows have, and not many more', async () => {
  const large = defineForm({
    people: rows({ label: 'P', name: 'P', fields: { name, second: name }, max: 300 }),
  });
  const router = createRouter().post('/', readForm(large), ({ validation }) =>
    text(`${validation.valid}`),
  );
  const body = (count: number) =>
    Array.from(
      { length: count },
      (_, at) => `people.${at}=row&people.${at}.name=x&people.${at}.second=y`,
    ).join('&');
  assert.equal((await router.handle(post('/', body(300)))).body, 'true');
  await assert.rejects(async () => router.handle(post('/', body(400))), /more than 1,000 fields/);
});
