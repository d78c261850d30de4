/** Events in words: who did what, and the old and the new value of each field. */
import { type Html, html } from 'seeother';
import type { ItemInput } from '../items/item-rows.ts';
import { formatNumber } from '../site/format.ts';
import { type Changes, changedFields, type ItemField } from './item-changes.ts';
import type { ItemEvent } from './item-events.ts';

const LABELS: Readonly<Record<ItemField, string>> = {
  name: 'Name',
  description: 'Description',
  quantity: 'Quantity',
  minimum: 'Minimum',
  location: 'Location',
  tags: 'Tags',
};

export function fieldLabel(field: ItemField): string {
  return LABELS[field];
}

/** As on the page of the item; a dash for nothing. */
export function fieldValue(value: ItemInput[ItemField]): string {
  if (value === null) return '–';
  if (typeof value === 'number') return formatNumber(value);
  const text = typeof value === 'string' ? value : value.join(', ');
  return text === '' ? '–' : text;
}

/** What happened, without who: "took 3", "undid a change". */
export function describeEvent({ kind, changes, undoes }: ItemEvent): string {
  if (kind === 'deleted') return undoes === null ? 'deleted it' : 'deleted it again';
  if (kind === 'restored') return 'restored it';
  if (kind === 'added') return 'added it';
  if (undoes !== null) return 'undid a change';
  if (kind === 'changed') return 'changed it';
  const [from, to] = changes.quantity ?? [0, 0];
  return from > to ? `took ${formatNumber(from - to)}` : `added ${formatNumber(to - from)}`;
}

/** Characters of a value in the history. */
const MAX_LENGTH = 300;

export function changeList(changes: Changes): Html | null {
  const fields = changedFields(changes);
  if (fields.length === 0) return null;
  const value = (field: ItemField, at: 0 | 1) =>
    shorten(fieldValue(changes[field]?.[at] as ItemInput[ItemField]));
  return html`${fields.map(
    (field) =>
      html`<p class="changes">${fieldLabel(field)}: <del>${value(field, 0)}</del> → <ins>${value(field, 1)}</ins></p>\n`,
  )}`;
}

function shorten(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_LENGTH)];
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join('')}…` : text;
}
