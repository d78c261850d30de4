/** The form of an item; its values are the input of the model. */
import { defineForm, listField, textField, wholeNumberField } from 'seeother';

export const itemForm = defineForm({
  name: textField({
    label: 'Name',
    required: 'Enter a name',
    maxLength: 120,
  }),
  description: textField({ label: 'Description', maxLength: 10_000, multiline: true }),
  quantity: wholeNumberField({ label: 'Quantity', min: 0, max: 1_000_000, default: 1 }),
  location: textField({
    label: 'Location',
    hint: 'Where to look for it, like “Office, drawer 2”.',
    maxLength: 120,
  }),
  tags: listField({
    label: 'Tags',
    hint: 'Separate tags with commas, like “tools, lent out”.',
    entry: 'Tag',
    maxEntryLength: 40,
    maxEntries: 20,
  }),
});

export type ItemFields = typeof itemForm.fields;
