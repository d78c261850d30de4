/** The form of an item; its values are what the model takes. */
import { defineForm, listField, textField, wholeNumberField } from 'seeother';

export const itemForm = defineForm({
  name: textField({
    label: 'Name',
    missing: 'Enter a name',
    longest: 120,
    attributes: { autocomplete: 'off' },
  }),
  description: textField({ label: 'Description', longest: 10_000, multiline: true }),
  quantity: wholeNumberField({ label: 'Quantity', lowest: 0, highest: 1_000_000, fallback: 1 }),
  location: textField({
    label: 'Location',
    hint: 'Where to look for it, like “Office, drawer 2”.',
    longest: 120,
    attributes: { autocomplete: 'off' },
  }),
  tags: listField({
    label: 'Tags',
    hint: 'Separate tags with commas, like “tools, lent out”.',
    entry: 'Tag',
    longestEntry: 40,
    mostEntries: 20,
    attributes: { autocomplete: 'off' },
  }),
});

export type ItemFields = typeof itemForm.fields;
