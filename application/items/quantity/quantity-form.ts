/**
 * The form to take some of an item, to add some, or to set its quantity. Two of its buttons take and add one without
 * typing: they stand in a form of their own, so that Enter in a field does not press them.
 */
import { defineForm } from 'seeother';
import { buttonField, hiddenField, textField, wholeNumberField } from 'seeother/fields';
import { MAX_QUANTITY } from '../item-limits.ts';

export const quantityForm = defineForm({
  amount: wholeNumberField({
    label: 'Amount',
    required: 'Enter an amount',
    min: 0,
    max: MAX_QUANTITY,
    default: null,
    attributes: { autocomplete: 'off' },
  }),
  reason: textField({ label: 'Reason', maxLength: 200 }),
  /** The quantity that the page shows: another one is not overwritten. */
  seen: hiddenField({ revision: true }),
  button: buttonField({
    buttons: [
      { value: 'take', label: 'Take' },
      { value: 'add', label: 'Add' },
      { value: 'set', label: 'Set to' },
      { value: 'less', label: 'Take one', checks: [] },
      { value: 'more', label: 'Add one', checks: [] },
    ],
  }),
});

export type QuantityFields = typeof quantityForm.fields;
