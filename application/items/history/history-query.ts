/** The filter of the history, as the address has it. Unknown values are ignored, as in the list of items. */
import { fromDay, toDay } from '../../site/format.ts';
import { parseNumber } from '../parse-number.ts';
import { readText } from '../read-item-query.ts';
import { HISTORY_KINDS, type HistoryKind } from './history-kinds.ts';
import type { HistoryPlace } from './team-history.ts';

export interface HistoryQuery {
  /** The id of an account. */
  readonly person: number | null;
  readonly kind: HistoryKind | null;
  /** An item, as typed: its number or words of its name. */
  readonly item: string;
  /** Days, as in `2026-11-20`; or empty. */
  readonly from: string;
  readonly to: string;
}

export const WHOLE_HISTORY: HistoryQuery = { person: null, kind: null, item: '', from: '', to: '' };

export function readHistoryQuery(query: URLSearchParams): HistoryQuery {
  const kind = query.get('kind');
  return {
    person: parseNumber(query.get('person') ?? ''),
    kind: kind !== null && Object.hasOwn(HISTORY_KINDS, kind) ? (kind as HistoryKind) : null,
    item: readText(query, 'item'),
    from: readDay(query, 'from'),
    to: readDay(query, 'to'),
  };
}

function readDay(query: URLSearchParams, name: string): string {
  const day = query.get(name) ?? '';
  // The day after the year 9999 has a time that is no greater as text.
  if (!/^(?!9999)\d{4}-\d\d-\d\d$/.test(day)) return '';
  const start = fromDay(day);
  return Number.isNaN(start.getTime()) || toDay(start) !== day ? '' : day;
}

/** The number, if the typed text is one: `7` or `#7`. */
export function readItemNumber({ item }: HistoryQuery): number | null {
  return parseNumber(item.replace(/^#/, ''));
}

/** The times of the days, in the time zone of the team. */
export function toTimes({ from, to }: HistoryQuery) {
  const until = to === '' ? null : fromDay(to);
  // The next midnight: not every day begins at one.
  until?.setHours(24);
  return { from: from === '' ? null : fromDay(from), until };
}

/** As in `2026-11-20T18:02:11.123Z_57`. */
export function readPlace(query: URLSearchParams): HistoryPlace | null {
  const [, at, id] = PLACE.exec(query.get('after') ?? '') ?? [];
  return at === undefined || id === undefined ? null : { at, id: Number(id) };
}

const PLACE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(-?\d{1,15})$/;
