/** What a count has found, in words. */
import { type Html, html } from 'seeother';
import { countRecordHref } from '../links.ts';
import { dueElement, formatNumber, toDay } from '../site/format.ts';
import type { CountRecord } from './count-records.ts';

/** "Last counted 3 Nov by ada: 2 missing." */
export function lastCounted(record: CountRecord, now: Date): Html {
  const { id, at, by } = record;
  return html`<a href="${countRecordHref(id)}">Last counted ${dueElement(toDay(at), now)}</a>${by === null ? '' : ` by ${by}`}: ${describeResult(record)}.`;
}

/** After a number of items. */
export function describeResult({ missing, surplus, uncounted }: CountRecord): string {
  const parts = [
    missing === 0 ? '' : `${formatNumber(missing)} missing`,
    surplus === 0 ? '' : `${formatNumber(surplus)} more than stored`,
    uncounted === 0 ? '' : `${formatNumber(uncounted)} not counted`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'all as stored' : parts.join(', ');
}
