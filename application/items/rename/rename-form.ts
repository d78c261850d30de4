/** The form to rename a location or a tag, on all items that have it. */
import { defineForm } from 'seeother';
import { choiceField, hiddenField, textField } from 'seeother/fields';
import { MAX_LOCATION_LENGTH } from '../item-limits.ts';

export const renameForm = defineForm({
  field: choiceField({
    label: 'Kind',
    required: 'Open the form from the page of locations or of tags',
    choices: [
      { value: 'location', label: 'Location' },
      { value: 'tag', label: 'Tag' },
    ],
  }),
  from: hiddenField({ inDraft: true }),
  to: textField({
    label: 'New name',
    required: 'Enter a name',
    // The names of the same kind.
    attributes: { list: 'names' },
    maxLength: MAX_LOCATION_LENGTH,
  }),
  /** The name of others that the page has said this one will be merged with. */
  merge: hiddenField(),
});

export type RenameFields = typeof renameForm.fields;
