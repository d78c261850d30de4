/** Events in words: who did what, and the old and the new value of each field. */
import { type Html, html } from 'seeother';
import { formatDate, formatNumber, fromDay } from '../../site/format.ts';
import { FIELDS, itemFields, REMOVABLE_FIELDS } from '../item-fields.ts';
import { hereOf, type Lendable, lentOf, listBorrowers } from '../loan.ts';
import { describeFiles } from './file-changes.ts';
import {
  type ChangeNames,
  type Changes,
  isOwnName,
  isRemoved,
  type RecordedField,
  type RecordedLoan,
  type RecordedValue,
  recordedFields,
} from './item-changes.ts';
import type { ItemEvent } from './item-events.ts';

/** Of an own field, as the change has recorded it. */
export function fieldLabel(field: RecordedField | 'files', names: ChangeNames = {}): string {
  if (field === 'files') return 'Photos and documents';
  if (field === 'loans') return 'Lent to';
  if (field === 'kind') return 'Kind';
  return isOwnName(field) ? (names[field]?.[0] ?? 'A field') : itemFields[field].label;
}

/** The old or the new value of a change, as it was called then. */
export function recordedText(changes: Changes, field: RecordedField, at: 0 | 1): string {
  const named = field === 'kind' || isOwnName(field) ? changes.names?.[field] : undefined;
  if (named !== undefined) return named[at + 1] || '–';
  return fieldValue(changes[field]?.[at] as RecordedValue);
}

/** The value as on the page of the item; empty if it is. */
export function showValue(value: RecordedValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'string') return value;
  const texts = value.map((one) => (typeof one === 'string' ? one : describeLoan(one)));
  return texts.join(value.some((one) => typeof one !== 'string') ? '; ' : ', ');
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
  loans: 'the name of a borrower',
  /** As an older release recorded it. */
  loan: 'the name of a borrower',
  reason: 'a reason',
  file: 'a photo or document',
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
    return html`removed ${isOwnName(reason) ? 'an old value of a field' : (REMOVED_VALUES[reason] ?? 'an old value')}${link && html` of ${link}`} for ever`;
  if (changes.files !== undefined)
    return html`${undoes === null ? null : 'undid a change: '}${describeFiles(changes.files)}${link && html` of ${link}`}`;
  if (undoes !== null) return html`undid a change${link && html` of ${link}`}`;
  const { quantity, ...others } = changes;
  if (kind === 'changed' && quantity !== undefined && Object.keys(others).length === 0)
    return html`set the quantity${link && html` of ${link}`} to ${formatNumber(quantity[1])}`;
  if (kind === 'changed') return html`changed ${item}`;
  if (kind === 'lent' || kind === 'returned') return describeLoans(changes, kind, item, link);
  const [from, to] = changes.quantity ?? [0, 0];
  return from > to
    ? html`took ${formatNumber(from - to)}${link && html` of ${link}`}`
    : html`added ${formatNumber(to - from)}${link && html` to ${link}`}`;
}

/** "lent 3 to Bo", "marked 2 of 3 as returned by Bo". A loan of one item is "it". */
function describeLoans(
  { loans: [before, after] = [[], []] }: Changes,
  kind: 'lent' | 'returned',
  item: Html,
  link?: Html,
): Html {
  const [lent, left] = kind === 'lent' ? [after, before] : [before, after];
  const count = lentOf(lent.map(({ quantity = 1 }) => ({ quantity })));
  const rest = lentOf(left.map(({ quantity = 1 }) => ({ quantity })));
  const of = link && html` of ${link}`;
  const part =
    rest === 0 ? formatNumber(count) : `${formatNumber(count - rest)} of ${formatNumber(count)}`;
  const what = count > 1 ? html`${part}${of}` : item;
  const names = listBorrowers(lent.flatMap(({ to }) => (to === '' ? [] : [to])));
  if (kind === 'returned')
    return html`marked ${what} as returned${names === '' ? null : ` by ${names}`}`;
  const [one] = lent;
  return html`lent ${what}${names === '' || one === undefined ? null : ` to ${describeLoan({ ...one, quantity: 1, to: names })}`}`;
}

/** "Bo, until 3 Dec 2026"; of several, "3 to Bo, until 3 Dec 2026". */
export function describeLoan({
  to,
  until,
  quantity = 1,
}: Pick<RecordedLoan, 'to' | 'until' | 'quantity'>): string {
  const who = quantity > 1 ? `${formatNumber(quantity)} to ${to}` : to;
  return until === null ? who : `${who}, until ${formatDate(fromDay(until))}`;
}

/** "3 are lent to Bo and Cy"; with one loan, "3 are lent to Bo, until 3 Dec 2026"; of one item, "It is lent to Bo". */
export function describeLent({ quantity, loans }: Lendable): string {
  const lent = lentOf(loans);
  const [first, ...others] = loans;
  const who =
    first !== undefined && others.length === 0
      ? describeLoan({ ...first, quantity: 1 })
      : listBorrowers(loans.map(({ to }) => to));
  if (quantity <= 1 && lent <= 1) return `It is lent to ${who}`;
  return `${formatNumber(lent)} ${lent === 1 ? 'is' : 'are'} lent to ${who}`;
}

/** Why the quantity cannot be less: "5 are lent to Bo: return them first". */
export function describeLentLimit(item: Lendable): string {
  return `${describeLent(item)}: return ${lentOf(item.loans) === 1 ? 'it' : 'them'} first`;
}

/** Why not so many can be lent: "Only 3 are here: 9 are lent to Bo and Cy". */
export function describeHere(item: Lendable): string {
  const here = hereOf(item);
  const { loans, quantity } = item;
  const [first, ...others] = loans;
  const are = (count: number) => `${formatNumber(count)} ${count === 1 ? 'is' : 'are'}`;
  if (first === undefined)
    return quantity === 0
      ? 'The quantity is 0: there is none to lend'
      : `Only ${are(quantity)} here`;
  if (here > 0) return `Only ${are(here)} here: ${describeLent(item)}`;
  if (others.length > 0) return `None is here: ${describeLent(item)}`;
  const comma = first.until === null ? '' : ',';
  return `${describeLoan({ ...first, quantity: 1 })}${comma} has it: return it first`;
}

/** Characters of a value that the history shows. */
const MAX_LENGTH = 300;

export function changeList(changes: Changes): Html | null {
  const fields = recordedFields(changes);
  if (fields.length === 0) return null;
  const value = (field: RecordedField, at: 0 | 1) => {
    const one = changes[field]?.[at] as RecordedValue;
    return isRemoved(field, one)
      ? html`<em>removed</em>`
      : shorten(recordedText(changes, field, at));
  };
  return html`${fields.map(
    (field) =>
      html`<p class="changes">${fieldLabel(field, changes.names)}: <del>${value(field, 0)}</del> → <ins>${value(field, 1)}</ins></p>\n`,
  )}`;
}

function shorten(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_LENGTH)];
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join('')}…` : text;
}
