import assert from 'node:assert/strict';
import test from 'node:test';
import { blankForm, defineForm, fillText } from './define-form.ts';
import { checkboxField, textField } from './fields.ts';

const form = defineForm({
  name: textField({ label: 'Name', maxLength: 120 }),
  place: textField({ label: 'Place', maxLength: 120, initial: 'Shed' }),
  line2: checkboxField({ label: 'Second line' }),
});

test('a form lists its fields in the order of their definition', () => {
  assert.deepEqual(form.names, ['name', 'place', 'line2']);
});

test('a field name that is not flat, lower-case letters and digits is refused', () => {
  const names = [
    '',
    '_once',
    'Name',
    'first-name',
    'a.b',
    'a[b]',
    '2nd',
    'näme',
    'a b',
    '__proto__',
  ];
  for (const name of names) {
    const fields = Object.fromEntries([[name, textField({ label: 'X', maxLength: 1 })]]);
    assert.throws(
      () => defineForm(fields),
      (error) =>
        error instanceof TypeError &&
        error.message.startsWith(
          `Cannot define a form with the field ${JSON.stringify(name)}: name fields in lower-case`,
        ),
    );
  }
});

test('a blank form has the initial text in each field', () => {
  assert.deepEqual(blankForm(form).text, { name: '', place: 'Shed', line2: '' });
  assert.equal(blankForm(form).definition, form);
});

test('a blank form may be filled in advance, also with nothing', () => {
  assert.deepEqual(blankForm(form, { name: 'Chair', place: '' }).text, {
    name: 'Chair',
    place: '',
    line2: '',
  });
});

test('text for fields that the form has not is left out', () => {
  const text: Record<string, string> = { name: 'Chair', other: 'x' };
  assert.deepEqual(blankForm(form, text).text, { name: 'Chair', place: 'Shed', line2: '' });
});

test('a field may have any name, also one that every object has', () => {
  const odd = defineForm({ constructor: textField({ label: 'Constructor', maxLength: 9 }) });
  assert.equal(blankForm(odd).text.constructor, '');
  assert.equal(blankForm(odd, { constructor: 'x' }).text.constructor, 'x');
});

test('each blank form has a key of its own that nobody can guess', () => {
  const keys = Array.from({ length: 100 }, () => blankForm(form).once);
  assert.equal(new Set(keys).size, 100);
  for (const key of keys) assert.match(key ?? 'none', /^[\w-]{22}$/);
});

test('each field of a form gets its text', () => {
  assert.deepEqual(
    fillText(form, (name) => name.toUpperCase()),
    { name: 'NAME', place: 'PLACE', line2: 'LINE2' },
  );
});
