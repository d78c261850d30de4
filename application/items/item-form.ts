/** The form to add an item, and the fields that it shares with the form to change one. */
import { defineForm } from 'seeother';
import { buttonField, listField, textField, wholeNumberField } from 'seeother/fields';
import { MAX_LOCATION_LENGTH, MAX_TAG_LENGTH, MAX_TAGS } from './item-limits.ts';

export const itemFields = {
  name: textField({
    label: 'Name',
    required: 'Enter a name',
    maxLength: 120,
  }),
  description: textField({ label: 'Description', maxLength: 10_000, multiline: true }),
  quantity: wholeNumberField({ label: 'Quantity', min: 0, max: 1_000_000, default: 1 }),
  minimum: wholeNumberField({
    label: 'Minimum',
    hint: 'With a lower quantity, the list shows the item as running low.',
    min: 1,
    max: 1_000_000,
    default: null,
  }),
  location: textField({
    label: 'Location',
    hint: 'Where to look for it, like “Office, drawer 2”.',
    // See suggestions.ts.
    attributes: { list: 'locations' },
    maxLength: MAX_LOCATION_LENGTH,
  }),
  tags: listField({
    label: 'Tags',
    hint: 'Separate tags with commas, like “tools, lent out”.',
    attributes: { list: 'known-tags' },
    entry: 'Tag',
    maxEntryLength: MAX_TAG_LENGTH,
    maxEntries: MAX_TAGS,
  }),
};

export const itemForm = defineForm({
  ...itemFields,
  button: buttonField({
    buttons: [
      { value: 'save', label: 'Save item' },
      { value: 'another', label: 'Save and add another' },
    ],
  }),
});

export type ItemFields = typeof itemForm.fields;
