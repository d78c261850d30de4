/** The form to add an item, and the texts of an item in the fields that it shares with the form to change one. */
import { defineForm } from 'seeother';
import { buttonField } from 'seeother/fields';
import { itemFilesField } from './files-field.ts';
import { type ItemInput, itemFields, mapFields, toText } from './item-fields.ts';
import type { OwnFormFields } from './own-form.ts';

export const itemForm = defineForm({
  ...itemFields,
  files: itemFilesField,
  button: buttonField({
    buttons: [
      { value: 'save', label: 'Save item' },
      { value: 'another', label: 'Save and add another' },
    ],
  }),
});

export type ItemFields = typeof itemForm.fields & OwnFormFields;

export function toItemText(item: ItemInput) {
  return mapFields((name) => toText(name, item));
}
