/** Events in words: who did what, and the old and the new value of each field. */
import { type Html, html } from 'seeother';
import { formatDate, formatNumber, fromDay } from '../../site/format.ts';
import { FIELDS, itemFields, REMOVABLE_FIELDS } from '../item-fields.ts';
import type { Loan } from '../loan.ts';
import {
  type Changes,
  isRemoved,
  type RecordedField,
  type RecordedValue,
  recordedFields,
} from './item-changes.ts';
import type { ItemEvent } from './item-events.ts';

export function fieldLabel(field: RecordedField): string {
  return field === 'loan' ? 'Lent to' : itemFields[field].label;
}

/** The value as on the page of the item; empty if it is. */
export function showValue(value: RecordedValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'string') return value;
  return 'to' in value ? describeLoan(value) : value.join(', ');
}

/** The same with a dash for an empty one. */
export function fieldValue(value: RecordedValue): string {
  return showValue(value) || '–';
}

/** The name of the item after the change, or its number if the name was removed for ever. */
export function nameOf({ itemName, number }: Pick<ItemEvent, 'itemName' | 'number'>): string {
  return itemName === '' ? `No. ${number}` : itemName;
}

/** What was removed for ever, by its kind: see `REMOVABLE`. */
export const REMOVED_VALUES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(REMOVABLE_FIELDS.map((name) => [name, FIELDS[name].removed])),
  loan: 'the name of a borrower',
  reason: 'a reason',
};

/**
 * What happened, without the user's name: "took 3", "changed it". With a link to the item, for lists of several
 * items: "took 3 of Chair", "changed Chair".
 */
export function describeEvent({ kind, changes, undoes, reason }: ItemEvent, link?: Html): Html {
  const item = link ?? html`it`;
  if (kind === 'deleted') return html`deleted ${item}`;
  if (kind === 'restored') return html`restored ${item}`;
  if (kind === 'added') return html`added ${item}`;
  if (kind === 'removed') return html`removed ${item} for ever`;
  if (kind === 'value removed')
    return html`removed ${REMOVED_VALUES[reason] ?? 'an old value'}${link && html` of ${link}`} for ever`;
  if (undoes !== null) return html`undid a change${link && html` of ${link}`}`;
  const { quantity, ...others } = changes;
  if (kind === 'changed' && quantity !== undefined && Object.keys(others).length === 0)
    return html`set the quantity${link && html` of ${link}`} to ${formatNumber(quantity[1])}`;
  if (kind === 'changed') return html`changed ${item}`;
  const [before, after] = changes.loan ?? [null, null];
  if (kind === 'lent') return html`lent ${item}${after?.to ? ` to ${describeLoan(after)}` : null}`;
  if (kind === 'returned')
    return html`marked ${item} as returned${before?.to ? ` by ${before.to}` : null}`;
  const [from, to] = changes.quantity ?? [0, 0];
  return from > to
    ? html`took ${formatNumber(from - to)}${link && html` of ${link}`}`
    : html`added ${formatNumber(to - from)}${link && html` to ${link}`}`;
}

/** "Bo, until 3 Dec 2026". */
export function describeLoan({ to, until }: Pick<Loan, 'to' | 'until'>): string {
  return until === null ? to : `${to}, until ${formatDate(fromDay(until))}`;
}

/** Characters of a value that the history shows. */
const MAX_LENGTH = 300;

export function changeList(changes: Changes): Html | null {
  const fields = recordedFields(changes);
  if (fields.length === 0) return null;
  const value = (field: RecordedField, at: 0 | 1) => {
    const one = changes[field]?.[at] as RecordedValue;
    return isRemoved(field, one) ? html`<em>removed</em>` : shorten(fieldValue(one));
  };
  return html`${fields.map(
    (field) =>
      html`<p class="changes">${fieldLabel(field)}: <del>${value(field, 0)}</del> → <ins>${value(field, 1)}</ins></p>\n`,
  )}`;
}

function shorten(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_LENGTH)];
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join('')}…` : text;
}
