/** The form of the columns and rows of the list. */
import { defineForm } from 'seeother';
import { choiceField, choicesField } from 'seeother/fields';

export const listViewForm = defineForm({
  columns: choicesField({
    label: 'Columns',
    hint: 'Beside the name.',
    choices: [
      { value: 'quantity', label: 'Quantity' },
      { value: 'location', label: 'Location, and who has a lent item' },
      { value: 'tags', label: 'Tags' },
      { value: 'changed', label: 'Changed' },
      { value: 'added', label: 'Added' },
    ],
  }),
  rows: choiceField({
    label: 'Rows',
    as: 'radio',
    required: 'Choose how high the rows are',
    choices: [
      { value: 'comfortable', label: 'Comfortable' },
      { value: 'compact', label: 'Compact: more of them on a screen' },
    ],
  }),
});

export type ListViewFields = typeof listViewForm.fields;
