import assert from 'node:assert/strict';
import test from 'node:test';
import { blankForm, defineForm } from '../form/define-form.ts';
import { rows } from '../form/field-set.ts';
import { formField } from '../form/form-markup.ts';
import { german } from '../language/german.ts';
import { runReadForm } from '../testing/run-read-form.ts';
import { dateField } from './date-field.ts';
import { durationField } from './duration-field.ts';
import { textField } from './fields.ts';
import { moneyField } from './money-field.ts';

const form = defineForm({
  length: durationField({ label: 'Length', required: 'Enter how long' }),
  fee: moneyField({ label: 'Fee', currency: ['EUR', 'JPY'] }),
  children: rows({
    label: 'Children',
    name: 'Child',
    fields: {
      name: textField({ label: 'Name', maxLength: 20 }),
      born: dateField({ label: 'Date of birth', as: 'parts', required: 'Enter a date of birth' }),
    },
    max: 3,
  }),
});

const read = (body: string) => runReadForm(form, body);

const LENGTH = 'length.hours=1&length.minutes=30';
const CHILD = 'children.0.name=Ada&children.0.born.day=7&children.0.born.month=3';

test('the inputs of a field are sent by its path, a dot and their names, also in rows', async () => {
  const { validation } = await read(
    `${LENGTH}&fee.amount=12&fee.currency=JPY&${CHILD}&children.0.born.year=2016`,
  );
  assert.deepEqual(validation.valid && validation.values, {
    length: 5_400,
    fee: { amount: 12, currency: 'JPY' },
    children: [{ name: 'Ada', born: '2016-03-07' }],
  });
});

test('a refused form shows what was typed into each input, and has one error for the field', async () => {
  const { validation, form: filled } = await read(
    `${LENGTH}&fee.currency=JPY&${CHILD}&children.0.born.year=`,
  );
  const errors = validation.valid ? [] : validation.errors;
  assert.deepEqual(errors, [
    {
      field: 'children.0.born',
      row: 'Child 1',
      message: 'Date of birth must include a year',
    },
  ]);
  const { markup } = formField(filled, 'children.0.born');
  const inputs = [...markup.matchAll(/<input [^>]*id="([^"]*)" name="([^"]*)"([^>]*)>/g)];
  assert.deepEqual(
    inputs.map(([, id, name, others]) => `${id} ${name}${others}`),
    [
      'children.0.born-month children.0.born.month value="3"',
      'children.0.born-day children.0.born.day value="7"',
      'children.0.born children.0.born.year aria-invalid="true" value=""',
    ],
  );
  assert.match(formField(filled, 'fee').markup, /<option value="JPY" selected>/);
});

test('an input that was sent twice is refused', async () => {
  const { validation } = await read(`${LENGTH}&length.hours=2`);
  assert.deepEqual(validation.valid ? [] : validation.errors, [
    { field: 'length', message: 'Length was sent twice; send it once' },
  ]);
});

test('the labels of the inputs, and their order, are those of the language', () => {
  const { markup } = formField(blankForm(form, { children: [{}] }, german), 'children.0.born');
  assert.deepEqual(markup.match(/(?<=<label for="[^"]*">)[^<]*/g), ['Tag', 'Monat', 'Jahr']);
});
