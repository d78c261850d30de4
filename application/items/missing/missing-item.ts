/** The answers for a number that no item has: a page, or an error that gives a form back. */
import {
  type Context,
  type Handler,
  HttpError,
  page,
  type Response,
  type SessionContext,
} from 'seeother';
import { toViewer } from '../../site/layout.ts';
import type { History } from '../events/item-events.ts';
import type { Items } from '../item.ts';
import type { ItemParams } from '../item-context.ts';
import { deletedItemPage, missingItemPage } from './missing-item-page.ts';

export type ShowMissingItem = Handler<
  Context & Pick<SessionContext, 'session'> & ItemParams,
  Response<404>
>;

export function createShowMissingItem(items: Items, history: History): ShowMissingItem {
  return async ({ params, session }) => {
    // The flash message stays for the page that it belongs to.
    const viewer = toViewer({ session, flash: null });
    const { number } = params;
    const deletion = await history.findDeletion(number);
    if (deletion !== null) return page(deletedItemPage({ viewer, deletion }), 404);
    const [range, last] = [await items.range(), await items.lastNumber()];
    return page(missingItemPage(viewer, number, range, number <= last), 404);
  };
}

/** For a form about an item that was deleted: the error page returns what was typed. */
export function noItem(number: number): never {
  throw new HttpError(404, `There is no item ${number}. If it was deleted, its page says by whom.`);
}
