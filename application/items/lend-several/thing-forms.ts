/** The forms that lend several things at once, and take them back. Each row is one thing; see things.ts. */
import { defineForm } from 'seeother';
import { hiddenField, rows, textField, wholeNumberField } from 'seeother/fields';
import { borrowerField, dueFields, ENTER_BORROWER, quantityField } from '../lend/lend-form.ts';
import { MAX_THINGS } from '../lend/things.ts';

const hidden = hiddenField({ inDraft: true });

const numbers = textField({
  label: 'Numbers of the things',
  hint: 'Type or scan them, as in 3 17 22, and press Enter.',
  maxLength: 4_000,
  attributes: { autocomplete: 'off', enterkeyhint: 'done' },
});

const ROWS = {
  label: 'Things',
  name: 'Thing',
  max: MAX_THINGS,
  fixed: true,
  title: 'name',
} as const;

export const lendThingsForm = defineForm({
  numbers,
  things: rows({
    ...ROWS,
    fields: {
      number: hidden,
      name: hidden,
      quantity: wholeNumberField({ ...quantityField, default: 1 }),
    },
  }),
  to: textField({ ...borrowerField, required: ENTER_BORROWER }),
  ...dueFields,
});

export const returnThingsForm = defineForm({
  numbers,
  things: rows({
    ...ROWS,
    fields: {
      number: hidden,
      name: hidden,
      /** When the loan began that is ended. */
      loan: hidden,
      /** All of the loan by default. */
      quantity: wholeNumberField({ ...quantityField, default: null }),
    },
  }),
});

export type LendThingsFields = typeof lendThingsForm.fields;
export type ReturnThingsFields = typeof returnThingsForm.fields;
