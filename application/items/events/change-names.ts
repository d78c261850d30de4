/**
 * What an event records beside the values of own fields and of the kind: what they were called at that time. Choices
 * and fields can be renamed later, and the history still tells what was chosen.
 */
import type { KyselyTransaction } from '../../database/kysely.ts';
import { toOwnField } from '../../own-fields/definitions.ts';
import { showOwnValue } from '../../own-fields/own-values.ts';
import { type ChangeNames, type Changes, isOwnName } from './item-changes.ts';

/** The same changes, with the names that they need. Without such a change nothing is read. */
export async function nameChanges(
  transaction: KyselyTransaction,
  all: readonly Changes[],
): Promise<readonly Changes[]> {
  const own = [...new Set(all.flatMap((changes) => Object.keys(changes).filter(isOwnName)))];
  const hasKind = all.some(({ kind }) => kind !== undefined);
  if (own.length === 0 && !hasKind) return all;
  const ids = own.map((name) => Number(name.slice(4)));
  const rows =
    ids.length === 0
      ? []
      : await transaction.selectFrom('own_fields').selectAll().where('id', 'in', ids).execute();
  const fields = new Map(rows.map((row) => [toOwnField(row).name, toOwnField(row)]));
  const kindRows = hasKind
    ? await transaction.selectFrom('item_kinds').select(['id', 'name']).execute()
    : [];
  const kinds = new Map(kindRows.map(({ id, name }) => [id, name]));
  return all.map((changes): Changes => {
    const names: Record<string, readonly [string, string, string]> = {};
    const { kind } = changes;
    if (kind !== undefined) {
      const [old = '', now = ''] = kind.map((id) => (id === null ? '' : kinds.get(id)));
      names['kind'] = ['Kind', old, now];
    }
    for (const name of Object.keys(changes).filter(isOwnName)) {
      const field = fields.get(name);
      if (field === undefined) continue;
      const [old = '', now = ''] = (changes[name] ?? []).map((value) =>
        showOwnValue(field, value ?? ''),
      );
      names[name] = [field.label, old, now];
    }
    return Object.keys(names).length === 0 ? changes : { ...changes, names: names as ChangeNames };
  });
}
