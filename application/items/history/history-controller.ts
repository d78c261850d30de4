/** The history, the bin, and the buttons that delete, restore and undo. */
import { type Context, type Handler, HttpError, page, type Response } from 'seeother';
import { action, href, itemHref, listHref } from '../../links.ts';
import type { PageContext, WritingContext } from '../../site/contexts.ts';
import { toViewer } from '../../site/layout.ts';
import { bringBackItem, removeItem } from '../delete/delete-items.ts';
import type { Batches } from '../events/batches.ts';
import { ChangeRefused, type Refusal } from '../events/change-refused.ts';
import { nameOf } from '../events/event-text.ts';
import type { History } from '../events/item-events.ts';
import type { Items } from '../item.ts';
import type { ItemParams, ShowMissingItem } from '../missing/missing-item.ts';
import { parseNumber } from '../parse-number.ts';
import { readListPlace } from '../read-item-query.ts';
import { binPage, historyPage, itemHistoryPage } from './history-page.ts';
import { createTeamHistory } from './team-history.ts';
import { undoEvent } from './undo-event.ts';
import { undoRefusedPage } from './undo-refused-page.ts';

/** Events on a page of the history. */
export const PAGE_SIZE = 50;

export interface HistoryOptions {
  readonly items: Items;
  readonly history: History;
  readonly batches: Batches;
  readonly showMissingItem: ShowMissingItem;
}

type Changing = WritingContext & ItemParams;
type Answer = Response<303 | 404 | 409>;

export function createHistoryController({
  items,
  history,
  batches,
  showMissingItem,
}: HistoryOptions) {
  const teamHistory = createTeamHistory(history, batches);

  const showHistory: Handler<PageContext> = async (context) =>
    page(historyPage(toViewer(context), await teamHistory(PAGE_SIZE, readBefore(context))));

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

  const deleteItem: Handler<Changing, Answer> = (context) => {
    const { number } = context.params;
    const place = readListPlace(context.request.query);
    return orRefused(
      () =>
        context.once(async (transaction) => {
          const { name } = await removeItem(transaction, number, context.session.user.id);
          const restore = action('/items/:number<int>/restore', { number });
          return {
            path: listHref(place, place.page),
            message: `“${name}” was deleted.`,
            action: { label: 'Undo', path: restore },
          };
        }),
      () => showMissingItem(context),
    );
  };

  const restoreItem: Handler<Changing, Answer> = (context) => {
    const { number } = context.params;
    return orRefused(
      () =>
        context.once(async (transaction) => {
          const { name } = await bringBackItem(transaction, number, context.session.user.id);
          return { path: itemHref(number), message: `“${name}” was restored.` };
        }),
      // Another user may have restored the item at the same time, or removed it for ever.
      async (refusal) =>
        refusal.kind === 'already undone' && (await items.find(number)) !== null
          ? context.once(async () => ({ path: itemHref(number), message: 'The item is here.' }))
          : showMissingItem(context),
    );
  };

  type UndoContext = Changing & { readonly params: { readonly event: number } };

  const undoChange: Handler<UndoContext, Answer> = (context) => {
    const { once, params, session } = context;
    const { number, event: id } = params;
    return orRefused(
      () =>
        once(async (transaction) => {
          const { kind, itemName } = await undoEvent(transaction, number, id, session.user.id);
          if (kind === 'deleted')
            return { path: itemHref(number), message: `“${itemName}” was restored.` };
          if (kind === 'restored' || kind === 'added')
            return { path: href('/items'), message: `“${itemName}” was deleted.` };
          return { path: itemHref(number), message: 'The change was undone.' };
        }),
      (refusal) => showRefusedUndo(context, { number, id }, refusal),
    );
  };

  async function showRefusedUndo(
    context: PageContext,
    { number, id }: { readonly number: number; readonly id: number },
    refusal: Refusal,
  ): Promise<Answer> {
    const event = await history.find(number, id);
    if (event === null) throw new HttpError(404, 'There is no such change.');
    const { events } = await history.ofItem(number, MAX_LATER);
    const later = events.filter((one) => one.id > id);
    return page(undoRefusedPage({ viewer: toViewer(context), event, refusal, later }), 409);
  }

  return {
    ...{ showHistory, showBin, showItemHistory },
    ...{ deleteItem, restoreItem, undoChange },
  };
}

/** Later changes that are searched for the last change of a field. */
const MAX_LATER = 1_000;

export function readBefore({ request }: Context): number | undefined {
  return parseNumber(request.query.get('before') ?? '') ?? undefined;
}

async function orRefused<R extends Response>(
  change: () => Promise<R>,
  answer: (refusal: Refusal) => Promise<Answer> | Answer,
): Promise<R | Answer> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof ChangeRefused)) throw error;
    return answer(error.refusal);
  }
}
