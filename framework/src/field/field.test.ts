import assert from 'node:assert/strict';
import test from 'node:test';
import { defineField, type FieldOptions, ok } from './field.ts';
import { textField } from './fields.ts';

const define = ({ attributes }: { readonly attributes: Readonly<Record<string, string>> }) =>
  textField({ label: 'Odd', maxLength: 9, attributes });

test('an input type that is not text, or an invalid attribute name, is refused', () => {
  for (const type of ['password', 'Password', 'hidden', 'checkbox', 'file', 'submit', '']) {
    assert.throws(
      () => define({ attributes: { type } }),
      new TypeError(
        `Cannot give the field Odd the type ${JSON.stringify(type)}: use a type of text, such as email or date, or another kind of field, such as passwordField.`,
      ),
    );
  }
  for (const name of ['TYPE', 'x onfocus', 'a"', '', 'a>b']) {
    assert.throws(
      () => define({ attributes: { [name]: 'text' } }),
      (error) =>
        error instanceof TypeError &&
        error.message.startsWith(`Cannot give the field Odd the attribute ${JSON.stringify(name)}`),
    );
  }
});

test('the value of a kind of your own may be empty only without required', () => {
  const sizeField = <Required extends string | undefined = undefined>(
    options: FieldOptions<string, Required>,
  ) => defineField(options, { empty: null, parse: (text) => ok(Number(text)) });
  const needed = sizeField({ label: 'Size', required: 'Enter a size' }).parse('3');
  assert.ok('ok' in needed && needed.ok);
  const size: number = needed.value;
  assert.equal(size, 3);
  const optional = sizeField({ label: 'Size' }).parse('');
  assert.ok('ok' in optional && optional.ok);
  // @ts-expect-error it may be empty
  const never: number = optional.value;
  assert.equal(never, null);
});
