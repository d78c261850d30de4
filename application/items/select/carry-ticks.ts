/**
 * The buttons of the page of items to select that change only what it shows: another page, another search, all ticks.
 * They send its form with GET. The answer leads to the address of the page that they ask for, with all that is ticked:
 * so it can be loaded again, and the pages of two tabs do not disturb each other.
 */
import { localPath, type Middleware, seeOther } from 'seeother';
import { QueueFull } from 'seeother/middleware';
import { refuseSearch } from '../../errors/overload.ts';
import { lendThingsHref, listHref, selectHref, setFieldHref } from '../../links.ts';
import type { PageContext } from '../../site/contexts.ts';
import { seesBorrowers, toViewer } from '../../site/layout.ts';
import type { Items } from '../item.ts';
import { ALL_ITEMS, isFiltered } from '../item-query.ts';
import { writeThings } from '../lend/things.ts';
import { MAX_SELECTED } from '../matching-items.ts';
import { parseNumber } from '../parse-number.ts';
import { readItemQuery } from '../read-item-query.ts';
import { readTicked, writeTicked } from '../ticked-numbers.ts';
import { ROWS } from './selection-form.ts';

/** Or the number of a page. `list` ends `ticked`, which shows what is ticked instead of the list. */
export type Step =
  | 'search'
  | 'all items'
  | 'list'
  | 'ticked'
  | 'matching'
  | 'all'
  | 'none'
  | 'clear'
  /** Leads to the page that lends several things, with what is ticked. */
  | 'lend'
  /** Leads to the page that sets a field of what is ticked. */
  | 'field';

/** They stay on the page. */
const IN_PLACE: readonly string[] = ['matching', 'all', 'none'] satisfies Step[];

/** Acts only if a button says so. The address of the page itself says nothing. */
export function createCarryTicks(
  items: Pick<Items, 'findMatching'>,
): Middleware<Pick<PageContext, 'session' | 'flash'>> {
  return async function carryTicks(context, next) {
    const sent = context.request.query;
    const step = sent.get('step');
    if (step === null) return next(context);

    const from = new URLSearchParams(sent.get('list') ?? '');
    const typed = {
      ...{ to: sent.get('location') ?? '', add: sent.get('tag') ?? '' },
      ...{ who: sent.get('to') ?? '', term: sent.get('term') ?? '' },
      until: sent.get('until') ?? '',
    };
    const isEnter = step === 'search' && (sent.get('q') ?? '') === (from.get('q') ?? '');
    const isOther = step === 'all items' || (step === 'search' && !isEnter);
    if (step === 'search') from.set('q', sent.get('q') ?? '');
    const listed = readItemQuery(from, seesBorrowers(toViewer(context)));
    const query = step === 'all items' ? { ...ALL_ITEMS, order: listed.order } : listed;
    const stays = parseNumber(step) !== null || IN_PLACE.includes(step);
    const page = parseNumber(step) ?? (stays ? parseNumber(from.get('page') ?? '') : null) ?? 1;
    const isTickedOnly = step === 'ticked' || (stays && from.has('only'));

    let matching: readonly number[] = [];
    try {
      if (step === 'matching' && isFiltered(query)) matching = await items.findMatching(query);
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      return refuseSearch(context.request, toViewer(context));
    }
    const onPage = ROWS.flatMap((name) => parseNumber(sent.get(name) ?? '') ?? []);
    const others = readTicked(sent.get('ticked') ?? '');
    const all = [...new Set([...others, ...(step === 'none' ? [] : onPage), ...matching])];
    if (step === 'lend') {
      const things = all
        .slice(0, MAX_SELECTED)
        .map((number) => ({ number, quantity: '', loan: '' }));
      const { who, term, until } = typed;
      const list = listHref(listed, parseNumber(from.get('back') ?? '') ?? undefined).split('?')[1];
      const lending = { things: writeThings(things), to: who, term, until, list: list ?? '' };
      return seeOther(lendThingsHref(lending));
    }
    const back = parseNumber(from.get('back') ?? '') ?? undefined;
    if (step === 'field')
      return seeOther(setFieldHref(listed, writeTicked(all.slice(0, MAX_SELECTED)), back));
    const ticked = step === 'clear' ? [] : all;
    const address = selectHref(query, page, {
      ticked: writeTicked(ticked.slice(0, MAX_SELECTED)),
      left: Math.max(0, ticked.length - MAX_SELECTED),
      ...typed,
      back: isOther ? undefined : back,
      show: step === 'all' ? 'all' : isTickedOnly ? 'ticked' : undefined,
    });
    const button =
      (typed.to !== '' && 'move') ||
      (typed.add !== '' && 'add-tag') ||
      (typed.who !== '' && 'lend') ||
      null;
    // Enter in a field below the list: it leads to the button that a second Enter presses.
    return seeOther(isEnter && button !== null ? localPath(`${address}#${button}`) : address);
  };
}
