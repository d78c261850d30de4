/** The form to take some of an item, or to add some. */
import { defineForm } from 'seeother';
import { buttonField, textField, wholeNumberField } from 'seeother/fields';

export const quantityForm = defineForm({
  amount: wholeNumberField({
    label: 'Amount',
    required: 'Enter an amount',
    min: 1,
    max: 1_000_000,
    default: 1,
  }),
  reason: textField({ label: 'Reason', hint: 'Like “for the fair”.', maxLength: 200 }),
  button: buttonField({
    buttons: [
      { value: 'take', label: 'Take' },
      { value: 'add', label: 'Add' },
    ],
  }),
});

export type QuantityFields = typeof quantityForm.fields;
