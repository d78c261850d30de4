/** The forms to lend an item, and to end its loan. */
import { defineForm } from 'seeother';
import { dateField, hiddenField, textField } from 'seeother/fields';

export const lendForm = defineForm({
  to: textField({
    label: 'Who has it',
    hint: 'Someone in the team, or any other name.',
    required: 'Enter who has it',
    maxLength: 120,
    attributes: { list: 'people', autocomplete: 'off' },
  }),
  until: dateField({
    label: 'Until',
    hint: 'The last day. After that, the list shows the item as overdue.',
  }),
});

export const returnForm = defineForm({
  /** When the loan began that the form ends. */
  lent: hiddenField(),
});

export type LendFields = typeof lendForm.fields;
