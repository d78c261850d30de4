/**
 * Items as CSV, with a column for the number and each field that people fill in. Every cell can be read back: an export
 * that is imported again changes nothing.
 */
import { csv, type Response } from 'seeother';
import { type Definitions, NO_DEFINITIONS, type OwnField } from '../../own-fields/definitions.ts';
import { toHeading } from '../../own-fields/label-rules.ts';
import type { OwnValue, OwnValues } from '../../own-fields/own-field.ts';
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

/** The heading of the kind, if there are any. */
export const KIND = 'kind';

function toCells(definitions: Definitions) {
  return [
    ['number', ({ item }: Row) => item.number],
    ...ITEM_FIELDS.map((name) => [name, ({ item }: Row) => toText(item[name])] as const),
    ...ownCells(definitions),
    ...Object.entries(OTHERS),
  ] as const;
}

/** The kind by its name, also a removed one, and each field of the team's own. */
function ownCells(definitions: Definitions) {
  const { kinds, fields, allKinds } = definitions;
  const kind = [KIND, ({ item }: Row) => allKinds.get(item.kind ?? 0)?.name ?? ''] as const;
  const own = fields.map((field) => {
    const read = ({ item }: Row) => ownText(field, item.own[field.id]);
    return [toHeading(field, definitions), read] as const;
  });
  return kinds.length === 0 ? own : [kind, ...own];
}

/** As it is stored, so that it can be read back; choices by their labels. */
function ownText({ choices }: OwnField, value: OwnValue | undefined): string {
  const labels = new Map(choices.map(({ id, label }) => [id, label]));
  return [value ?? []]
    .flat()
    .map((one) => labels.get(one) ?? one)
    .join(', ');
}

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

/** What a file reads beside the items. */
export interface FileParts {
  readonly findReferences: FindReferences;
  readonly definitions?: Definitions;
  /** The values of the fields of the team's own. */
  readonly valuesOf?: (
    items: readonly Pick<Item, 'number'>[],
  ) => Promise<ReadonlyMap<number, OwnValues>>;
}

/** Without `bom`, for programs. */
export function itemsCsv(
  batches: AsyncIterable<readonly Item[]>,
  parts: FileParts,
  options: { readonly bom?: boolean } = {},
): Promise<Response<200>> {
  const cells = toCells(parts.definitions ?? NO_DEFINITIONS);
  return csv(toRows(batches, parts), cells, { name: 'items.csv', ...options });
}

async function* toRows(
  batches: AsyncIterable<readonly Item[]>,
  { findReferences, definitions = NO_DEFINITIONS, valuesOf }: FileParts,
): AsyncGenerator<Row> {
  for await (const items of batches) {
    const found = await findReferences(items);
    const values =
      valuesOf === undefined || definitions.fields.length === 0 ? null : await valuesOf(items);
    for (const item of items) {
      const own = values?.get(item.number) ?? item.own;
      yield { item: { ...item, own }, references: found.get(item.number) ?? [] };
    }
  }
}

/** As a form would show it. */
function toText(value: CellValue): string {
  return Array.isArray(value) ? value.join(', ') : String(value ?? '');
}
