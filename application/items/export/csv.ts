/**
 * Items as CSV, with a column for the number and each field that people fill in. Every cell can be read back: an export
 * that is imported again changes nothing.
 */
import { csv, type Response } from 'seeother';
import { ITEM_FIELDS, type ItemField } from '../item-fields.ts';
import type { Item } from '../item-rows.ts';

interface Row {
  readonly item: Item;
  readonly references: readonly string[];
}

type CellValue = string | number | null | readonly string[];

/** What another collection needs to take over the whole item. */
const OTHERS = {
  'lent to': ofLoans(({ to }) => to),
  'lent until': ofLoans(({ until }) => until),
  'lent at': ofLoans(({ at }) => at),
  'lent quantity': ofLoans(({ quantity }) => quantity),
  references: ({ references }: Row) => references.join('\n'),
  added: ({ item }: Row) => item.createdAt,
};

function ofLoans(read: (loan: Item['loans'][number]) => string | number | null) {
  return ({ item }: Row) => item.loans.map((loan) => read(loan) ?? '').join('\n');
}

type Column = 'number' | ItemField | keyof typeof OTHERS;

/** The columns that have a field of the form, and the others. */
export const COLUMNS: readonly Column[] = [
  'number',
  ...ITEM_FIELDS,
  ...(Object.keys(OTHERS) as (keyof typeof OTHERS)[]),
];

const CELLS = [
  ['number', ({ item }: Row) => item.number],
  ...ITEM_FIELDS.map((name) => [name, ({ item }: Row) => toText(item[name])] as const),
  ...Object.entries(OTHERS),
] as const;

/** The columns that each release has written. */
const FIRST = ['number', 'name', 'description', 'quantity', 'location', 'tags'];

/** Whether a file with these headings is an export, of this collection or of another one. */
export function isOwnExport(header: readonly string[]): boolean {
  return FIRST.every((heading) => header.includes(heading));
}

/** The references of items, by their numbers. */
export type FindReferences = (
  items: readonly Pick<Item, 'number'>[],
) => Promise<ReadonlyMap<number, readonly string[]>>;

/** Without `bom`, for programs. */
export function itemsCsv(
  batches: AsyncIterable<readonly Item[]>,
  findReferences: FindReferences,
  options: { readonly bom?: boolean } = {},
): Promise<Response<200>> {
  return csv(toRows(batches, findReferences), CELLS, { name: 'items.csv', ...options });
}

async function* toRows(
  batches: AsyncIterable<readonly Item[]>,
  findReferences: FindReferences,
): AsyncGenerator<Row> {
  for await (const items of batches) {
    const found = await findReferences(items);
    for (const item of items) yield { item, references: found.get(item.number) ?? [] };
  }
}

/** As a form would show it. */
function toText(value: CellValue): string {
  return Array.isArray(value) ? value.join(', ') : String(value ?? '');
}
