/** The form to rename a tag, on all items that have it. */
import { defineForm } from 'seeother';
import { choiceField, hiddenField, textField } from 'seeother/fields';
import { MAX_TAG_LENGTH } from '../item-limits.ts';

export const renameForm = defineForm({
  field: choiceField({
    label: 'Kind',
    required: 'Open the form from the page of tags',
    // An earlier release renamed locations with it: such a form must not rename a tag.
    choices: [{ value: 'tag', label: 'Tag' }],
  }),
  from: hiddenField({ inDraft: true }),
  to: textField({
    label: 'New name',
    required: 'Enter a name',
    // The names of all tags.
    attributes: { list: 'names' },
    maxLength: MAX_TAG_LENGTH,
  }),
  /** The name of others that the page has said this one will be merged with. */
  merge: hiddenField(),
});

export type RenameFields = typeof renameForm.fields;
