/** Shows an item, or says why there is none with that number. */
import { type Context, type Handler, page, type Response, type SessionContext } from 'seeother';
import type { History } from '../history/item-events.ts';
import { deletedItemPage } from '../history/refusal-pages.ts';
import { missingItemPage } from '../site/error-page.ts';
import { canChangeItems, toViewer } from '../site/layout.ts';
import { storedForBack } from '../site/stored-for-back.ts';
import type { Items } from './item.ts';
import type { ItemQuery } from './item-list.ts';
import type { Neighbours } from './item-neighbours.ts';
import { itemPage, SHOWN_EVENTS } from './item-pages.ts';
import { parseNumber } from './parse-number.ts';
import { readListPlace } from './read-item-query.ts';
import { SearchQueueFull } from './search-queue.ts';

export interface ItemParams {
  readonly params: { readonly number: string };
}

type ItemContext = Context & SessionContext & ItemParams;

export interface ShowItem {
  readonly showItem: Handler<ItemContext>;
  readonly showMissingItem: Handler<
    Context & Pick<SessionContext, 'session'> & ItemParams,
    Response<404>
  >;
}

export function createShowItem(items: Items, history: History, now: () => Date): ShowItem {
  const showItem: Handler<ItemContext> = async (context) => {
    const number = parseNumber(context.params.number);
    const item = number === null ? null : await items.find(number);
    if (item === null) return showMissingItem(context);
    // Only a changed item has a history, so the page of any other needs no further query.
    const { events } =
      item.version === 1 ? { events: [] } : await history.ofItem(item.number, SHOWN_EVENTS);
    const viewer = toViewer(context);
    const place = readListPlace(context.request.query);
    const neighbours = await findNeighbours(item.number, place);
    const answer = page(itemPage({ viewer, item, events, place, neighbours, now: now() }));
    // Each copy of the forms of a member needs a key of its own: two tabs that share one through the
    // browser's cache would take from the quantity only once.
    return !canChangeItems(viewer) || viewer?.flash !== null ? answer : storedForBack(answer);
  };

  async function findNeighbours(number: number, query: ItemQuery): Promise<Neighbours | null> {
    try {
      return await items.neighbours(number, query);
    } catch (error) {
      // The item is shown all the same.
      if (!(error instanceof SearchQueueFull)) throw error;
      return null;
    }
  }

  const showMissingItem: ShowItem['showMissingItem'] = async ({ params, session }) => {
    // The flash message stays for the page that it belongs to.
    const viewer = toViewer({ session, flash: null });
    const number = parseNumber(params.number);
    const deletion = number === null ? null : await history.findDeletion(number);
    if (deletion !== null) return page(deletedItemPage({ viewer, deletion }), 404);
    const [range, last] = [await items.range(), await items.lastNumber()];
    const isGiven = number !== null && number <= last;
    return page(missingItemPage(viewer, params.number, range, isGiven), 404);
  };

  return { showItem, showMissingItem };
}
