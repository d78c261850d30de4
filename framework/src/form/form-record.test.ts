import assert from 'node:assert/strict';
import test from 'node:test';
import * as kinds from '../field/choice-field.ts';
import { dateField } from '../field/date-field.ts';
import { dateTimeField } from '../field/date-time-field.ts';
import { durationField } from '../field/duration-field.ts';
import { defineField, ok } from '../field/field.ts';
import { checkboxField, listField, textField, wholeNumberField } from '../field/fields.ts';
import { moneyField } from '../field/money-field.ts';
import { decimalField } from '../field/number-fields.ts';
import { english } from '../language/english.ts';
import { german } from '../language/german.ts';
import { defineForm } from './define-form.ts';
import type { Fields } from './field-set.ts';
import { rows } from './field-set.ts';
import { describeValues, fromColumns, textsOf, toColumns } from './form-record.ts';

const sizes = [
  { value: 1, label: 'One' },
  { value: 2, label: 'Two' },
] as const;

const form = defineForm({
  order: textField({ label: 'Order', maxLength: 9 }),
  amount: wholeNumberField({ label: 'Amount', min: 0, max: 9_999, default: null }),
  weight: decimalField({ label: 'Weight', min: 0, max: 99, step: '0.01' }),
  price: moneyField({ label: 'Price', currency: 'EUR' }),
  value: moneyField({ label: 'Value', currency: ['EUR', 'JPY'] }),
  bought: dateField({ label: 'Bought on' }),
  meeting: dateTimeField({ label: 'Meeting', zone: 'Europe/Berlin' }),
  call: dateTimeField({ label: 'Call', zone: ['Europe/Berlin', 'Asia/Tokyo'] }),
  length: durationField({ label: 'Length' }),
  size: kinds.choiceField({ label: 'Size', choices: sizes }),
  several: kinds.choicesField({ label: 'Sizes', choices: sizes }),
  tags: listField({ label: 'Tags', entry: 'Tag', maxEntries: 9, maxEntryLength: 9 }),
  isLent: checkboxField({ label: 'Lent' }),
});

const TEXTS = {
  ...{ order: 'A <b>', amount: '1234', weight: '1.50', price: '12.34', value: '500 JPY' },
  ...{ bought: '2026-11-23', meeting: '2026-11-23T14:30', call: '2026-11-23T14:30[Asia/Tokyo]' },
  ...{ length: '1:30', size: '2', several: ['2', '1'], tags: 'b, a', isLent: 'on' },
};

/** What the form reads of the texts. */
function parse(texts: object, language = english) {
  const values = Object.entries(form.fields).map(([name, field]) => {
    const text = (texts as Record<string, never>)[name] ?? field.default;
    const parsed = field.parse(text as never, { language });
    assert.ok('ok' in parsed && parsed.ok, `${name} ${JSON.stringify(parsed)}`);
    return [name, parsed.value];
  });
  return Object.fromEntries(values) as Parameters<typeof toColumns<typeof form.fields>>[1];
}

test('columns hold the values of every kind, and give them back', () => {
  const values = parse(TEXTS);
  const columns = toColumns(form, values);
  assert.deepEqual(columns, {
    ...{ order: 'A <b>', amount: 1234, weight: '1.50', price: 1234, value: '500 JPY' },
    ...{ bought: '2026-11-23', meeting: '2026-11-23T13:30:00Z' },
    call: '2026-11-23T05:30:00Z Asia/Tokyo',
    ...{ length: 5_400, size: 2, several: '[1,2]', tags: '["b","a"]', isLent: 1 },
  });
  assert.deepEqual(fromColumns(form, { id: 7, ...columns }), values);
  // SQLite makes a number of a decimal, and PostgreSQL has a type of its own for a tick.
  assert.deepEqual(fromColumns(form, { ...columns, weight: 1.5, isLent: true }), values);
});

test('an empty form is stored and read as it was parsed', () => {
  const values = parse({});
  const columns = toColumns(form, values);
  assert.deepEqual([columns.order, columns.amount, columns.isLent], ['', null, 0]);
  assert.deepEqual(fromColumns(form, columns), values);
});

test('the texts of the values are those that the form reads again, in each language', () => {
  const values = parse(TEXTS);
  const texts = textsOf(form, values, german);
  assert.deepEqual([texts.price, texts.isLent, texts.weight], ['12,34', 'on', '1,50']);
  assert.deepEqual(parse(texts, german), values);
});

test('the values are shown as people read them, with their labels', () => {
  const shown = describeValues(form, parse(TEXTS), german);
  assert.deepEqual(shown[5], { name: 'bought', label: 'Bought on', text: '23. November 2026' });
  assert.deepEqual(
    shown.slice(6).map(({ text }) => text),
    [
      ...['23. November 2026 14:30', '23. November 2026 14:30 Asia/Tokyo'],
      ...['1:30', 'Two', 'One und Two', 'b, a', 'Ja'],
    ],
  );
});

test('what no column can hold is refused with a sentence', () => {
  assert.throws(
    () => fromColumns(form, { order: 'A' }),
    /Cannot read the field "amount" from a row with order: select its column, too\./,
  );
  const people = defineForm({
    people: rows({ label: 'People', name: 'Person', fields: {}, max: 2 }),
  });
  assert.throws(
    () => toColumns(people, {}),
    /Cannot take "people" for a column: it is a list of rows/,
  );
  const place = defineField({ label: 'Place' }, { parse: () => ok({ x: 1 }) });
  const fields: Fields = { place };
  assert.throws(
    () => toColumns({ fields }, { place: { x: 1 } } as never),
    /Cannot put the value of the field Place into a column: it is neither text nor a number\./,
  );
});
