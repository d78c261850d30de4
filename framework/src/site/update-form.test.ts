/** The button of a field that others depend on: it shows the form again, made of what is typed so far. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { choiceField, choicesField } from '../field/choice-field.ts';
import { textField, wholeNumberField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { rows } from '../form/field-set.ts';
import type { TypedContext } from '../form/form-source.ts';
import { valuesOf } from '../form/validate-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { stepPages } from '../steps/step-pages.ts';
import { steps } from '../steps/steps.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { createSite } from './create-site.ts';
import { formPage } from './form-page.ts';
import { createMemoryStores } from './stores.ts';

const PEOPLE = ['Ada', 'Alan', 'Grace'];
const quantity = wholeNumberField({ label: 'Seats', min: 1, max: 9, default: 1, update: 'Update' });

function openTheatre() {
  const done: string[] = [];
  const site = createSite(createMemoryStores(), { log: false });
  formPage(
    site,
    '/',
    ({ typed }) => {
      const find = typed.get('find') ?? '';
      const found = PEOPLE.filter((name) => find !== '' && name.startsWith(find));
      return defineForm({
        quantity,
        find: textField({ label: 'Find a person', maxLength: 20, update: 'Find' }),
        person: choiceField({
          label: 'Person',
          required: 'Choose a person',
          as: 'radio',
          choices: found.map((name) => ({ value: name, label: name })),
        }),
      });
    },
    {
      button: 'Book',
      async show({ form, formWith }) {
        const { quantity: seats = 0 } = await valuesOf(form);
        return html`${formWith({ quantity: html`<output>${seats * 5} €</output>` })}`;
      },
      send({ values }) {
        done.push(`${values.person} ${values.quantity}`);
        return localPath('/');
      },
    },
  );
  return { done, visitor: createVisitor(site) };
}

test('the button shows the form again with what is typed, and what depends on it', async () => {
  const { done, visitor } = openTheatre();
  const first = bodyText(await visitor.get('/'));
  assert.match(first, /<output>5 €<\/output>/);
  assert.match(first, /<button class="visually-hidden"/);
  const sent = { quantity: '3', find: 'A', _change: 'update find' };
  const again = await visitor.submit('/', sent);
  assert.equal(again.status, 200);
  const page = bodyText(again);
  assert.match(page, /<output>15 €<\/output>.*value="A" autofocus.*value="Ada".*value="Alan"/s);
  assert.doesNotMatch(page, /error|Grace/);
  assert.deepEqual(done, []);
});

test('what was found and chosen is checked by what was searched', async () => {
  const { done, visitor } = openTheatre();
  const refused = await visitor.submit('/', { find: 'G', person: 'Ada' });
  assert.equal(refused.status, 400);
  assert.equal((await visitor.submit('/', { find: 'G', person: 'Grace' })).status, 303);
  assert.deepEqual(done, ['Grace 1']);
});

test('several people are found and chosen, one search after the other', async () => {
  const done: string[] = [];
  const site = createSite(createMemoryStores(), { log: false });
  const source = ({ typed }: TypedContext) => {
    const [find, chosen] = [typed.get('find') || '-', typed.getAll('people')];
    const found = PEOPLE.filter((name) => chosen.includes(name) || name.startsWith(find));
    return defineForm({
      find: textField({ label: 'Find people', maxLength: 20, update: 'Find' }),
      people: choicesField({
        label: 'People',
        required: 'Choose people',
        choices: found.map((name) => ({ value: name, label: name })),
      }),
    });
  };
  formPage(site, '/', source, {
    button: 'Invite',
    show: ({ formHtml }) => html`${formHtml}`,
    send({ values }) {
      done.push(...values.people);
      return localPath('/');
    },
  });
  const visitor = createVisitor(site);
  const update = { _change: 'update find' };
  const first = await visitor.submit('/', { ...update, find: 'A' });
  const second = await visitor.submit(first, { ...update, find: 'G', people: 'Alan' });
  const page = bodyText(second);
  assert.match(page, /value="Alan" checked>.*value="Grace">/s);
  assert.doesNotMatch(page, /value="Ada"/);
  const sent = await visitor.submit(second, { find: 'G', people: ['Alan', 'Grace'] });
  assert.equal(sent.status, 303);
  assert.deepEqual(done, ['Alan', 'Grace']);
});

test('a step shows what its own values and the answers before it sum up to', async () => {
  const site = createSite(createMemoryStores(), { log: false });
  const seats = defineForm({ quantity });
  const who = async ({ seats }: { seats: { quantity: number } }, typed: URLSearchParams) =>
    defineForm({
      find: textField({ label: 'Find', maxLength: 9, update: 'Find' }),
      person: choiceField({
        label: `Person for ${seats.quantity}`,
        required: 'Choose a person',
        choices: PEOPLE.filter((name) => name.startsWith(typed.get('find') || '-')).map((name) => ({
          value: name,
          label: name,
        })),
      }),
    });
  const extra = defineForm({
    meals: wholeNumberField({ label: 'Meals', min: 0, max: 9, default: 0 }),
  });
  stepPages(
    site,
    '/book',
    steps()
      .step('seats', seats, { title: 'Seats' })
      .step('who', who, { title: 'Who' })
      .step('extra', extra, { title: 'Extra' }),
    {
      button: 'Book',
      show: ({ answers, formWith }) => {
        const count: number | undefined = answers.seats?.quantity;
        const name: string | undefined = answers.who?.person;
        return html`${formWith({ quantity: html`<output>one</output>` })}<output>${count}${name}</output>`;
      },
      send: () => localPath('/'),
    },
  );
  const visitor = createVisitor(site);
  assert.match(bodyText(await visitor.get('/book')), /<output>one</);
  const again = await visitor.submit('/book', { quantity: '4', _change: 'update quantity' });
  assert.equal(again.status, 200);
  const hop = await visitor.submit('/book', { quantity: '4' });
  const next = await visitor.follow(hop);
  assert.match(bodyText(next), /<output>4<\/output>/);
  const path = String(hop.headers.Location);
  const found = await visitor.submit(path, { find: 'G', _change: 'update find' });
  assert.match(bodyText(found), /Person for 4.*<option value="Grace">/s);
  const last = await visitor.follow(await visitor.submit(path, { find: 'G', person: 'Grace' }));
  assert.match(bodyText(last), /<output>4Grace<\/output>/);
  // The stored answer is checked with the choices that its own search has found.
  assert.match(bodyText(await visitor.get(path)), /<option value="Grace" selected>/);
});

test('rows that a form needs are there after the update, and when a link fills the form', async () => {
  const site = createSite(createMemoryStores(), { log: false });
  const name = textField({ label: 'Name', maxLength: 20 });
  formPage(
    site,
    '/trip',
    ({ typed }) => {
      const count = Number(typed.get('people') || 1);
      return defineForm({
        people: wholeNumberField({ label: 'People', min: 1, max: 9, default: 1, update: 'Update' }),
        guests: rows({ label: 'Guests', name: 'Guest', fields: { name }, min: count, max: count }),
      });
    },
    {
      button: 'Book',
      linked: ['people'],
      fill: () => ({ guests: [{ name: 'Ada' }] }),
      show: ({ formHtml }) => formHtml,
      send: () => localPath('/'),
    },
  );
  const visitor = createVisitor(site);
  const namesOf = (markup: string) =>
    [...markup.matchAll(/name="guests\.\d+\.name"[^>]* value="(\w*)"/g)].map(([, text]) => text);
  const update = { people: '3', 'guests.0.name': 'Bob', _change: 'update people' };
  const shown = await visitor.submit('/trip', update);
  assert.deepEqual(namesOf(bodyText(shown)), ['Bob', '', '']);
  const more = { 'guests.1.name': 'Eve', 'guests.2.name': 'Kim' };
  const fewer = await visitor.submit(shown, { ...update, ...more, people: '2' });
  assert.deepEqual(namesOf(bodyText(fewer)), ['Bob', 'Eve', 'Kim']);
  assert.deepEqual(namesOf(bodyText(await visitor.get('/trip?people=2'))), ['Ada', '']);
});
