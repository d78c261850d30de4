import assert from 'node:assert/strict';
import test from 'node:test';
import { checkboxField, textField, wholeNumberField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { createSite } from '../site/create-site.ts';
import { createMemoryStores } from '../site/stores.ts';
import { bodyText, createVisitor, type Visitor } from '../testing/visitor.ts';
import { stepPages } from './step-pages.ts';
import { steps } from './steps.ts';

const nameForm = defineForm({
  name: textField({ label: 'Name', required: 'Write', maxLength: 9 }),
});
const peopleForm = defineForm({
  people: wholeNumberField({
    label: 'People',
    required: 'Enter a number',
    min: 1,
    max: 9,
    default: 2,
  }),
  meals: checkboxField({ label: 'Meals' }),
});
const party = steps()
  .step('host', nameForm, { title: 'Host' })
  .step('people', peopleForm, { title: 'People' })
  .step('menu', nameForm, { title: 'Menu', when: ({ people }) => people.meals })
  .step('drinks', ({ host }) => (host.name === '' ? peopleForm : nameForm), { title: 'Drinks' })
  .step('notes', nameForm, { title: 'Notes' });

function openParty(): Visitor {
  const site = createSite(createMemoryStores(), { log: false, errors: { report: () => {} } });
  return createVisitor(
    stepPages(site, '/party', party, {
      button: 'Send',
      show: ({ position, overview, formWith, answers }) =>
        html`<main>${overview}<p>${position}</p>${formWith({ people: html`<p>Total: ${(answers.people?.people ?? 0) * 20} €</p>` })}</main>`,
      send: () => localPath('/'),
    }),
  );
}

/** Each line as `name state`, with the query of its link after `>`. */
async function linesOn(visitor: Visitor, path: string): Promise<readonly string[]> {
  const page = bodyText(await visitor.get(path));
  return [...page.matchAll(/<li class="step-\w+">(.*?) <span class="hint">(.*?)<\/span>/g)].map(
    ([, name = '', state]) => {
      const link = /^<a href="[^"?]+\/([\w-]+(?:\?change)?)">/.exec(name);
      const current = name.includes(' aria-current="step"') ? ' (here)' : '';
      const title = name.replaceAll(/<[^>]+>/g, '');
      return `${title}${current}: ${state}${link === null ? '' : ` > ${link[1]}`}`;
    },
  );
}

const next = async (visitor: Visitor, path: string, fields: Readonly<Record<string, string>>) =>
  String((await visitor.submit(path, fields)).headers['Location']);

test('a field that is not listed is no answer', async () => {
  const find = textField({ label: 'Find', maxLength: 9, update: 'Find', listed: false });
  const found = steps().step('host', defineForm({ find, ...nameForm.fields }), { title: 'Host' });
  const site = createSite(createMemoryStores(), { log: false });
  const visitor = createVisitor(
    stepPages(site, '/found', found, {
      button: 'Send',
      show: ({ formHtml }) => html`<main>${formHtml}</main>`,
      send: () => localPath('/'),
    }),
  );
  const check = await visitor.follow(await visitor.submit('/found', { find: 'Gr', name: 'Grace' }));
  assert.deepEqual(
    [...bodyText(check).matchAll(/<dt>(.*?)<\/dt>/g)].map(([, name]) => name),
    ['Name'],
  );
});

test('the overview has all steps, with what is missing and what cannot be told yet', async () => {
  const visitor = openParty();
  assert.deepEqual(await linesOn(visitor, '/party'), [
    'Host (here): To do',
    'People: To do',
    'Menu: Cannot start yet',
    'Drinks: Cannot start yet',
    'Notes: To do',
    'Check your answers: Cannot start yet',
  ]);
  const people = await next(visitor, '/party', { name: 'Ada' });
  assert.deepEqual(await linesOn(visitor, people), [
    'Host: Completed > host?change',
    'People (here): To do',
    'Menu: Cannot start yet',
    'Drinks: Cannot start yet',
    'Notes: To do > notes',
    'Check your answers: Cannot start yet',
  ]);
  const drinks = await next(visitor, people, { people: '3' });
  assert.match(drinks, /\/drinks$/);
  assert.equal((await linesOn(visitor, drinks))[2], 'Menu: Not needed');
  await next(visitor, drinks, { name: 'Tea' });
  const check = await next(visitor, drinks.replace('drinks', 'notes'), { name: 'x' });
  assert.deepEqual(await linesOn(visitor, check), [
    'Host: Completed > host?change',
    'People: Completed > people?change',
    'Menu: Not needed',
    'Drinks: Completed > drinks?change',
    'Notes: Completed > notes?change',
    'Check your answers (here): To do',
  ]);
});

test('a step that depends on no answer is answered first, and what is missing opens with its error', async () => {
  const visitor = openParty();
  const people = await next(visitor, '/party', { name: 'Ada' });
  const notes = people.replace('people', 'notes');
  const shown = bodyText(await visitor.get(notes));
  assert.match(shown, /<p><\/p>/, 'its number depends on the condition of the menu');
  // Back stores what is not valid.
  const page = await visitor.get(people);
  const token = / name="_once" value="([^"]+)"/.exec(bodyText(page))?.[1] ?? '';
  await visitor.post(`${people}?back`, { _once: token, people: 'many' });
  assert.equal(await next(visitor, notes, { name: 'Quiet' }), people);
  assert.equal((await linesOn(visitor, notes))[1], 'People: To do > people?change');
  assert.match(bodyText(await visitor.get(`${people}?change`)), /People must be a whole number/);
  assert.equal(
    (await visitor.get(people.replace('people', 'check'))).headers['Location'],
    `${people}?change`,
  );
  const menu = await next(visitor, `${people}?change`, { people: '3', meals: 'on' });
  assert.match(menu, /\/menu\?change$/);
  const drinks = await next(visitor, menu, { name: 'Soup' });
  const check = await next(visitor, drinks, { name: 'Tea' });
  assert.match(check, /\/check$/, 'the notes are answered');
  const all = bodyText(await visitor.get(check));
  assert.match(all, /<h2>People<\/h2>[\s\S]*<\/dl>\n<p>Total: 60 €<\/p><h2>Menu<\/h2>/);
  assert.match(all, /Quiet/);
});
