/** Checks what people say that columns are: a table has the names of its things, and each field has one column. */
import type { ColumnUse } from './columns.ts';
import { nameColumn } from './columns.ts';
import { labelOf } from './import-forms.ts';

export interface WrongUse {
  /** The index of the column. */
  readonly at: number;
  readonly message: string;
}

export function checkUses(
  uses: readonly ColumnUse[],
  header: readonly string[],
): readonly WrongUse[] {
  const doubles = uses.flatMap((use, at): readonly WrongUse[] => {
    const first = uses.indexOf(use);
    if (use === 'ignore' || use === 'in description' || first === at) return [];
    const message = `Only one column can be ${labelOf(use)}, and “${nameColumn(header[first] ?? '', first)}” is`;
    return [{ at, message }];
  });
  if (uses.includes('name')) return doubles;
  return [
    { at: 0, message: 'Choose “Name” for the column with the names of the things' },
    ...doubles,
  ];
}
