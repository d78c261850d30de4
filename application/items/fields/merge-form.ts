/** The form that merges two fields, two kinds of things, or two choices of a field. */
import { defineForm } from 'seeother';
import { choiceField } from 'seeother/fields';

type Named = { readonly value: string; readonly label: string };

/** `from` has one choice, or is chosen too. */
export function toMergeForm(from: readonly Named[], into: readonly Named[]) {
  return defineForm({
    from: choiceField({
      label: 'Merge',
      required: 'Choose what becomes part of the other',
      choices: from,
    }),
    into: choiceField({
      label: 'Into',
      hint: 'This one stays.',
      required: 'Choose what stays',
      choices: into,
    }),
  });
}

export type MergeFields = ReturnType<typeof toMergeForm>['fields'];
