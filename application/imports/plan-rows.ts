/**
 * Compares rows of a file with the items: each row adds an item, changes one by its number, changes nothing, stands
 * for an item that exists, may stand for one that has another name, is twice in the file, or is refused. A field
 * without a column stays as it is; in a new item it is empty.
 */
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { describeLent } from '../items/events/event-text.ts';
import {
  type ChangeNames,
  type Changes,
  compareItems,
  recordedFields,
} from '../items/events/item-changes.ts';
import { type Item, readItems } from '../items/item-rows.ts';
import type { Source } from '../items/item-sources.ts';
import { lentOf } from '../items/loan.ts';
import type { Definitions } from '../own-fields/definitions.ts';
import { NO_VALUES } from '../own-fields/own-field.ts';
import { readOwnValues, showOwnValue, withoutEmpty } from '../own-fields/own-values.ts';
import { type createSeen, findKnown, type RestOfFile, type Thing } from './known-items.ts';
import type { NewKind } from './new-kinds.ts';
import type { OwnColumn } from './own-columns.ts';
import { type ItemRow, type RefusedRow, toLoans } from './read-row.ts';
import { plainText } from './same-text.ts';

/** What is written of a row. By its sources, later files know the item. */
type Written = Omit<ItemRow, 'number' | 'notices' | 'photos'>;

/** A row for an item that exists. */
interface Compared extends Written {
  readonly number: number;
  /** The name that the item has now. */
  readonly was: string;
  /** The version of the item that the row was compared with. */
  readonly version: number;
  readonly changes: Changes;
  /** If the row says that there are fewer than are lent: how many these are, and to whom. */
  readonly lent?: string;
}

export type PlannedRow =
  /** `others` are the items with its name and its location that are other things. */
  | ({ readonly kind: 'create'; readonly others: readonly number[] } & Written)
  /** By the number. */
  | ({ readonly kind: 'change' } & Compared)
  | ({ readonly kind: 'same'; readonly number: number } & Pick<ItemRow, 'line' | 'name'>)
  /** By a source, or by name and location. */
  | ({ readonly kind: 'here' } & Compared)
  /** By a reference or a number alone: the item never had this name. */
  | ({ readonly kind: 'asked' } & Compared)
  /** The first row for the same thing is on the line `first`. */
  | ({ readonly kind: 'doubled'; readonly first: number } & Written)
  | ({ readonly kind: 'refuse' } & RefusedRow);

/** What is known of a file while it is read. */
export interface FileState extends RestOfFile {
  readonly seen: ReturnType<typeof createSeen>;
  /** The lines of the numbers. */
  readonly numbered: Map<number, number>;
  /** The lines of the rows that stand for items. */
  readonly taken: Map<number, number>;
  /** Whether it is the export of this collection, or of another one. */
  readonly isExport: boolean;
  /** Whether it says when its items were added. Somebody may have removed that column. */
  readonly hasTimes: boolean;
  readonly own: readonly OwnColumn[];
  /** That are still to be made. */
  readonly kinds: readonly NewKind[];
  readonly definitions: Definitions;
}

/** Rows with numbers. They are planned and written before the others, which may be the doubles of what they change. */
export async function planNumbered(
  read: Kysely<Schema>,
  rows: readonly ItemRow[],
  state: FileState,
): Promise<readonly PlannedRow[]> {
  const { seen, numbered, taken } = state;
  const items = await readByNumber(
    read,
    rows.flatMap(({ number }) => number ?? []),
    state,
  );
  const deleted = await findDeleted(
    read,
    state.isExport ? rows.filter(({ number }) => !items.has(number ?? 0)) : [],
  );
  const planned: PlannedRow[] = [];
  /** Rows of other collections, and those whose numbers may be those of other things. */
  const others: ItemRow[] = [];
  const doubtful = new Map<ItemRow, number>();
  for (const row of rows) {
    const { line, name, number, values } = row;
    const before = items.get(number ?? 0);
    const refuse = (message: string) =>
      planned.push({
        ...{ kind: 'refuse', line, name },
        problems: [{ column: 'number', cell: `${number}`, message }],
      });
    const first = numbered.get(number ?? 0);
    numbered.set(number ?? 0, first ?? line);
    if (first !== undefined) refuse(`The item is on line ${first}, too`);
    else if (before === undefined && !state.isExport)
      refuse('There is no such item. Leave its number empty to add it');
    else if (before === undefined && deleted.has(row))
      refuse('The item was deleted. Restore it, or leave its number empty to add it');
    else if (before === undefined || isFromElsewhere(row, before)) others.push(row);
    else if (isSame(row, before, state)) {
      taken.set(before.number, line);
      const compared = compare(row, before, [], state);
      seen.add({ ...toThing(row), ...before, ...values }, line);
      planned.push(
        recordedFields(compared.changes).length === 0
          ? { kind: 'same', line, name, number: before.number }
          : { kind: 'change', ...compared },
      );
    } else {
      others.push(row);
      doubtful.set(row, before.number);
    }
  }
  planned.push(...(await planOthers(read, others, state, doubtful)));
  return planned.sort((one, other) => one.line - other.line);
}

/** Two collections give the same number at different times. */
function isFromElsewhere({ added }: ItemRow, { createdAt }: Item): boolean {
  return added !== null && added !== createdAt.toISOString();
}

/** Whether the row is certainly for this item, whatever the item is called. */
function isSame({ values, added }: ItemRow, item: Item, state: FileState): boolean {
  if (state.isExport && (added !== null || !state.hasTimes)) return true;
  return plainText(values.name ?? '') === plainText(item.name);
}

