/** The form that removes one old value for ever. An item is removed by a form without fields. */
import { defineForm } from 'seeother';
import { defineField, ok, problem } from 'seeother/fields';
import { REMOVABLE, type Removable } from '../events/old-values.ts';

const MISSING = 'Open the page of the change, and choose what to remove there';

export const removeValueForm = defineForm({
  value: defineField<Removable>(
    { label: 'Value', required: MISSING },
    {
      control: 'choice',
      parse: (text) => (isRemovableKind(text) ? ok(text) : problem(MISSING)),
    },
  ),
});

function isRemovableKind(text: string): text is Removable {
  return (REMOVABLE as readonly string[]).includes(text) || /^own_\d{1,15}$/.test(text);
}

export type RemoveValueFields = typeof removeValueForm.fields;
