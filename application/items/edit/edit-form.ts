/** The form to change an item, also after somebody else has changed it. */
import { defineForm, type FormValues } from 'seeother';
import { buttonField, choiceField, hiddenField } from 'seeother/fields';
import { itemFields } from '../item-form.ts';

/** Whose value to save, where somebody else has changed the same field. */
const choice = (label: string) =>
  choiceField({
    label,
    choices: [
      { value: 'mine', label: 'Yours' },
      { value: 'theirs', label: 'Theirs' },
    ],
  });

export const editForm = defineForm({
  ...itemFields,
  /** The version of the item that the form shows. */
  version: hiddenField({ revision: true }),
  choose_name: choice('Name'),
  choose_description: choice('Description'),
  choose_quantity: choice('Quantity'),
  choose_minimum: choice('Minimum'),
  choose_location: choice('Location'),
  choose_tags: choice('Tags'),
  button: buttonField({
    buttons: [
      { value: 'save', label: 'Save changes' },
      { value: 'restore', label: 'Restore and save' },
    ],
  }),
});

export type EditFields = typeof editForm.fields;

export type EditValues = FormValues<EditFields>;
