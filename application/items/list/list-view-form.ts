/** The form of the columns and rows of the list. */
import { defineForm } from 'seeother';
import { choiceField, choicesField } from 'seeother/fields';
import { FIELDS, LISTED_FIELDS } from '../item-fields.ts';

export const listViewForm = defineForm({
  columns: choicesField({
    label: 'Columns',
    hint: 'Beside the name.',
    choices: [
      { value: 'number', label: 'Number' },
      ...LISTED_FIELDS.map((value) => ({ value, label: FIELDS[value].column })),
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
