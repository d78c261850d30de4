/** The form to change an item, also after somebody else has changed it. */
import { defineForm, type FormValues } from 'seeother';
import { buttonField, choiceField, hiddenField } from 'seeother/fields';
import type { ItemStateField } from '../events/item-changes.ts';
import { itemFilesField } from '../files-field.ts';
import { ITEM_FIELDS, type ItemField, itemFields } from '../item-fields.ts';
import type { OwnFormFields } from '../own-form.ts';

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

const fields = {
  ...itemFields,
  /** Added to those that the item has. */
  files: itemFilesField,
  /** The version of the item that the form shows. */
  version: hiddenField({ revision: true }),
  ...choices,
  button: buttonField({
    buttons: [
      { value: 'save', label: 'Save changes' },
      { value: 'restore', label: 'Restore and save' },
    ],
  }),
};

export const editForm = defineForm(fields);

/** With a choice between two values for each of the fields that the team has defined. */
export function editFormWith(own: readonly { readonly name: string; readonly label: string }[]) {
  if (own.length === 0) return editForm;
  const more = own.map(({ name, label }) => [`choose_${name}`, choice(label)]);
  return defineForm({ ...fields, ...(Object.fromEntries(more) as Record<never, never>) });
}

export type EditFields = typeof editForm.fields & OwnFormFields;

export type EditValues = FormValues<EditFields>;

/** Whose value to save of a field that both have changed; empty if it was not asked. */
export function chosenOf(values: object, field: ItemStateField): unknown {
  return (values as Readonly<Record<string, unknown>>)[`choose_${field}`];
}
