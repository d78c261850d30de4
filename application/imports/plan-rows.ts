/**
 * Compares rows of a file with the items: each row adds an item, changes one by its number, changes nothing, stands
 * for an item that exists, is twice in the file, or is refused. A field without a column stays as it is; in a new item
 * it is empty.
 */
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { type Changes, changedFields, compareItems } from '../items/events/item-changes.ts';
import { type Item, type ItemInput, readItems } from '../items/item-rows.ts';
import { type createSeen, findKnown, type Thing } from './known-items.ts';
import type { CellNote, ReadRow, RefusedRow } from './read-row.ts';

interface Planned {
  readonly line: number;
  /** As in the file. */
  readonly name: string;
}

/** A row for an item, with the fields that the file has. */
interface WithValues extends Planned {
  readonly values: Partial<ItemInput>;
  readonly reference: string | null;
}

interface Compared extends WithValues {
  readonly number: number;
  /** The name that the item has now. */
  readonly was: string;
  /** The version of the item that the row was compared with. */
  readonly version: number;
  readonly changes: Changes;
}

export type PlannedRow =
  | ({ readonly kind: 'create' } & WithValues)
  /** By the number. */
  | ({ readonly kind: 'change' } & Compared)
  | ({ readonly kind: 'same' } & Planned)
  /** By the reference, or by name and location. */
  | ({ readonly kind: 'here' } & Compared)
  /** The first row for the same thing is on the line `first`. */
  | ({ readonly kind: 'doubled'; readonly first: number } & WithValues)
  | ({ readonly kind: 'refuse'; readonly problems: readonly CellNote[] } & Planned);

export const EMPTY: ItemInput = {
  name: '',
  description: '',
  quantity: 1,
  minimum: null,
  location: '',
  tags: [],
};

/** What is known of a file while it is read. */
export interface FileState {
  readonly seen: ReturnType<typeof createSeen>;
  /** The lines of the items that the file has by their numbers. */
  readonly numbered: Map<number, number>;
}

/** Rows with numbers. They are planned and written before the others, which may be the doubles of what they change. */
export async function planNumbered(
  read: Kysely<Schema>,
  rows: readonly ReadRow[],
  { seen, numbered }: FileState,
): Promise<readonly PlannedRow[]> {
  const items = await readByNumber(
    read,
    rows.flatMap(({ number }) => number ?? []),
  );
  return rows.map((row): PlannedRow => {
    const number = row.number ?? 0;
    const before = items.get(number);
    const first = numbered.get(number);
    const { line, name } = row;
    const refuse = (message: string): PlannedRow => {
      return {
        kind: 'refuse',
        line,
        name,
        problems: [{ column: 'number', cell: `${number}`, message }],
      };
    };
    if (first !== undefined) return refuse(`The item is on line ${first}, too`);
    if (before === undefined)
      return refuse('There is no such item. Leave its number empty to add it');
    numbered.set(number, line);
    const compared = compare(row, before);
    seen.add({ ...before, ...row.values, reference: row.reference }, line);
    return changedFields(compared.changes).length === 0
      ? { kind: 'same', line, name }
      : { kind: 'change', ...compared };
  });
}

/** Rows without numbers. */
export async function planOthers(
  read: Kysely<Schema>,
  rows: readonly (ReadRow | RefusedRow)[],
  { seen, numbered }: FileState,
): Promise<readonly PlannedRow[]> {
  const planned: PlannedRow[] = [];
  const fresh: ReadRow[] = [];
  for (const row of rows) {
    const { line, name } = row;
    if ('problems' in row) planned.push({ kind: 'refuse', line, name, problems: row.problems });
    else {
      const first = seen.add(toThing(row), line);
      if (first === null) fresh.push(row);
      else planned.push({ kind: 'doubled', first, ...withValues(row) });
    }
  }
  const known = await findKnown(read, fresh.map(toThing), numbered);
  const items = await readByNumber(
    read,
    known.flatMap((number) => number ?? []),
  );
  for (const [at, row] of fresh.entries()) {
    const before = items.get(known[at] ?? 0);
    planned.push(
      before === undefined
        ? { kind: 'create', ...withValues(row) }
        : { kind: 'here', ...compare(row, before) },
    );
  }
  return planned.sort((one, other) => one.line - other.line);
}

/** A new item is what the row says. */
export function toThing({ values, reference }: Pick<ReadRow, 'values' | 'reference'>): Thing {
  return { ...EMPTY, ...values, reference };
}

async function readByNumber(
  read: Kysely<Schema>,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, Item>> {
  const unique = [...new Set(numbers)].map((number) => ({ number }));
  return new Map((await readItems(read, unique)).map((item) => [item.number, item]));
}

function withValues({ line, name, values, reference }: ReadRow): WithValues {
  return { line, name, values, reference };
}

function compare(row: ReadRow, before: Item): Compared {
  const { number, version, name: was } = before;
  const changes = compareItems(before, { ...before, ...row.values });
  return { ...withValues(row), number, version, was, changes };
}
