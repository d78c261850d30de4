import assert from 'node:assert/strict';
import test from 'node:test';
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
