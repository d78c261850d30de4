/** A form that a link fills: `?course=7`. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { choiceField, choicesField } from '../field/choice-field.ts';
import { passwordField, textField } from '../field/fields.ts';
import { type Decimal, decimalField } from '../field/number-fields.ts';
import { defineForm } from '../form/define-form.ts';
import { formLink } from '../form/form-link.ts';
import { localPath } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import { english } from '../language/english.ts';
import { german } from '../language/german.ts';
import { stepPages } from '../steps/step-pages.ts';
import { steps } from '../steps/steps.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { createSite } from './create-site.ts';
import { formPage } from './form-page.ts';
import { createMemoryStores } from './stores.ts';

const course = choiceField({ label: 'Course', choices: [{ value: 7, label: 'Chess' }] });
const form = defineForm({
  course,
  size: decimalField({ label: 'Size', min: 0, max: 9_000, step: '0.001' }),
  days: choicesField({
    label: 'Days',
    choices: [
      { value: 'sat', label: 'S' },
      { value: 'sun', label: 'U' },
    ],
  }),
  note: textField({ label: 'Note', maxLength: 9 }),
});

function open(linked: readonly ('course' | 'size' | 'days' | 'note')[]) {
  const site = createSite(createMemoryStores(), { log: false, languages: [english, german] });
  formPage(site, '/book', form, {
    button: 'Book',
    linked,
    fill: () => ({ note: 'filled' }),
    show: ({ formHtml }) => formHtml,
    send: () => localPath('/'),
  });
  return createVisitor(site);
}

test('a link fills the fields that the page lists, as the language of the page writes them', async () => {
  const link = formLink(localPath('/book'), form, {
    course: 7,
    size: '1234.5' as Decimal,
    days: ['sun'],
    note: 'x&y',
  });
  assert.equal(link, '/book?course=7&size=1%2C234.5&days=sun&note=x%26y');
  const visitor = open(['course', 'size', 'days']);
  const page = bodyText(await visitor.get(link, { headers: { 'accept-language': 'de' } }));
  assert.match(page, /value="7" selected/);
  assert.match(page, /value="1.234,500"/);
  assert.match(page, /value="sun" checked/);
  assert.match(page, /value="filled"/);
  assert.equal(formLink(localPath('/book'), form, {}), '/book');
  // @ts-expect-error there is no such course
  formLink(localPath('/book'), form, { course: 8 });
});

test('unknown, wrong and repeated values of a link are ignored', async () => {
  const visitor = open(['course', 'size', 'note']);
  const page = bodyText(
    await visitor.get('/book?course=8&size=many&note=a&note=b&days=sun&__proto__=x&other=1'),
  );
  assert.match(page, /value="filled"/);
  assert.doesNotMatch(page, /selected>Chess|value="many|value="sun" checked|error/);
});

test('a link fills fields whose choices depend on each other, of a form that a function makes', async () => {
  const calls: string[] = [];
  const site = createSite(createMemoryStores(), { log: false });
  formPage(
    site,
    '/book',
    ({ typed }) => {
      calls.push(`${typed}`);
      const is = (name: string, text: string) => typed.get(name) === text;
      return defineForm({
        area: choiceField({ label: 'Area', choices: ['wood', 'metal'], update: 'Update' }),
        machine: choiceField({ label: 'Machine', choices: is('area', 'wood') ? ['1'] : [] }),
        hour: choiceField({ label: 'Hour', choices: is('machine', '1') ? ['9', '10'] : [] }),
      });
    },
    {
      button: 'Book',
      linked: ['area', 'machine', 'hour'],
      show: ({ formHtml }) => formHtml,
      send: () => localPath('/'),
    },
  );
  const visitor = createVisitor(site);
  const page = bodyText(await visitor.get('/book?area=wood&machine=1&hour=9'));
  assert.match(page, /value="wood" selected.*value="1" selected.*value="9" selected/s);
  assert.equal(calls.length, 4);
  calls.length = 0;
  assert.match(bodyText(await visitor.get('/book?area=wood')), /value="wood" selected/);
  assert.deepEqual(calls, ['', 'area=wood&machine=&hour=']);
});

test('a link that was opened before the form is sent fills nothing over what was typed', async () => {
  const refused = await open(['note']).submit('/book?note=linked', { note: 'far too long' });
  assert.match(bodyText(refused), /action="\?send&amp;note=linked".*value="far too long"/s);
});

test('a link fills the first page of steps, and no answer that is stored', async () => {
  const site = createSite(createMemoryStores(), { log: false });
  const last = defineForm({ note: textField({ label: 'Note', maxLength: 9 }) });
  const book = steps()
    .step('course', form, { title: 'Course' })
    .step('last', last, { title: 'Last' });
  const options = { button: 'Book', show: ({ formHtml }: { formHtml: Html }) => formHtml };
  stepPages(site, '/book', book, { ...options, linked: ['course'], send: () => localPath('/') });
  const visitor = createVisitor(site);
  const page = await visitor.get(formLink(localPath('/book'), form, { course: 7 }));
  assert.match(bodyText(page), /value="7" selected/);
  const led = String((await visitor.submit(page, { course: '' })).headers['Location']);
  const stored = bodyText(await visitor.get(`${led.replace('last', 'course')}?course=7`));
  assert.doesNotMatch(stored, /value="7" selected/);
  assert.throws(
    () =>
      stepPages(site, '/other', book, {
        ...options,
        linked: ['size', 'file'],
        send: () => localPath('/'),
      }),
    /Cannot fill the field "file" of course by a link/,
  );
});

test('no link can fill a password', () => {
  const secret = defineForm({
    password: passwordField({ label: 'P', required: 'P', minLength: 1, maxLength: 9 }),
  });
  assert.throws(
    () =>
      formPage(createSite(createMemoryStores()), '/', secret, {
        button: 'Go',
        linked: ['password'],
        show: ({ formHtml }) => html`${formHtml}`,
        act: () => ({ errors: [] }),
      }),
    /Cannot fill the field "password" of \/ by a link/,
  );
});
