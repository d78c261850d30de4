/** The form of the columns and rows of the list. */
import { defineForm } from 'seeother';
import { choiceField, choicesField } from 'seeother/fields';
import type { Definitions } from '../../own-fields/definitions.ts';
import { FIELDS, type ListedField } from '../item-fields.ts';
import { type Column, listColumns } from './list-view.ts';

export function toListViewForm(definitions: Definitions) {
  return defineForm({
    columns: choicesField({
      label: 'Columns',
      hint: 'Beside the name.',
      choices: listColumns(definitions).map((value) => ({
        value,
        label: columnName(value, definitions),
      })),
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
}

const NAMES = { number: 'Number', kind: 'Kind', changed: 'Changed', added: 'Added' };

function columnName(column: Column, { fields }: Definitions): string {
  if (column in NAMES) return NAMES[column as keyof typeof NAMES];
  const own = fields.find(({ name }) => name === column);
  return own?.label ?? FIELDS[column as ListedField].column;
}
