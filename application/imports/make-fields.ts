/**
 * Makes the fields of an import, with its first rows: in their transaction, so an import that writes nothing leaves no
 * field behind, and once, whichever process runs it.
 */
import type { KyselyTransaction } from '../database/kysely.ts';
import { createField } from '../own-fields/change-definitions.ts';
import { type Definitions, toDefinitions } from '../own-fields/definitions.ts';

import { findByLabel } from './field-labels.ts';
import type { PlannedField } from './store-plan.ts';

/** Resolves to the fields with their ids, or to why they cannot be made. */
export async function makeFields(
  transaction: KyselyTransaction,
  planned: readonly PlannedField[],
  author: number,
): Promise<readonly PlannedField[] | string> {
  const definitions = await readDefinitions(transaction);
  const made: PlannedField[] = [];
  for (const field of planned) {
    const { kind, label, unit, choices } = field;
    const found = findByLabel(label, definitions);
    // Of another import of the same kind of file. The choices of another field have other ids.
    const isSame = found?.kind === kind && found.unit === unit && choices.length === 0;
    if (found !== null && !isSame)
      return `Somebody else has made the field “${label}” since the preview. Choose the file again.`;
    const searched = kind === 'text' || kind === 'long text' || kind === 'choice';
    const definition = { kind, label, unit, choices, searched };
    const { id } = found ?? (await createField(transaction, definition, author));
    made.push({ ...field, id });
  }
  return made;
}

async function readDefinitions(transaction: KyselyTransaction): Promise<Definitions> {
  const kinds = await transaction.selectFrom('item_kinds').selectAll().execute();
  const fields = await transaction.selectFrom('own_fields').selectAll().execute();
  return toDefinitions('', kinds, fields);
}
