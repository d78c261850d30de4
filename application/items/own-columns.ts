/** Items with the values that a list shows: it reads those of the fields that are columns, and no others. */
import type { Awaitable } from 'seeother/middleware';
import type { Definitions } from '../own-fields/definitions.ts';
import type { Items } from './item.ts';
import type { Item } from './item-rows.ts';

/** `columns` are the names of fields, and of other columns. */
export function withOwnColumns(
  { valuesOf }: Pick<Items, 'valuesOf'>,
  items: readonly Item[],
  columns: readonly string[],
  { fields }: Pick<Definitions, 'fields'>,
): Awaitable<readonly Item[]> {
  const shown = fields.filter(({ name }) => columns.includes(name)).map(({ id }) => id);
  if (shown.length === 0 || items.length === 0) return items;
  return valuesOf(items, shown).then((values) =>
    items.map((item) => ({ ...item, own: values.get(item.number) ?? item.own })),
  );
}
