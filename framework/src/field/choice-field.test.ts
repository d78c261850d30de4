import assert from 'node:assert/strict';
import test from 'node:test';
import { blankForm, defineForm } from '../form/define-form.ts';
import { formField } from '../form/form-markup.ts';
import { runReadForm } from '../testing/run-read-form.ts';
import { choiceField, choicesField } from './choice-field.ts';
import { type Field, ok, problem } from './field.ts';

const choices = [
  { value: 'new', label: 'As new' },
  { value: 'used', label: 'Used' },
] as const;
const condition = choiceField({ label: 'Condition', choices, required: 'Choose a condition' });
const optional = choiceField({ label: 'Condition', choices, default: 'used' });

test('a value must equal one of the choices exactly', () => {
  assert.deepEqual(condition.parse('used'), ok('used'));
  for (const typed of ['Used', ' used', 'used\n', 'u', 'As new', 'constructor', '__proto__']) {
    assert.deepEqual(
      condition.parse(typed),
      problem('Choose “Condition” again: what you chose is no longer available'),
      typed,
    );
  }
});

test('no choice is an error with required, and the empty string without', () => {
  assert.deepEqual(condition.parse(''), problem('Choose a condition'));
  assert.equal(condition.required, true);
  assert.deepEqual(optional.parse(''), ok(''));
  assert.equal(optional.required, false);
});

test('the choices are data, and an empty form may have one of them', () => {
  assert.deepEqual(condition.choices, choices);
  assert.equal(condition.control, 'select');
  assert.equal(condition.default, '');
  assert.equal(optional.default, 'used');
});

test('a text or a number alone is the value of a choice and its label', () => {
  const sizes = choiceField({
    label: 'Size',
    choices: ['S', 'M'],
    required: 'Choose',
    default: 'M',
  });
  const size: Field<'S' | 'M'> = sizes;
  assert.deepEqual(size.choices, [
    { value: 'S', label: 'S' },
    { value: 'M', label: 'M' },
  ]);
  assert.deepEqual(size.parse('S'), ok('S'));
  const stars = choicesField({ label: 'Stars', choices: [1, 2, { value: 3, label: 'Three' }] });
  const values: Field<readonly (1 | 2 | 3)[], readonly string[]> = stars;
  assert.deepEqual(values.parse(['1', '3']), ok([1, 3]));
  assert.deepEqual(values.choices[0], { value: '1', label: '1' });
  const names: readonly string[] = ['Ada', 'Bo'];
  const open: Field<string> = choiceField({ label: 'Name', choices: names, required: 'Choose' });
  assert.deepEqual(open.parse('Bo'), ok('Bo'));
});

test('choices with equal or empty values are refused', () => {
  for (const values of [
    ['a', 'b', 'a'],
    ['a', ''],
  ]) {
    assert.throws(
      () =>
        choiceField({ label: 'Size', choices: values.map((value) => ({ value, label: value })) }),
      new TypeError(
        `Cannot define the field Size with the choices ${JSON.stringify(values)}: each needs a value of its own that is not empty.`,
      ),
    );
  }
});

test('an initial value that is not a choice does not compile and is refused', () => {
  assert.throws(
    // @ts-expect-error there is no such choice
    () => choiceField({ label: 'Size', choices, default: 'huge' }),
    new TypeError(
      'Cannot define the field Size with the default choice "huge": take one of ["new","used"].',
    ),
  );
});

test('the value has the type of the choices, and another type does not compile', async () => {
  const form = defineForm({ condition, optional });
  const { validation } = await runReadForm(form, { condition: 'new' });
  assert.ok(validation.valid);
  const known: 'new' | 'used' = validation.values.condition;
  // @ts-expect-error nothing may have been chosen
  const chosen: 'new' | 'used' = validation.values.optional;
  assert.deepEqual([known, chosen], ['new', '']);
  // @ts-expect-error there is no such choice
  assert.equal(validation.values.condition === 'broken', false);
});

test('radio buttons stand in a fieldset, with hints and headings, and the first one has the id of the field', () => {
  const size = choiceField({
    label: 'Size',
    hint: 'Of the largest piece',
    as: 'radio',
    choices: [
      { value: 's', label: 'Small', hint: 'Fits in a bag', group: 'Parcels' },
      { value: 'l', label: 'Large', group: 'Parcels' },
      { value: 'x', label: 'Pallet', group: 'Freight' },
    ],
  });
  const errors = [{ field: 'size', message: 'Choose a size' }] as const;
  const form = { ...blankForm(defineForm({ size }), { size: 'l' }), focus: 'size', errors };
  const { markup } = formField(form, 'size');
  assert.match(
    markup,
    /^<fieldset class="field radio has-error" aria-describedby="size-hint size-error">/,
  );
  assert.deepEqual(markup.match(/<input [^>]*>|<div role[^>]*>/g), [
    '<div role="group" aria-label="Parcels">',
    '<input type="radio" id="size" name="size" value="s" autofocus aria-describedby="size-item-hint">',
    '<input type="radio" id="size-2" name="size" value="l" checked>',
    '<div role="group" aria-label="Freight">',
    '<input type="radio" id="size-3" name="size" value="x">',
  ]);
});
