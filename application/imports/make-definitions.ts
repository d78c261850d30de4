/**
 * Makes the kinds and the fields of an import, with its first rows: in their transaction, so an import that writes
 * nothing leaves none behind, and once, whichever process runs it. Finds those that somebody has removed.
 */
import type { KyselyTransaction } from '../database/kysely.ts';
import type { ItemInput } from '../items/item-fields.ts';
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

/**
 * Why things cannot be written with their kinds and values, which nobody would see; null if they can. Call it after the
 * items are locked.
 */
export async function findRemoved(
  transaction: KyselyTransaction,
  things: readonly Pick<ItemInput, 'kind' | 'own'>[],
): Promise<string | null> {
  const kinds = new Set(things.flatMap(({ kind }) => kind ?? []));
  const fields = new Set(things.flatMap(({ own }) => Object.keys(own).map(Number)));
  if (kinds.size + fields.size === 0) return null;
  const { allKinds, allFields } = await readLocked(transaction);
  const why = (what: string) =>
    `Somebody else has removed the ${what} since the preview. Choose the file again.`;
  for (const [id, { name, removed }] of allKinds)
    if (removed && kinds.has(id)) return why(`kind “${name}”`);
  for (const [id, { label, removed }] of allFields)
    if (removed && fields.has(id)) return why(`field “${label}”`);
  return null;
}
