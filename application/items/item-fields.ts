/**
 * The fields of an item. What is said of them one by one is said in this table, and the rest follows from it: the
 * forms, the types, the columns of the statements, the history and its undo, the page of a conflict, the files of rows,
 * the list, the search, and what can be removed for ever.
 *
 * The fields that a team defines itself are not here: what is said of those stands in own-fields/, and `kind` and `own`
 * of an item have their values.
 *
 * A new field is an entry here, its column in the database (a migration, and schema.ts), and the headings that other
 * programs have for it (imports/headings.ts).
 */
import type { FormValues } from 'seeother';
import { type Field, listField, textField, wholeNumberField } from 'seeother/fields';
import { NO_VALUES, type OwnValues } from '../own-fields/own-field.ts';
import { toFacetKey } from './facets.ts';
import { MAX_LOCATION_LENGTH, MAX_TAG_LENGTH, MAX_TAGS } from './item-limits.ts';

type FieldEntry = Kind & {
  /**
   * Where a search finds what was typed: inside its words, or at their beginning alone, because nearly every item has
   * words of its own; null: nowhere.
   */
  readonly search: 'inside' | 'beginning' | null;
  /** Which items a search lists first: see item-search.ts. Null: last. */
  readonly rank: 'name' | 'label' | 'serial' | null;
  /** The name of its column of the list, for those who choose the columns; null without one. */
  readonly column: string | null;
  /** What an old value is called that was removed for ever; null if none can be: a number alone says little. */
  readonly removed: string | null;
};

/** A list has a table of its own in the database; every other field has a column with its name in `items`. */
type Kind =
  | { readonly kind: 'line' | 'text'; readonly field: Field<string> }
  | { readonly kind: 'number'; readonly field: Field<number> | Field<number | null> }
  | { readonly kind: 'list'; readonly field: Field<readonly string[]> };

/** In the order of the forms. */
export const FIELDS = {
  name: {
    kind: 'line',
    field: textField({ label: 'Name', required: 'Enter a name', maxLength: 120 }),
    search: 'inside',
    rank: 'name',
    column: null,
    removed: 'an old name',
  },
  description: {
    kind: 'text',
    field: textField({ label: 'Description', maxLength: 10_000, multiline: true }),
    search: 'inside',
    rank: null,
    column: null,
    removed: 'an old description',
  },
  quantity: {
    kind: 'number',
    field: wholeNumberField({ label: 'Quantity', min: 0, max: 1_000_000, default: 1 }),
    search: null,
    rank: null,
    column: 'Quantity',
    removed: null,
  },
  minimum: {
    kind: 'number',
    field: wholeNumberField({
      label: 'Minimum',
      hint: 'With a lower quantity, the list shows the item as running low.',
      min: 1,
      max: 1_000_000,
      default: null,
    }),
    search: null,
    rank: null,
    column: 'Minimum',
    removed: null,
  },
  location: {
    kind: 'line',
    field: textField({
      label: 'Location',
      hint: 'Where to look for it, like “Office, drawer 2”.',
      // See suggestions.ts.
      attributes: { list: 'locations' },
      maxLength: MAX_LOCATION_LENGTH,
    }),
    search: 'inside',
    rank: 'label',
    column: 'Location',
    removed: 'an old location',
  },
  tags: {
    kind: 'list',
    field: listField({
      label: 'Tags',
      hint: 'Separate tags with commas, like “tools, lent out”.',
      attributes: { list: 'known-tags' },
      entry: 'Tag',
      maxEntryLength: MAX_TAG_LENGTH,
      maxEntries: MAX_TAGS,
      keyOf: toFacetKey,
    }),
    search: 'inside',
    rank: 'label',
    column: 'Tags',
    removed: 'old tags',
  },
  serial: {
    kind: 'line',
    field: textField({
      label: 'Serial number',
      attributes: { autocapitalize: 'none', spellcheck: 'false' },
      maxLength: 120,
    }),
    search: 'beginning',
    rank: 'serial',
    column: 'Serial number',
    removed: 'an old serial number',
  },
  code: {
    kind: 'line',
    field: textField({
      label: 'Product code',
      hint: 'The number below its barcode: EAN or UPC.',
      attributes: { autocapitalize: 'none', spellcheck: 'false' },
      maxLength: 120,
    }),
    search: 'beginning',
    rank: 'serial',
    column: 'Product code',
    removed: 'an old product code',
  },
} satisfies Readonly<Record<string, FieldEntry>>;

