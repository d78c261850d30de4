/** The form to change an item, also after somebody else has changed it. */
import { defineForm, type FormValues } from 'seeother';
import { buttonField, choiceField, hiddenField } from 'seeother/fields';
import { ITEM_FIELDS, type ItemField, itemFields } from '../item-fields.ts';

/** Whose value to save, where somebody else has changed the same field. */
const choice = (label: string) =>
  choiceField({
    label,
    choices: [
      { value: 'mine', label: 'Yours' },
      { value: 'theirs', label: 'Theirs' },
    ],
  });

const choices = Object.fromEntries(
  ITEM_FIELDS.map((name) => [`choose_${name}`, choice(itemFields[name].label)]),
) as { readonly [Name in `choose_${ItemField}`]: ReturnType<typeof choice> };

export const editForm = defineForm({
  ...itemFields,
  /** The version of the item that the form shows. */
  version: hiddenField({ revision: true }),
  ...choices,
  button: buttonField({
    buttons: [
      { value: 'save', label: 'Save changes' },
      { value: 'restore', label: 'Restore and save' },
    ],
  }),
});

export type EditFields = typeof editForm.fields;

export type EditValues = FormValues<EditFields>;
