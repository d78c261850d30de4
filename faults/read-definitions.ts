/** The log of the definitions of kinds and own fields, and whether it leads back from what is there. */
import type { Columns, DefinitionChange } from '../application/own-fields/change-definitions.ts';
import { type DatabaseRow, readRows } from './send-forms.ts';

export interface StoredDefinition {
  readonly id: number;
  readonly kind: string;
  readonly undoes: number | null;
  /** What an addition or a change has called it; null if it has not, or is an undo. */
  readonly mark: string | null;
}

const TABLES = ['own_fields', 'item_kinds'] as const;

export async function foldDefinitions(url: string): Promise<{
  readonly definitions: readonly StoredDefinition[];
  /** Definitions that differ from their log, and skipped ids of it. */
  readonly differences: number;
}> {
  const log = (await readRows(url, 'select * from field_changes order by id')).map((row) => ({
    id: Number(row['id']),
    kind: String(row['kind']),
    undoes: row['undoes'] === null ? null : Number(row['undoes']),
    changes: JSON.parse(String(row['about'])) as readonly DefinitionChange[],
  }));
  let differences = log.filter(({ id }, at) => id !== at + 1).length;
  const newestFirst = log.toReversed().flatMap(({ changes }) => changes.toReversed());
  for (const table of TABLES)
    for (const row of await readRows(url, `select * from ${table}`)) {
      const own = newestFirst.filter((one) => one.table === table && one.id === Number(row['id']));
      if (!isFolded(row, own)) differences++;
    }
  const definitions = log.map(({ changes, ...row }) => ({ ...row, mark: markOf(row, changes) }));
  return { definitions, differences };
}

/** Whether each change has found what the one before has left, and an addition is the first one. */
function isFolded(row: DatabaseRow, newestFirst: readonly DefinitionChange[]): boolean {
  const state: Record<string, unknown> = { ...row };
  for (const [at, { before, after }] of newestFirst.entries()) {
    if (Object.entries(after).some(([name, value]) => !isSame(state[name], value))) return false;
    if (before === null) return at === newestFirst.length - 1 && Number(state['version']) === 1;
    Object.assign(state, before, { version: Number(state['version']) - 1 });
  }
  // Added without the log.
  return Number(state['version']) === 1;
}

/** PostgreSQL has numbers that SQLite has as text, and the reverse. */
function isSame(stored: unknown, logged: Columns[string] | undefined): boolean {
  return stored === logged || String(stored) === String(logged);
}

function markOf(
  { kind, undoes }: { readonly kind: string; readonly undoes: number | null },
  [change]: readonly DefinitionChange[],
): string | null {
  if (change === undefined || undoes !== null) return null;
  if (kind === 'added') return change.name;
  const { label, name } = change.after;
  return kind === 'changed' ? String(label ?? name ?? '') || null : null;
}
