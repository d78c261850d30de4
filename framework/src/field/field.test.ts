import assert from 'node:assert/strict';
import test from 'node:test';
import { choicesField } from './choice-field.ts';
import { dateField, monthField } from './date-field.ts';
import { dateTimeField } from './date-time-field.ts';
import { durationField } from './duration-field.ts';
import { defineField, type FieldOptions, ok } from './field.ts';
import { passwordField, textField, wholeNumberField } from './fields.ts';
import { moneyField } from './money-field.ts';
import { rangeField } from './number-fields.ts';
import { emailField } from './text-fields.ts';
import { timeField } from './time-field.ts';

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

const WRONG = { label: 'Odd', min: 9, max: 5 } as const;
const SHORT = { label: 'Odd', minLength: 9, maxLength: 5 } as const;
const DAYS = { label: 'Odd', min: '2026-12-02', max: '2026-12-01' } as const;

for (const [kind, define] of Object.entries({
  text: () => textField(SHORT),
  email: () => emailField(SHORT),
  password: () => passwordField({ ...SHORT, required: 'Enter it' }),
  'whole number': () => wholeNumberField({ ...WRONG, default: 5 }),
  range: () => rangeField(WRONG),
  money: () => moneyField({ ...WRONG, currency: 'EUR' }),
  duration: () => durationField({ label: 'Odd', min: 120, max: 60 }),
  choices: () => choicesField({ ...WRONG, choices: [] }),
  date: () => dateField(DAYS),
  'date in parts': () => dateField({ ...DAYS, as: 'parts' }),
  month: () => monthField({ label: 'Odd', min: '2026-12', max: '2026-11' }),
  time: () => timeField({ label: 'Odd', min: '22:00', max: '06:00' }),
  'date and time': () =>
    dateTimeField({ ...DAYS, min: '2026-12-02T00:00', max: '2026-12-01T00:00', zone: 'UTC' }),
}))
  test(`limits that no value can meet are refused at the start: ${kind}`, () => {
    assert.throws(
      define,
      /^TypeError: Cannot define the field Odd with .*(no value can meet|min that is not more)/,
    );
  });

test('limits that change are checked when they are used', () => {
  const field = dateField({ label: 'Day', min: () => '2026-12-02', max: '2026-12-01' });
  assert.deepEqual(field.limits, { latest: '2026-12-01' });
});
