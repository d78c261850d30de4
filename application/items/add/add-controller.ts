/** Adds items. */
import {
  blankForm,
  errorsOf,
  type FormAction,
  type FormContext,
  page,
  type Response,
  refuse,
  restoreDraft,
  type StatusOf,
  statusOf,
} from 'seeother';
import { href, itemHref } from '../../links.ts';
import type { UserContext, WritingContext } from '../../site/contexts.ts';
import { toViewer } from '../../site/layout.ts';
import { storedForBack } from '../../site/stored-for-back.ts';
import type { Suggestions } from '../facets/suggestions.ts';
import { toItemText } from '../fill-item-form.ts';
import type { Items } from '../item.ts';
import { type ItemFields, itemForm } from '../item-form.ts';
import { parseNumber } from '../parse-number.ts';
import { itemFormPage } from './item-form-page.ts';

export function createAddController(items: Items, suggest: () => Promise<Suggestions>) {
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
  return { showItemForm, createItem };
}
