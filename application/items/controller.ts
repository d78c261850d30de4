/** What can be done with items: list them, show one, show the form, create one from it. */
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
import type { Writing } from '../database/database.ts';
import { href, itemHref, listHref } from '../links.ts';
import { nameBuild } from '../process/name-build.ts';
import { missingItemPage } from '../site/error-page.ts';
import { keepParts } from '../site/keep-parts.ts';
import { layout, toViewer } from '../site/layout.ts';
import { refuseSearch } from '../site/overload.ts';
import type { Items } from './item.ts';
import { type ItemFields, itemForm } from './item-form.ts';
import type { Selection } from './item-list.ts';
import { itemListPart } from './item-list-page.ts';
import { itemFormPage, itemPage } from './item-pages.ts';
import { parseNumber } from './parse-number.ts';
import { readSelection } from './read-selection.ts';
import { SearchQueueFull } from './search-queue.ts';

/**
 * Back shows the form as it was left, with the same key. With `no-store`, Firefox forgets what was
 * typed, and Chromium asks for a new form. A log-out clears it all: see `forgetPages`.
 */
const KEPT_FOR_BACK = { 'Cache-Control': 'private, no-cache', Vary: 'Cookie' } as const;

export function createItemController(items: Items) {
  /** Of the lists and pages of items: other code or another state makes another page. */
  const itemsVersion = async () => `${nameBuild()} ${await items.edition()}`;

  const goToItems: Handler<Context> = () => seeOther(href('/items'));

  interface Asked {
    readonly page: number;
    readonly selection: Selection;
  }

  const listPart = keepParts({
    read: async ({ page, selection }: Asked) => ({
      list: await items.list(page, selection),
      selection,
    }),
    render: itemListPart,
    toKey: ({ page, selection }) => listHref(selection, page),
  });

  const listItems: Handler<Context & SessionContext & Versioned> = async (context) => {
    const { query } = context.request;
    const asked = {
      page: parseNumber(query.get('page') ?? '1') ?? 1,
      selection: readSelection(query),
    };
    const viewer = toViewer(context);
    try {
      const part = await listPart(context.version, asked);
      return page(layout({ ...part, viewer }));
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
    // The message waits on for the page itself.
    const viewer = toViewer({ session, flash: null });
    return page(missingItemPage(viewer, params.number, await items.range()), 404);
  };

  /** The empty form, the one that was typed before the log-in, or the one that was sent with what is wrong about it. */
  function showItemForm<
    C extends Context & SessionContext & LoggedIn & Partial<FormContext<ItemFields>>,
  >(context: C) {
    const draft = context.form === undefined ? restoreDraft(itemForm, context) : null;
    const form = context.form ?? draft ?? blankForm(itemForm);
    const errors = errorsOf(context.validation);
    const view = { viewer: toViewer(context), form, errors, isDraft: draft !== null };
    const answer = page(itemFormPage(view), statusOf(context));
    return { ...answer, headers: { ...answer.headers, ...KEPT_FOR_BACK } };
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
