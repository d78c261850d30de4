/**
 * Makes the kinds and the fields of an import, with its first rows: in their transaction, so an import that writes
 * nothing leaves none behind, and once, whichever process runs it.
 */
import type { KyselyTransaction } from '../database/kysely.ts';
import { createField, createKind, readLocked } from '../own-fields/change-definitions.ts';
import { toLabelKey } from '../own-fields/label-rules.ts';
import { findByLabel } from './field-labels.ts';
import type { PlannedDefinitions, PlannedField, PlannedKind } from './store-plan.ts';

/** Whether nothing is left to be made. */
export function areMade({ fields, kinds }: PlannedDefinitions): boolean {
  return [...fields, ...kinds].every(({ id }) => id !== null);
}

/** Resolves to them with their ids, or to why they cannot be made. Call it after the items are locked. */
export async function makeDefinitions(
  transaction: KyselyTransaction,
  planned: PlannedDefinitions,
  author: number,
): Promise<PlannedDefinitions | string> {
  const definitions = await readLocked(transaction);
  const fields: PlannedField[] = [];
  for (const field of planned.fields) {
    const { kind, label, unit, choices } = field;
    const found = findByLabel(label, definitions);
    // Of another import of the same kind of file. The choices of another field have other ids.
    const isSame = found?.kind === kind && found.unit === unit && choices.length === 0;
    if (found !== null && !isSame)
      return `Somebody else has made the field “${label}” since the preview. Choose the file again.`;
    const searched = kind === 'text' || kind === 'long text' || kind === 'choice';
    const definition = { kind, label, unit, choices, searched };
    const { id } = found ?? (await createField(transaction, definition, author));
    fields.push({ ...field, id });
  }
  const kinds: PlannedKind[] = [];
  for (const kind of planned.kinds) {
    const key = toLabelKey(kind.name);
    const found = definitions.kinds.find(({ name }) => toLabelKey(name) === key);
    const { id } = found ?? (await createKind(transaction, { name: kind.name }, author));
    kinds.push({ ...kind, id });
  }
  return { fields, kinds };
}
