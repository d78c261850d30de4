/** The form that removes one old value for ever. An item is removed by a form without fields. */
import { defineForm } from 'seeother';
import { choiceField } from 'seeother/fields';
import { REMOVABLE } from '../events/old-values.ts';

export const removeValueForm = defineForm({
  value: choiceField({
    label: 'Value',
    choices: REMOVABLE.map((value) => ({ value, label: value })),
    required: 'Open the page of the change, and choose what to remove there',
  }),
});

export type RemoveValueFields = typeof removeValueForm.fields;
