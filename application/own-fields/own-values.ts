/**
 * The values of a thing in the fields of its team, by the ids of the fields: as pages show them, and as the table
 * `item_values` has them. Absent is empty.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isSqlite } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import { toSortKey } from '../site/fold-text.ts';
import { formatDate, formatNumber, fromDay } from '../site/format.ts';
import type { Definitions, OwnField } from './definitions.ts';
import { NO_VALUES, type OwnValue, type OwnValues, YES_OR_NO } from './own-field.ts';

/** The value as people read it; empty without one. */
export function showOwnValue(field: OwnField, value: OwnValue | undefined): string {
  if (value === undefined || value.length === 0) return '';
  if (typeof value !== 'string') return value.map((id) => choiceLabel(field, id)).join(', ');
  switch (field.kind) {
    case 'choice':
      return choiceLabel(field, value);
    case 'yes or no':
      return YES_OR_NO.find(({ id }) => id === value)?.label ?? value;
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

function choiceLabel({ choices }: OwnField, id: string): string {
  return choices.find((choice) => choice.id === id)?.label ?? id;
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
export function toOwnKey({ kind }: Pick<OwnField, 'kind'>, value: string): string {
  const isText = kind === 'text' || kind === 'long text' || kind === 'person' || kind === 'link';
  return isText ? [...toSortKey(value).slice(0, 2 * MAX_KEY)].slice(0, MAX_KEY).join('') : value;
}

/** The rows of a thing in `item_values`. A value of a field that is gone for ever has none. */
export function toValueRows(
  { allFields }: Pick<Definitions, 'allFields'>,
  item: { readonly number: number; readonly own: OwnValues },
) {
  return Object.entries(item.own).flatMap(([id, values]) => {
    const field = allFields.get(Number(id));
    if (field === undefined) return [];
    const isNumber = field.kind === 'number' || field.kind === 'money';
    return [values].flat().flatMap((value, position) =>
      value === ''
        ? []
        : [
            {
              ...{ item_number: item.number, field_id: field.id, position, value },
              key: toOwnKey(field, value),
              number: isNumber ? Number(value) : null,
            },
          ],
    );
  });
}

/** The values of an item, as text for `parseValues`: in the statement that reads the item, as of the same moment. */
export function valuesText(source: Kysely<Schema>): RawBuilder<string | null> {
  const list = isSqlite(source)
    ? sql`json_group_array(json_array(field_id, value) order by field_id, position)`
    : sql`cast(json_agg(json_build_array(field_id, value) order by field_id, position) as text)`;
  return sql`(select ${list} from item_values where item_number = items.number)`;
}

/** Which fields have a list: those with several choices. */
export function parseValues(
  text: string | null,
  { allFields }: Pick<Definitions, 'allFields'>,
): OwnValues {
  if (text === null || text === '[]') return NO_VALUES;
  return toOwnValues(
    (JSON.parse(text) as [number, string][]).map(([field_id, value]) => ({ field_id, value })),
    { allFields },
  );
}

/** The rows of one item, in the order of the fields and of their positions. */
export function toOwnValues(
  rows: readonly { readonly field_id: number; readonly value: string }[],
  { allFields }: Pick<Definitions, 'allFields'>,
): OwnValues {
  if (rows.length === 0) return NO_VALUES;
  const byField = Map.groupBy(rows, ({ field_id }) => field_id);
  return Object.fromEntries(
    [...byField].map(([id, own]) => {
      const values = own.map(({ value }) => value);
      const isList = allFields.get(id)?.kind === 'choices' || values.length > 1;
      return [id, isList ? values : (values[0] ?? '')];
    }),
  );
}

/** The values of several items, by their numbers. */
export async function readOwnValues(
  read: Kysely<Schema>,
  numbers: readonly number[],
  definitions: Pick<Definitions, 'allFields'>,
): Promise<ReadonlyMap<number, OwnValues>> {
  if (numbers.length === 0 || definitions.allFields.size === 0) return new Map();
  const rows = await read
    .selectFrom('item_values')
    .select(['item_number', 'field_id', 'value'])
    .where('item_number', 'in', numbers)
    .orderBy('item_number')
    .orderBy('field_id')
    .orderBy('position')
    .execute();
  const byItem = Map.groupBy(rows, ({ item_number }) => item_number);
  return new Map([...byItem].map(([number, own]) => [number, toOwnValues(own, definitions)]));
}
