/**
 * The values of a thing in the fields of its team, by the ids of the fields: as pages show them, and as the table
 * `item_values` has them. Absent is empty.
 */
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { isSqlite, type KyselyTransaction } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import { toSortKey } from '../site/fold-text.ts';
import { formatDate, formatNumber, fromDay } from '../site/format.ts';
import type { OwnField } from './definitions.ts';
import {
  choicesOf,
  NO_VALUES,
  type OwnFieldKind,
  type OwnValue,
  type OwnValues,
  VALUE_KINDS,
} from './own-field.ts';

/** What tells how values of a field are shown: also of one that is still to be made. */
type Shown = Pick<OwnField, 'kind' | 'unit' | 'choices' | 'field'>;

/** The value as people read it; empty without one. */
export function showOwnValue(field: Shown, value: OwnValue | undefined): string {
  if (value === undefined || value.length === 0) return '';
  if (typeof value !== 'string') return value.map((id) => choiceLabel(field, id)).join(', ');
  switch (field.kind) {
    case 'choice':
    case 'yes or no':
      return choiceLabel(field, value);
    case 'number':
      return `${formatDecimal(value)}${field.unit === '' ? '' : ` ${field.unit}`}`;
    case 'money':
      return field.field.show(value);
    case 'date':
      return formatDate(fromDay(value));
    default:
      return value;
  }
}

/** The id itself if there is no such choice any more. */
export function choiceLabel(field: Pick<Shown, 'kind' | 'choices'>, id: string): string {
  return choicesOf(field).find((choice) => choice.id === id)?.label ?? id;
}

function formatDecimal(text: string): string {
  const [whole = '', decimals] = text.split('.');
  const shown = formatNumber(Number(whole));
  const sign = whole === '-0' ? '-' : '';
  return `${sign}${shown}${decimals === undefined ? '' : `.${decimals}`}`;
}

/** Characters of a key, which an index of PostgreSQL holds. */
const MAX_KEY = 200;

/** By what a value is sorted and found: a choice by its id. */
export function toOwnKey(kind: OwnFieldKind, value: string): string {
  const isText = VALUE_KINDS[kind].filter === 'words';
  return isText ? [...toSortKey(value).slice(0, 2 * MAX_KEY)].slice(0, MAX_KEY).join('') : value;
}

/** The rows of a thing in `item_values`. A value of a field that is gone for ever has none. */
export function toValueRows(
  kinds: ReadonlyMap<number, OwnFieldKind>,
  item: { readonly number: number; readonly own: OwnValues },
) {
  return Object.entries(item.own).flatMap(([id, values]) => {
    const kind = kinds.get(Number(id));
    if (kind === undefined || values.length === 0) return [];
    const isNumber = VALUE_KINDS[kind].sortedBy === 'number';
    // A list begins at 1, so that its rows say that they are one.
    const first = typeof values === 'string' ? 0 : 1;
    return [values].flat().map((value, at) => ({
      ...{ item_number: item.number, field_id: Number(id), position: first + at, value },
      key: toOwnKey(kind, value),
      number: isNumber ? Number(value) : null,
    }));
  });
}

/** The values of an item, as text for `parseValues`: in the statement that reads the item, as of the same moment. */
export function valuesText(source: Kysely<Schema>): RawBuilder<string | null> {
  const list = isSqlite(source)
    ? sql`json_group_array(json_array(field_id, position, value) order by field_id, position)`
    : sql`cast(json_agg(json_build_array(field_id, position, value) order by field_id, position) as text)`;
  return sql`(select ${list} from item_values where item_number = items.number)`;
}

export function parseValues(text: string | null): OwnValues {
  if (text === null || text === '[]') return NO_VALUES;
  const rows: readonly [number, number, string][] = JSON.parse(text);
  return toOwnValues(rows.map(([field_id, position, value]) => ({ field_id, position, value })));
}

type ValueRow = Pick<Selectable<Schema['item_values']>, 'field_id' | 'position' | 'value'>;

/** The rows of one item, in the order of the fields and of their positions. */
export function toOwnValues(rows: readonly ValueRow[]): OwnValues {
  if (rows.length === 0) return NO_VALUES;
  const byField = Map.groupBy(rows, ({ field_id }) => field_id);
  return Object.fromEntries(
    [...byField].map(([id, own]) => {
      const values = own.map(({ value }) => value);
      return [id, own[0]?.position === 0 ? (values[0] ?? '') : values];
    }),
  );
}

export function selectValues(read: Kysely<Schema>) {
  return read
    .selectFrom('item_values')
    .select(['item_number', 'field_id', 'position', 'value'])
    .orderBy('item_number')
    .orderBy('field_id')
    .orderBy('position');
}

/** The values of several items, by their numbers. Of some fields alone, if they are named. */
export async function readOwnValues(
  read: Kysely<Schema>,
  numbers: readonly number[],
  fields: readonly number[] | null = null,
): Promise<ReadonlyMap<number, OwnValues>> {
  if (numbers.length === 0 || fields?.length === 0) return new Map();
  const all = selectValues(read).where('item_number', 'in', numbers);
  const rows = await (fields === null ? all : all.where('field_id', 'in', fields)).execute();
  const byItem = Map.groupBy(rows, ({ item_number }) => item_number);
  return new Map([...byItem].map(([number, own]) => [number, toOwnValues(own)]));
}

export type ValuesOf = (
  items: readonly { readonly number: number }[],
  fields?: readonly number[],
) => Promise<ReadonlyMap<number, OwnValues>>;

export function createValuesOf(read: Kysely<Schema>): ValuesOf {
  return (items, fields) =>
    readOwnValues(
      read,
      items.map(({ number }) => number),
      fields,
    );
}

export type WithValues = { readonly number: number; readonly own: OwnValues };

/** Writes the values of items that have none yet. */
export async function insertValues(
  transaction: KyselyTransaction,
  items: readonly WithValues[],
): Promise<void> {
  const ids = new Set(items.flatMap(({ own }) => Object.keys(own).map(Number)));
  if (ids.size === 0) return;
  const fields = await transaction
    .selectFrom('own_fields')
    .select(['id', 'kind'])
    .where('id', 'in', [...ids])
    .execute();
  const kinds = new Map(fields.map(({ id, kind }) => [id, kind]));
  const rows = items.flatMap((item) => toValueRows(kinds, item));
  for (let at = 0; at < rows.length; at += MAX_ROWS)
    await transaction
      .insertInto('item_values')
      .values(rows.slice(at, at + MAX_ROWS))
      .execute();
}

/** Rows of a statement, which has six parameters for each. */
const MAX_ROWS = 1_000;

/** Replaces the values of items. */
export async function writeValues(
  transaction: KyselyTransaction,
  items: readonly WithValues[],
): Promise<void> {
  if (items.length === 0) return;
  const numbers = items.map(({ number }) => number);
  await transaction.deleteFrom('item_values').where('item_number', 'in', numbers).execute();
  await insertValues(transaction, items);
}

/** Without the empty ones, so that equal values are equal objects. */
export function withoutEmpty(own: OwnValues): OwnValues {
  const kept = Object.entries(own).filter(([, value]) => value.length > 0);
  return kept.length === 0 ? NO_VALUES : Object.fromEntries(kept);
}