/** The rows of items that were deleted here. */
async function findDeleted(
  read: Kysely<Schema>,
  rows: readonly ItemRow[],
): Promise<ReadonlySet<ItemRow>> {
  if (rows.length === 0) return new Set();
  const numbers = rows.flatMap(({ number }) => number ?? []);
  const events = await read
    .selectFrom('item_events')
    .select(['item_number as number', 'item_name as name'])
    .where('item_number', 'in', numbers)
    .where('kind', '=', 'deleted')
    .execute();
  const names = new Set(events.map(({ number, name }) => `${number} ${plainText(name)}`));
  return new Set(
    rows.filter((row) => names.has(`${row.number} ${plainText(row.values.name ?? '')}`)),
  );
}

/** Rows without numbers, and those whose number may be that of another thing. */
export async function planOthers(
  read: Kysely<Schema>,
  rows: readonly (ItemRow | RefusedRow)[],
  state: FileState,
  doubtful: ReadonlyMap<ItemRow, number> = new Map(),
): Promise<readonly PlannedRow[]> {
  const { seen, taken } = state;
  const planned: PlannedRow[] = [];
  const fresh: ItemRow[] = [];
  const things: Thing[] = [];
  for (const row of rows) {
    const { line } = row;
    if ('problems' in row) planned.push({ kind: 'refuse', ...row });
    else {
      const thing = { ...toThing(row), named: doubtful.get(row) };
      const first = seen.add(thing, line);
      if (first === null) {
        fresh.push(row);
        things.push(thing);
      } else planned.push({ kind: 'doubled', first, ...toWritten(row) });
    }
  }
  const known = await findKnown(read, things, state);
  const items = await readByNumber(
    read,
    known.flatMap(({ number }) => number ?? []),
    state,
  );
  for (const [at, row] of fresh.entries()) {
    const match = known[at];
    const before = items.get(match?.number ?? 0);
    if (match === undefined || match.number === null || before === undefined) {
      const others = match?.number === null ? match.others : [];
      planned.push({ kind: 'create', others, ...toWritten(row) });
      continue;
    }
    const first = taken.get(before.number);
    if (first === undefined) taken.set(before.number, row.line);
    planned.push(
      first === undefined
        ? { kind: match.isSure ? 'here' : 'asked', ...compare(row, before, match.missing, state) }
        : { kind: 'doubled', first, ...toWritten(row) },
    );
  }
  return planned.sort((one, other) => one.line - other.line);
}

/** A new item is what the row says. */
function toThing({ values, sources }: Pick<ItemRow, 'values' | 'sources'>): Thing {
  const { name = '', location = '' } = values;
  return { name, location, sources };
}

/** With the values of the fields for which the file has columns. */
async function readByNumber(
  read: Kysely<Schema>,
  numbers: readonly number[],
  { own }: Pick<FileState, 'own'>,
): Promise<ReadonlyMap<number, Item>> {
  const unique = [...new Set(numbers)];
  const ids = own.flatMap(({ isNew, key }) => (isNew ? [] : [Number(key)]));
  const values = await readOwnValues(read, unique, ids);
  const items = await readItems(
    read,
    unique.map((number) => ({ number })),
  );
  return new Map(
    items.map((item) => [item.number, { ...item, own: values.get(item.number) ?? NO_VALUES }]),
  );
}

function toWritten({
  number: _number,
  notices: _notices,
  photos: _photos,
  ...written
}: ItemRow): Written {
  return written;
}

/** `missing` are the sources by which the item is not known yet. */
function compare(
  row: ItemRow,
  before: Item,
  missing: readonly Source[],
  state: FileState,
): Compared {
  const { number, version, name: was } = before;
  const own = withoutEmpty({ ...before.own, ...row.own });
  const fields = withNames(compareItems(before, { ...before, ...row.values, own }), state);
  // A file ends no loan, and takes no thing away from somebody.
  const loans = before.loans.length === 0 ? row.loans : [];
  const begun = toLoans(loans, row.values.quantity ?? before.quantity) ?? [];
  const changes: Changes = begun.length === 0 ? fields : { ...fields, loans: [[], begun] };
  const isFewer = (changes.quantity?.[1] ?? Infinity) < lentOf(before.loans);
  return {
    ...{ ...toWritten(row), sources: missing, loans, number, version, was, changes },
    ...(isFewer ? { lent: describeLent(before) } : {}),
  };
}

/** For the preview: what the kind and one's own fields are called, also those that are still to be made. */
function withNames(changes: Changes, { own, kinds, definitions }: FileState): Changes {
  const { kind } = changes;
  const texts = own.flatMap((column) => {
    const name = `own_${Number(column.key)}` as const;
    const values = changes[name];
    if (values === undefined) return [];
    const [old = '', now = ''] = values.map((value) => showOwnValue(column, value ?? ''));
    return [[name, [column.label, old, now]] as const];
  });
  const kindName = (id: number | null = null) =>
    (definitions.allKinds.get(id ?? 0) ?? kinds.find(({ key }) => key === id))?.name ?? '';
  const named: ChangeNames = {
    ...Object.fromEntries(texts),
    ...(kind === undefined ? {} : { kind: ['Kind', kindName(kind[0]), kindName(kind[1])] }),
  };
  return Object.keys(named).length === 0 ? changes : { ...changes, names: named };
}
