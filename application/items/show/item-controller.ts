/** Shows an item. */
import { type Handler, page, type Request, seeOther, type Versioned } from 'seeother';
import { andThen, QueueFull } from 'seeother/middleware';
import { itemHref } from '../../links.ts';
import { cacheFragments } from '../../site/cache-fragments.ts';
import type { PageContext } from '../../site/contexts.ts';
import {
  type Fragment,
  layout,
  mayChangeItems,
  seesBorrowers,
  seesHistory,
  toViewer,
} from '../../site/layout.ts';
import { storedForBack } from '../../site/stored-for-back.ts';
import type { History } from '../events/item-events.ts';
import type { Items } from '../item.ts';
import type { ItemParams } from '../item-context.ts';
import { filesSeenBy, type ItemFiles } from '../item-files.ts';
import { showLoans } from '../loan.ts';
import type { ShowMissingItem } from '../missing/missing-item.ts';
import { readListPlace } from '../read-item-query.ts';
import { type ItemView, itemFragment, SHOWN_EVENTS, withNewKey } from './item-page.ts';

type ItemContext = PageContext & ItemParams;

export interface ShowItemOptions {
  readonly items: Items;
  readonly itemFiles: ItemFiles;
  readonly history: History;
  readonly showMissingItem: ShowMissingItem;
  readonly now: () => Date;
}

export function createItemController(options: ShowItemOptions) {
  const { items, itemFiles, history, showMissingItem, now } = options;

  interface ItemRequest extends ItemParams {
    readonly canChange: boolean;
    readonly seesHistory: boolean;
    readonly seesBorrowers: boolean;
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
    toKey: ({ canChange, seesHistory, seesBorrowers, target }) =>
      `${canChange} ${seesHistory} ${seesBorrowers} ${target}`,
  });

  async function readItem(asked: ItemRequest): Promise<Omit<ItemView, 'neighbours'> | null> {
    const { canChange, seesHistory, seesBorrowers, params, query } = asked;
    const { number } = params;
    const item = await items.find(number);
    if (item === null) return null;
    const place = readListPlace(query, seesBorrowers);
    // Only a changed item has a history, so other pages need no further query.
    const { events } =
      seesHistory && item.version > 1 ? await history.ofItem(number, SHOWN_EVENTS) : { events: [] };
    // Who added it is among the facts.
    const changes = events.filter(({ kind, batch }) => kind !== 'added' || batch !== null);
    const shown = showLoans(item, seesBorrowers);
    const definitions = await items.definitions.known();
    const files = item.picture === null ? [] : await itemFiles.ofItem(number);
    const seen = filesSeenBy(seesHistory, files);
    return { canChange, item: shown, definitions, place, events: changes, files: seen, now: now() };
  }

  const showItem: Handler<ItemContext & Versioned> = (context) => {
    const { params, request, version } = context;
    const viewer = toViewer(context);
    const { target, query } = request;
    const sees = {
      canChange: mayChangeItems(viewer),
      seesHistory: seesHistory(viewer),
      seesBorrowers: seesBorrowers(viewer),
    };
    const asked = { ...sees, params, target, query };
    const show = (fragment: Fragment | null) => {
      if (fragment === null) return showMissingItem(context);
      const main = asked.canChange ? withNewKey(fragment, viewer) : fragment.main;
      const answer = page(layout({ ...fragment, main, viewer, notice: context.flash }));
      // Each copy of the forms of a member needs a key of its own: two tabs that share one through the
      // browser's cache would take from the quantity only once.
      return !asked.canChange || viewer?.flash !== null ? answer : storedForBack(answer);
    };
    return andThen(cached(version, asked), show, async (error) => {
      if (!(error instanceof QueueFull)) throw error;
      // Show the item without its neighbours.
      const view = await readItem(asked);
      return show(view && itemFragment({ ...view, neighbours: null }));
    });
  };

  /** The short address that is on the labels; also of a deleted item, whose page says so. */
  const goToItem: Handler<ItemContext> = ({ params }) => seeOther(itemHref(params.number));

  return { showItem, goToItem };
}
