/** Handlers for items: list, show one, show the form, create. */
import {
  blankForm,
  type Context,
  errorsOf,
  type FormAction,
  type FormContext,
  type Handler,
  type LoggedIn,
  type OnceContext,
  page,
  refuse,
  restoreDraft,
  type SessionContext,
  seeOther,
  statusOf,
  type Versioned,
} from 'seeother';
import type { SessionUser } from '../accounts/session.ts';
import type { Welcome } from '../accounts/welcome.ts';
import type { Writing } from '../database/database.ts';
import { href, itemHref, listHref } from '../links.ts';
import { nameBuild } from '../process/name-build.ts';
import { cacheFragments } from '../site/cache-fragments.ts';
import { missingItemPage } from '../site/error-page.ts';
import { toDayNumber } from '../site/format.ts';
import { layout, mayChangeItems, toViewer } from '../site/layout.ts';
import { refuseSearch } from '../site/overload.ts';
import type { Items } from './item.ts';
import { type ItemFields, itemForm } from './item-form.ts';
import type { ItemQuery } from './item-list.ts';
import { itemListFragment } from './item-list-page.ts';
import { itemFormPage, itemPage } from './item-pages.ts';
import { parseNumber } from './parse-number.ts';
import { readItemQuery } from './read-item-query.ts';
import { SearchQueueFull } from './search-queue.ts';

/**
 * Back shows the form with the typed text and the same key. With `no-store`, Firefox would discard the
 * text, and Chromium would load a new form. A log-out clears stored pages: see `forgetPages`.
 */
const STORED_FOR_BACK = { 'Cache-Control': 'private, no-cache', Vary: 'Cookie' } as const;

export function createItemController(items: Items, now: () => Date, welcome: Welcome) {
  /**
   * The version of lists and item pages: it changes with the code, the data, the day, and the first
   * account.
   */
  const itemsVersion = async () => {
    const state = (await welcome()) === null ? '' : ' without accounts';
    return `${nameBuild()} ${await items.revision()} ${toDayNumber(now())}${state}`;
  };

  const goToItems: Handler<Context> = () => seeOther(href('/items'));

  interface ListRequest {
    readonly requestedPage: number;
    readonly query: ItemQuery;
    readonly mayChange: boolean;
  }

  const listFragment = cacheFragments({
    read: async ({ requestedPage, query, mayChange }: ListRequest) => ({
      list: await items.list(requestedPage, query),
      query,
      now: now(),
      mayChange,
      welcome: await welcome(),
    }),
    render: itemListFragment,
    toKey: ({ requestedPage, query, mayChange }) =>
      `${mayChange ? '' : 'reader '}${listHref(query, requestedPage)}`,
  });

  const listItems: Handler<Context & SessionContext & Versioned> = async (context) => {
    const { query } = context.request;
    const viewer = toViewer(context);
    const listRequest = {
      requestedPage: parseNumber(query.get('page') ?? '1') ?? 1,
      query: readItemQuery(query),
      mayChange: mayChangeItems(viewer),
    };
    try {
      const fragment = await listFragment(context.version, listRequest);
      return page(layout({ ...fragment, viewer }));
    } catch (error) {
      if (!(error instanceof SearchQueueFull)) throw error;
      return refuseSearch(context.request, viewer);
    }
  };

  type ItemContext = Context & SessionContext & { readonly params: { readonly number: string } };

  const showItem: Handler<ItemContext> = async (context) => {
    const number = parseNumber(context.params.number);
    const item = number === null ? null : await items.find(number);
    return item === null ? showMissingItem(context) : page(itemPage(toViewer(context), item));
  };

  const showMissingItem: Handler<ItemContext> = async ({ params, session }) => {
    // The flash message stays for the page that it belongs to.
    const viewer = toViewer({ session, flash: null });
    return page(missingItemPage(viewer, params.number, await items.range()), 404);
  };

  /** The empty form, the draft from before the log-in, or the sent form with its errors. */
  function showItemForm<
    C extends Context & SessionContext & LoggedIn & Partial<FormContext<ItemFields>>,
  >(context: C) {
    const draft = context.form === undefined ? restoreDraft(itemForm, context) : null;
    const form = context.form ?? draft ?? blankForm(itemForm);
    const errors = errorsOf(context.validation);
    const view = { viewer: toViewer(context), form, errors, isDraft: draft !== null };
    const answer = page(itemFormPage(view), statusOf(context));
    return { ...answer, headers: { ...answer.headers, ...STORED_FOR_BACK } };
  }

  const createItem: FormAction<ItemFields, LoggedIn<SessionUser> & OnceContext<Writing>> = async (
    context,
    next,
  ) => {
    const { once, session, validation } = context;
    if (!validation.valid) return next(refuse(context));
    return once(async (transaction) => {
      const number = await items.create(transaction, validation.values, session.user.id);
      return { path: itemHref(number), message: 'The item was saved.' };
    });
  };
  return { goToItems, itemsVersion, listItems, showItem, showItemForm, createItem };
}
