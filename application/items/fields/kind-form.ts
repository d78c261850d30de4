/** The form of a kind of things: its name, its icon, and the minimum that its things begin with. */
import { defineForm } from 'seeother';
import { choiceField, hiddenField, textField, wholeNumberField } from 'seeother/fields';
import { ICONS } from '../../own-fields/icons.ts';
import { MAX_LABEL } from '../../own-fields/label-rules.ts';

export const kindForm = defineForm({
  name: textField({
    label: 'Name',
    hint: 'Of one thing, such as “Camera”.',
    required: 'Enter a name',
    maxLength: MAX_LABEL,
  }),
  icon: choiceField({
    label: 'Icon',
    choices: Object.entries(ICONS).map(([value, label]) => ({ value, label })),
  }),
  minimum: wholeNumberField({
    label: 'Minimum of a new thing',
    hint: 'The list shows what is below its minimum as running low.',
    min: 1,
    max: 1_000_000,
    default: null,
  }),
  /** The version that the form shows. */
  version: hiddenField({ revision: true }),
});

export type KindFormFields = typeof kindForm.fields;
