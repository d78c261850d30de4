/** What can be done with items: list them, show one, show the form, create one from it. */
import {
  andThen,
  blankForm,
  type Context,
  describeMiddleware,
  errorsOf,
  type FormAction,
  type FormContext,
  type Handler,
  type LoggedIn,
  type OnceContext,
  page,
  restoreDraft,
  type SessionContext,
  seeOther,
  statusOf,
  withFlash,
} from 'seeother';
import type { Writing } from '../database/database.ts';
import { type ItemFields, itemForm } from '../forms/item-form.ts';
import { href, itemHref } from '../links.ts';
import type { Items } from '../models/item.ts';
import { nameBuild } from '../name-build.ts';
import { missingItemPage } from '../views/error-page.ts';
import { itemFormPage, itemListPage, itemPage } from '../views/item-pages.ts';
import { toViewer } from '../views/layout.ts';
import { parseNumber } from './parse-number.ts';

export function createItemController(items: Items) {
  /** Of the lists and pages of items: other code or another state makes another page. */
  const itemsVersion = () => andThen(items.edition(), (edition) => `${nameBuild()} ${edition}`);

  const goToItems: Handler<Context> = () => seeOther(href('/items'));

  const listItems: Handler<Context & SessionContext> = async (context) => {
    const asked = parseNumber(context.request.query.get('page') ?? '1') ?? 1;
    return page(itemListPage(toViewer(context), await items.list(asked)));
  };

  type ItemContext = Context & SessionContext & { readonly params: { readonly number: string } };

  const showItem: Handler<ItemContext> = async (context) => {
    const { params, session } = context;
    const number = parseNumber(params.number);
    const item = number === null ? null : await items.find(number);
    if (item !== null) return page(itemPage(toViewer(context), item));
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
    return page(itemFormPage(view), statusOf(context));
  }

  const createItem: FormAction<ItemFields, LoggedIn & OnceContext<Writing>> = async (
    context,
    next,
  ) => {
    const { once, session, validation } = context;
    if (!validation.valid) return next({ ...context, validation, status: 400 });
    const answer = await once(async (transaction) =>
      itemHref(await items.create(transaction, validation.values, session.user.id)),
    );
    return withFlash(answer, 'The item was saved.');
  };
  describeMiddleware(createItem, {
    needs: ['session', 'once', 'form', 'validation', 'status'],
    adds: ['validation', 'status'],
  });

  return { goToItems, itemsVersion, listItems, showItem, showItemForm, createItem };
}