type Table = typeof FIELDS;
export type ItemField = keyof Table;

/** The names of the fields whose entries are like this one. */
type FieldsWith<Like> = {
  [Name in ItemField]: Table[Name] extends Like ? Name : never;
}[ItemField];

export const ITEM_FIELDS = Object.keys(FIELDS) as readonly ItemField[];

export const itemFields = mapFields((name) => FIELDS[name].field) as {
  readonly [Name in ItemField]: Table[Name]['field'];
};

/** The fields of this table, and those that the team defines itself. */
export interface ItemInput extends FormValues<typeof itemFields> {
  /** Of `item_kinds`; null for none. */
  readonly kind: number | null;
  /** See own-fields/. */
  readonly own: OwnValues;
}

/** What a new item has in the fields of which nothing is said. */
export const EMPTY_ITEM = {
  ...mapFields((name) => {
    const { field } = FIELDS[name];
    const parsed = field.parse(field.default);
    // A name is required.
    return 'ok' in parsed && parsed.ok ? parsed.value : '';
  }),
  ...{ kind: null, own: NO_VALUES },
} as ItemInput;

/** The fields that are columns of the table `items`. */
export type ItemColumn = FieldsWith<{ readonly kind: 'line' | 'text' | 'number' }>;
export const ITEM_COLUMNS = ITEM_FIELDS.filter(
  (name): name is ItemColumn => FIELDS[name].kind !== 'list',
);

interface SearchedText extends Pick<FieldEntry, 'search' | 'rank'> {
  readonly text: string;
}

const SEARCHED = ITEM_FIELDS.filter((name) => FIELDS[name].search !== null);

/** The texts that a search finds. */
export function searchedTexts(item: ItemInput): readonly SearchedText[] {
  return SEARCHED.map((name) => {
    const { search, rank } = FIELDS[name];
    return { text: toText(name, item), search, rank };
  });
}

/** The text of the field, as a form shows it. */
export function toText(name: ItemField, item: ItemInput): string {
  const field: Field<ItemInput[ItemField]> = itemFields[name];
  return field.toText(item[name]);
}

/** The fields that are columns of the list. */
export type ListedField = FieldsWith<{ readonly column: string }>;
export const LISTED_FIELDS = ITEM_FIELDS.filter(
  (name): name is ListedField => FIELDS[name].column !== null,
);

export type RemovableField = FieldsWith<{ readonly removed: string }>;
export const REMOVABLE_FIELDS = ITEM_FIELDS.filter(isRemovable);

export function isRemovable(name: ItemField): name is RemovableField {
  return FIELDS[name].removed !== null;
}

/** A value for each field. */
export function mapFields<Value>(
  toValue: (name: ItemField) => Value,
): Readonly<Record<ItemField, Value>> {
  return mapNames(ITEM_FIELDS, toValue);
}

/** A value for each column of the table `items`. */
export function mapColumns<Value>(
  toValue: (name: ItemColumn) => Value,
): Readonly<Record<ItemColumn, Value>> {
  return mapNames(ITEM_COLUMNS, toValue);
}

/** The values of the columns, without anything else. */
export function columnsOf<Source extends Readonly<Record<ItemColumn, unknown>>>(
  source: Source,
): Pick<Source, ItemColumn> {
  return mapColumns((name) => source[name]) as Pick<Source, ItemColumn>;
}

export function mapNames<Name extends string, Value>(
  names: readonly Name[],
  toValue: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, toValue(name)])) as Record<Name, Value>;
}
