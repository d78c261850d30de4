/** The form that sets the kind, or a field of the team's own, on all things that are ticked. */
import { defineForm } from 'seeother';
import { choiceField, choiceGroup, hiddenField } from 'seeother/fields';
import type { Definitions } from '../../own-fields/definitions.ts';
import type { OwnValue } from '../../own-fields/own-field.ts';

/** Its fields are known at run time, so the value of `set` is described here. */
export type SetValue =
  | { readonly choice: 'kind'; readonly value: string | null }
  | { readonly choice: `own_${number}`; readonly value: OwnValue };

export function toSetFieldForm({ kinds, fields }: Definitions) {
  const kind = {
    label: 'Kind',
    fields: {
      value: choiceField({
        label: 'Kind',
        hint: 'Leave it empty for things without a kind.',
        choices: kinds.map(({ id, name }) => ({ value: String(id), label: name })),
      }),
    },
  };
  const own = fields.map((one) => [one.name, { label: one.label, fields: { value: one.field } }]);
  const choices = { kind, ...Object.fromEntries(own) };
  return defineForm({
    /** See ticked-numbers.ts. */
    ticked: hiddenField({ inDraft: 'alone' }),
    set: choiceGroup({ label: 'What to set', required: 'Choose what to set', choices }),
  });
}
