import assert from 'node:assert/strict';
import test from 'node:test';
import type { Middleware } from '../chain/context.ts';
import { checkboxField, hiddenField, passwordField, textField } from '../field/fields.ts';
import { html } from '../http/html.ts';
import { HttpError } from '../http/http-error.ts';
import { page } from '../http/response.ts';
import { catchErrors } from '../middleware/catch-errors.ts';
import { createRouter } from '../router/router.ts';
import { post, type RequestInit, type TypedFields } from '../testing/make-request.ts';
import { runReadForm } from '../testing/run-read-form.ts';
import { defineForm } from './define-form.ts';
import { fieldGroup, rows } from './field-set.ts';
import { type FormContext, readForm } from './read-form.ts';
import { readTyped, type TypedText } from './read-typed.ts';

const form = defineForm({
  name: textField({ label: 'Name', maxLength: 9 }),
  lent: checkboxField({ label: 'Lent out' }),
  kennwort: passwordField({ label: 'Secret', required: 'Enter it', minLength: 1, maxLength: 9 }),
  next: hiddenField(),
});
const LIMIT = 100;

/** The route does not show which form it reads; the request does, once it has run. */
const wrapped: Middleware<unknown, FormContext<typeof form.fields>> = (context, next) =>
  readForm(form, { limit: LIMIT })(context, next);

/** The text that the error page of a refused form shows. */
async function typedIn(
  path: '/known' | '/broken' | '/wrapped' | '/wrapped-too-late' | '/unknown',
  body: TypedFields | string,
  init?: RequestInit,
): Promise<readonly TypedText[]> {
  const { promise, resolve } = Promise.withResolvers<readonly TypedText[]>();
  const refuse = () => {
    throw new HttpError(403, 'No.');
  };
  const site = createRouter()
    .use(
      catchErrors({
        page: async ({ status }, context) => {
          resolve(await readTyped(context));
          return page(html``, status);
        },
        report: () => {},
      }),
    )
    .post('/known', refuse, readForm(form, { limit: LIMIT }), () => page(html``, 400))
    .post('/broken', readForm(form, { limit: LIMIT }), refuse)
    .post('/wrapped', wrapped, refuse)
    .post('/wrapped-too-late', refuse, wrapped, () => page(html``, 400))
    .post('/unknown', refuse);
  await site.handle(post(path, body, init));
  return promise;
}

function whole(label: string, text: string): TypedText {
  return { label, text, length: text.length };
}

test('typed text has the labels of the form, before and after readForm', async () => {
  const typed = { lent: 'on', name: 'Chair\r\nred', unknown: 'x' };
  for (const path of ['/known', '/broken', '/wrapped'] as const) {
    assert.deepEqual(await typedIn(path, typed), [
      whole('Name', 'Chair\r\nred'),
      whole('Lent out', 'on'),
    ]);
  }
});

test('passwords, hidden fields and empty fields are left out', async () => {
  const typed = { name: '', kennwort: 'swordfish', next: '/items', _once: 'key' };
  assert.deepEqual(await typedIn('/known', typed), []);
});

test('a repeated field is shown twice', async () => {
  assert.deepEqual(
    (await typedIn('/known', 'name=a&name=b')).map(({ text }) => text),
    ['a', 'b'],
  );
});

test('a password is never shown, whatever its name is and wherever its form is read', async () => {
  const typed = { name: 'Chair', kennwort: 'swordfish', _once: 'key' };
  for (const path of ['/known', '/broken', '/wrapped'] as const)
    assert.deepEqual(await typedIn(path, typed), [whole('Name', 'Chair')], path);
  for (const path of ['/wrapped-too-late', '/unknown'] as const)
    assert.deepEqual(await typedIn(path, typed), [], path);
});

test('a form over the limit is shown too, up to four times the limit', async () => {
  const name = 'x'.repeat(4 * LIMIT - 'name='.length);
  for (const path of ['/known', '/broken', '/wrapped'] as const) {
    assert.deepEqual(await typedIn(path, { name }), [whole('Name', name)]);
    assert.deepEqual(await typedIn(path, { name: `${name}x` }), []);
  }
});

test('long text is cut, and short text beside it is not', async () => {
  const text = (label: string) => textField({ label, maxLength: 9 });
  const fields = defineForm({ name: text('name'), note: text('note'), colour: text('colour') });
  const sent = { name: 'Chair', note: 'x'.repeat(70_000), colour: 'red' };
  const [name, note, colour, ...others] = await readTyped(await runReadForm(fields, sent));
  assert.deepEqual([name, colour, others], [whole('name', 'Chair'), whole('colour', 'red'), []]);
  assert.deepEqual(note, { label: 'note', text: 'x'.repeat(65_536 - 8), length: 70_000 });
});

test('a body that is not a form, or has too many fields, shows nothing', async () => {
  const headers = { 'content-type': 'text/plain' };
  assert.deepEqual(await typedIn('/known', 'name=a', { headers }), []);
  assert.deepEqual(await typedIn('/known', `name=${'x'.repeat(LIMIT)}`, { headers }), []);
  assert.deepEqual(await typedIn('/known', 'a&'.repeat(201)), []);
  const coded = { headers: { 'content-encoding': 'gzip' } };
  assert.deepEqual(await typedIn('/known', 'name=a', coded), []);
});

test('the label of a field in a row starts with the name of the row', async () => {
  const team = defineForm({
    people: rows({
      label: 'People',
      name: 'Person',
      fields: { name: textField({ label: 'Name', maxLength: 9 }) },
      max: 9,
    }),
    shelf: fieldGroup({
      label: 'Shelf',
      fields: {
        items: rows({
          label: 'Items',
          name: 'Item',
          fields: { thing: hiddenField(), count: textField({ label: 'Count', maxLength: 9 }) },
          max: 9,
          fixed: true,
          title: 'thing',
        }),
      },
    }),
  });
  const item = { 'shelf.items.0.thing': 'Chair', 'shelf.items.0.count': '4' };
  const sent = { 'people.0.name': 'Ada', 'people.1.name': 'Bob', ...item };
  const typed = await readTyped(await runReadForm(team, sent));
  const people = [whole('Person 1: Name', 'Ada'), whole('Person 2: Name', 'Bob')];
  assert.deepEqual(typed, [...people, whole('Chair: Count', '4')]);
});

test('after a thousand texts with labels, the others are one text', async () => {
  const cell = textField({ label: 'Cell', maxLength: 9 });
  const list = rows({ label: 'List', name: 'Row', fields: { a: cell, b: cell }, max: 600 });
  const names = Array.from({ length: 600 }, (_, at) => [`list.${at}.a`, `list.${at}.b`]).flat();
  const sent = Object.fromEntries(names.map((name, at) => [name, `${at}`]));
  const typed = await readTyped(await runReadForm(defineForm({ list }), sent));
  assert.equal(typed.length, 1_001);
  assert.deepEqual(typed[999], whole('Row 500: Cell', '999'));
  assert.match(typed[1_000]?.text ?? '', /^list\.500\.a: 1000\n[\s\S]*\nlist\.599\.b: 1199$/);
});
