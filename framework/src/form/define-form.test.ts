import assert from 'node:assert/strict';
import test from 'node:test';
import { checkboxField, textField } from '../field/fields.ts';
import { blankForm, defineForm } from './define-form.ts';

const form = defineForm({
  name: textField({ label: 'Name', maxLength: 120 }),
  place: textField({ label: 'Place', maxLength: 120, default: 'Shed' }),
  line2: checkboxField({ label: 'Second line' }),
});

test('a form lists its fields in the order of their definition', () => {
  assert.deepEqual(form.names, ['name', 'place', 'line2']);
});

const withNames = (...names: readonly string[]) =>
  defineForm(Object.fromEntries(names.map((name) => [name, checkboxField({ label: 'X' })])));

test('a field name may be in camelCase or with underscores', () => {
  const names = ['firstName', 'last_name', 'address2', 'line_2', 'homeURL', 'x'];
  assert.deepEqual(withNames(...names).names, names);
});

test('an invalid or reserved field name is refused', () => {
  const names = [
    ...['', '_', '_once', 'once_', 'first__name', '__proto__', 'Name', '2nd'],
    ...['first-name', 'name-error', 'a.b', 'a[b]', 'a b', 'a\n', 'a"', 'näme', 'ſ'],
  ];
  for (const name of names) {
    assert.throws(
      () => withNames(name),
      (error) =>
        error instanceof TypeError &&
        error.message.startsWith(
          `Cannot define a form with the field ${JSON.stringify(name)}: start with a lower-case`,
        ),
    );
  }
});

test('two field names that differ in capitals and underscores alone are refused', () => {
  for (const other of ['first_name', 'firstname', 'first_Name', 'firstNAME']) {
    assert.throws(
      () => withNames('firstName', 'age', other),
      new RegExp(`the fields "firstName" and "${other}": they differ in capitals and underscores`),
    );
  }
});

test('an empty form has the initial text in each field', () => {
  assert.deepEqual(blankForm(form).text, { name: '', place: 'Shed', line2: '' });
  assert.equal(blankForm(form).definition, form);
});

test('fields of an empty form can be filled in advance, also with empty text', () => {
  assert.deepEqual(blankForm(form, { name: 'Chair', place: '' }).text, {
    name: 'Chair',
    place: '',
    line2: '',
  });
});

test('text for a field that is not in the form is ignored', () => {
  const text: Record<string, string> = { name: 'Chair', other: 'x' };
  assert.deepEqual(blankForm(form, text).text, { name: 'Chair', place: 'Shed', line2: '' });
});

test('a field can be named like a property of every object', () => {
  const odd = defineForm({ constructor: textField({ label: 'Constructor', maxLength: 9 }) });
  assert.equal(blankForm(odd).text.constructor, '');
  assert.equal(blankForm(odd, { constructor: 'x' }).text.constructor, 'x');
});

test('each empty form has a new idempotency key with 122 random bits', () => {
  const keys = Array.from({ length: 100 }, () => blankForm(form).once);
  assert.equal(new Set(keys).size, 100);
  for (const key of keys)
    assert.match(key ?? 'none', /^[\da-f]{10}\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{2}$/);
});

test('a value that is no field is refused', () => {
  assert.throws(
    // @ts-expect-error a field is made by a function
    () => defineForm({ name: 'text' }),
    /^TypeError: Cannot define a form with the field "name": its value is no field. Make one/,
  );
});
