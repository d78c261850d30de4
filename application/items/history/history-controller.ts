/** The history, the bin, and the buttons that delete, restore and undo. */
import { type Context, type Handler, HttpError, page, type Response } from 'seeother';
import { QueueFull } from 'seeother/middleware';
import type { People } from '../../accounts/people.ts';
import { refuseSearch } from '../../errors/overload.ts';
import { action, href, itemHref, listHref, readScanBehind, scanHref } from '../../links.ts';
import { buttonForm } from '../../site/button-form.ts';
import type { PageContext } from '../../site/contexts.ts';
import { toViewer } from '../../site/layout.ts';
import { bringBackItem, removeItem } from '../delete/delete-items.ts';
import { type Refusal, toRefusal } from '../events/change-refused.ts';
import { nameOf } from '../events/event-text.ts';
import type { History } from '../events/item-events.ts';
import type { Items } from '../item.ts';
import {
  type EventContext,
  eventFormHandlers,
  type ItemParams,
  itemFormHandlers,
} from '../item-context.ts';
import type { ShowMissingItem } from '../missing/missing-item.ts';
import { parseNumber } from '../parse-number.ts';
import { readListPlace } from '../read-item-query.ts';
import { binPage, itemHistoryPage } from './history-page.ts';
import {
  type HistoryQuery,
  readHistoryQuery,
  readItemNumber,
  readPlace,
  toTimes,
} from './history-query.ts';
import type { TeamHistory } from './team-history.ts';
import { teamHistoryPage } from './team-history-page.ts';
import { undoEvent } from './undo-event.ts';
import { undoRefusedPage } from './undo-refused-page.ts';

/** Events on a page of the history. */
export const PAGE_SIZE = 50;

export interface HistoryOptions {
  readonly items: Items;
  readonly history: History;
  readonly teamHistory: TeamHistory;
  readonly people: Pick<People, 'list'>;
  readonly showMissingItem: ShowMissingItem;
  readonly now: () => Date;
}

export function createHistoryController(options: HistoryOptions) {
  const { items, history, teamHistory, people, showMissingItem, now } = options;

  const showHistory: Handler<PageContext> = async (context) => {
    const { query: address } = context.request;
    const viewer = toViewer(context);
    const query = readHistoryQuery(address);
    const found = await findItems(query).catch((error) => {
      if (error instanceof QueueFull) return 'too many' as const;
      throw error;
    });
    if (found === 'too many') return refuseSearch(context.request, viewer);
    const filter = { ...query, ...toTimes(query), items: found?.numbers ?? null };
    const lines = await teamHistory(PAGE_SIZE, filter, readPlace(address));
    const everybody = (await people.list()).map(({ id, name }) => ({ id, name }));
    return page(
      teamHistoryPage({
        viewer,
        page: lines,
        query,
        people: everybody,
        hasMoreItems: found?.hasMore ?? false,
        now: now(),
      }),
    );
  };

  /** The items that the filter names; null without such a filter. */
  async function findItems(query: HistoryQuery) {
    const { item } = query;
    if (item === '') return null;
    const number = readItemNumber(query);
    if (number !== null) return { numbers: [number], hasMore: false };
    const { items: found, itemCount } = await items.list(1, { search: item });
    const deleted = await history.findDeleted(item, MAX_DELETED);
    const numbers = [...new Set([...found.map((one) => one.number), ...deleted])];
    return { numbers, hasMore: itemCount > found.length || deleted.length === MAX_DELETED };
  }

  const showBin: Handler<PageContext> = async (context) =>
    page(binPage(toViewer(context), await history.bin(PAGE_SIZE, readBefore(context))));

  const showItemHistory: Handler<PageContext & ItemParams> = async (context) => {
    const { number } = context.params;
    const item = await items.find(number);
    const events = await history.ofItem(number, PAGE_SIZE, readBefore(context));
    const deletion = item === null ? await history.findDeletion(number) : null;
    const named = item ?? deletion;
    if (named === null) return showMissingItem(context);
    const name = 'itemName' in named ? nameOf(named) : named.name;
    const added = item === null ? null : { at: item.createdAt, by: item.createdBy };
    const view = { number, name, page: events, added, deletion };
    return page(itemHistoryPage({ viewer: toViewer(context), ...view }));
  };

  const deleteItem = itemFormHandlers(buttonForm, {
    name: 'deleteItem',
    page: '/items/:number<int>',
    async act({ once, ...context }) {
      const { params, request, session } = context;
      const { number } = params;
      try {
        return await once(async (transaction) => {
          const { name } = await removeItem(transaction, number, session.user.id);
          const place = readListPlace(request.query);
          const scan = readScanBehind(request.query);
          const undo = action('/items/:number<int>/restore', { number });
          return {
            path: scan === null ? listHref(place, place.page) : scanHref(scan),
            message: `“${name}” was deleted.`,
            action: { label: 'Undo', path: undo },
          };
        });
      } catch (error) {
        toRefusal(error);
        return showMissingItem(context);
      }
    },
  });

  const restore = itemFormHandlers(buttonForm, {
    name: 'restoreItem',
    page: '/items/:number<int>',
    async act({ once, ...context }) {
      const { params, session } = context;
      const { number } = params;
      const path = itemHref(number);
      try {
        return await once(async (transaction) => {
          const { name } = await bringBackItem(transaction, number, session.user.id);
          return { path, message: `“${name}” was restored.` };
        });
      } catch (error) {
        // Another user may have restored the item at the same time, or removed it for ever.
        const isThere = toRefusal(error).kind === 'already undone';
        if (isThere && (await items.find(number)) !== null)
          return once(async () => ({ path, message: 'The item is here.' }));
        return showMissingItem(context);
      }
    },
  });

  const undo = eventFormHandlers(buttonForm, {
    name: 'undoChange',
    page: '/items/:number<int>',
    async act({ once, ...context }) {
      const { params, session } = context;
      const { number, event: id } = params;
      try {
        return await once(async (transaction) => {
          const { kind, itemName } = await undoEvent(transaction, number, id, session.user.id);
          if (kind === 'deleted')
            return { path: itemHref(number), message: `“${itemName}” was restored.` };
          if (kind === 'restored' || kind === 'added')
            return { path: href('/items'), message: `“${itemName}” was deleted.` };
          return { path: itemHref(number), message: 'The change was undone.' };
        });
      } catch (error) {
        return showRefusedUndo(context, toRefusal(error));
      }
    },
  });

  async function showRefusedUndo(context: EventContext, refusal: Refusal): Promise<Response<409>> {
    const { number, event: id } = context.params;
    const event = await history.find(number, id);
    if (event === null) throw new HttpError(404, 'There is no such change.');
    const { events } = await history.ofItem(number, MAX_LATER);
    const later = events.filter((one) => one.id > id);
    return page(undoRefusedPage({ viewer: toViewer(context), event, refusal, later }), 409);
  }

  return {
    ...{ showHistory, showBin, showItemHistory },
    ...{ deleteItem, restore, undo },
  };
}

/** Deleted items that the words of a filter are looked for in. */
const MAX_DELETED = 20;

/** Later changes that are searched for the last change of a field. */
const MAX_LATER = 1_000;

export function readBefore({ request }: Context): number | undefined {
  return parseNumber(request.query.get('before') ?? '') ?? undefined;
}
