/** Shows an item, or says why there is none with that number. */
import {
  type Context,
  type Handler,
  HttpError,
  page,
  type Request,
  type Response,
  type SessionContext,
  type Versioned,
} from 'seeother';
import { missingItemPage } from '../../errors/error-page.ts';
import { cacheFragments } from '../../site/cache-fragments.ts';
import type { PageContext } from '../../site/contexts.ts';
import { layout, mayChangeItems, seesHistory, toViewer } from '../../site/layout.ts';
import { storedForBack } from '../../site/stored-for-back.ts';
import type { History } from '../events/item-events.ts';
import type { Items } from '../item.ts';
import { deletedItemPage } from '../missing/refusal-pages.ts';
import { parseNumber } from '../parse-number.ts';
import { readListPlace } from '../read-item-query.ts';
import { SearchQueueFull } from '../search-queue.ts';
import { type ItemView, itemFragment, SHOWN_EVENTS, withNewKey } from './item-page.ts';

export interface ItemParams {
  readonly params: { readonly number: string };
}

type ItemContext = PageContext & ItemParams;

export interface ShowItem {
  readonly showItem: Handler<ItemContext & Versioned>;
  readonly showMissingItem: Handler<
    Context & Pick<SessionContext, 'session'> & ItemParams,
    Response<404>
  >;
}

export function createShowItem(items: Items, history: History, now: () => Date): ShowItem {
  interface ItemRequest extends ItemParams {
    readonly canChange: boolean;
    readonly seesHistory: boolean;
    /** The address, and what its query says. */
    readonly target: string;
    readonly query: Request['query'];
  }

  const cached = cacheFragments({
    async read(request: ItemRequest) {
      const view = await readItem(request);
      if (view === null) return null;
      return { ...view, neighbours: await items.neighbours(view.item.number, view.place) };
    },
    render: (view) => view && itemFragment(view),
    toKey: ({ canChange, seesHistory, target }) =>
      `${canChange ? 'member' : seesHistory ? 'reader' : 'visitor'} ${target}`,
  });

  async function readItem(asked: ItemRequest): Promise<Omit<ItemView, 'neighbours'> | null> {
    const { canChange, seesHistory, params, query } = asked;
    const number = parseNumber(params.number);
    const item = number === null ? null : await items.find(number);
    if (number === null || item === null) return null;
    const place = readListPlace(query);
    // Only a changed item has a history, so other pages need no further query.
    const { events } =
      seesHistory && item.version > 1 ? await history.ofItem(number, SHOWN_EVENTS) : { events: [] };
    return { canChange, item, place, events, now: now() };
  }

  const showItem: Handler<ItemContext & Versioned> = async (context) => {
    const { params, request, version } = context;
    const viewer = toViewer(context);
    const { target, query } = request;
    const sees = { canChange: mayChangeItems(viewer), seesHistory: seesHistory(viewer) };
    const asked = { ...sees, params, target, query };
    const fragment = await cached(version, asked).catch(async (error) => {
      if (!(error instanceof SearchQueueFull)) throw error;
      // Show the item without its neighbours.
      const view = await readItem(asked);
      return view && itemFragment({ ...view, neighbours: null });
    });
    if (fragment === null) return showMissingItem(context);
    const main = asked.canChange ? withNewKey(fragment) : fragment.main;
    const answer = page(layout({ ...fragment, main, viewer }));
    // Each copy of the forms of a member needs a key of its own: two tabs that share one through the
    // browser's cache would take from the quantity only once.
    return !asked.canChange || viewer?.flash !== null ? answer : storedForBack(answer);
  };

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

/** For a form about an item that was deleted: the error page returns what was typed. */
export function noItem(number: string): HttpError {
  return new HttpError(
    404,
    `There is no item ${number}. If it was deleted, its page says by whom.`,
  );
}
