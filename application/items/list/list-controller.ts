/** Handlers for items: list, show the form, create. */
import {
  blankForm,
  type Context,
  errorsOf,
  type FormAction,
  type FormContext,
  type Handler,
  page,
  type Response,
  refuse,
  restoreDraft,
  type StatusOf,
  seeOther,
  statusOf,
  type Versioned,
} from 'seeother';
import type { Welcome } from '../../accounts/welcome.ts';
import { refuseSearch } from '../../errors/overload.ts';
import { href, itemHref, listHref } from '../../links.ts';
import { nameBuild } from '../../settings/name-build.ts';
import { cacheFragments } from '../../site/cache-fragments.ts';
import type { PageContext, UserContext, WritingContext } from '../../site/contexts.ts';
import { toDayNumber } from '../../site/format.ts';
import { layout, mayChangeItems, toViewer } from '../../site/layout.ts';
import { storedForBack } from '../../site/stored-for-back.ts';
import { itemFormPage } from '../add/item-form-page.ts';
import type { Suggestions } from '../facets/suggestions.ts';
import { toItemText } from '../fill-item-form.ts';
import type { Items } from '../item.ts';
import { type ItemFields, itemForm } from '../item-form.ts';
import { type ItemQuery, isFiltered } from '../item-list.ts';
import { parseNumber } from '../parse-number.ts';
import { readItemQuery } from '../read-item-query.ts';
import { SearchQueueFull } from '../search-queue.ts';
import { type ItemListView, itemListFragment } from './item-list-page.ts';
import { readSoughtNumber } from './sought-number.ts';

export interface ItemParts {
  readonly items: Items;
  readonly now: () => Date;
  readonly welcome: Welcome;
  readonly suggest: () => Promise<Suggestions>;
}

export function createItemController({ items, now, welcome, suggest }: ItemParts) {
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
      statuses: isFiltered(query) ? null : await items.countStatuses(),
      sought: await findSought(query),
      now: now(),
      mayChange,
      welcome: await welcome(),
    }),
    render: itemListFragment,
    toKey: ({ requestedPage, query, mayChange }) =>
      `${mayChange ? '' : 'read only '}${listHref(query, requestedPage)}`,
  });

  async function findSought(query: ItemQuery): Promise<ItemListView['sought']> {
    const sought = readSoughtNumber(query);
    if (sought === null) return null;
    const { number, isExplicit } = sought;
    const item = await items.find(number);
    return item === null && !isExplicit ? null : { number, name: item?.name ?? null };
  }

  const listItems: Handler<PageContext & Versioned> = async (context) => {
    const { query } = context.request;
    const viewer = toViewer(context);
    const itemQuery = readItemQuery(query);
    const sought = readSoughtNumber(itemQuery);
    if (sought?.isExplicit && (await items.find(sought.number)) !== null)
      return seeOther(itemHref(sought.number));
    const listRequest = {
      requestedPage: parseNumber(query.get('page') ?? '1') ?? 1,
      query: itemQuery,
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

  /**
   * The empty form, one filled like the item of the query, the draft from before the log-in, or the sent
   * form with its errors.
   */
  async function showItemForm<C extends UserContext & Partial<FormContext<ItemFields>>>(
    context: C,
  ): Promise<Response<StatusOf<C>>> {
    const draft = context.form === undefined ? restoreDraft(itemForm, context) : null;
    const form = context.form ?? draft ?? (await fillForm(context.request.query.get('like')));
    const errors = errorsOf(context.validation);
    const suggestions = await suggest();
    const view = { viewer: toViewer(context), form, errors, isDraft: draft !== null, suggestions };
    return storedForBack(page(itemFormPage(view), statusOf(context)));
  }

  async function fillForm(like: string | null) {
    const number = like === null ? null : parseNumber(like);
    const item = number === null ? null : await items.find(number);
    return blankForm(itemForm, item === null ? {} : toItemText(item));
  }

  const createItem: FormAction<ItemFields, WritingContext> = async (context, next) => {
    const { once, session, validation } = context;
    if (!validation.valid) return next(refuse(context));
    const { button, ...input } = validation.values;
    return once(async (transaction) => {
      const number = await items.create(transaction, input, session.user.id);
      if (button === 'save') return { path: itemHref(number), message: 'The item was saved.' };
      // The query makes it another page than that of the form which was sent, for Back.
      const path = href('/items/new', {}, { saved: number });
      return { path, message: `“${input.name}” was saved as No. ${number}. Add another.` };
    });
  };
  return { goToItems, itemsVersion, listItems, showItemForm, createItem };
}
