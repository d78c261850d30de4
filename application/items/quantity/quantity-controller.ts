/** Takes from the quantity of an item, or adds to it. Concurrent changes add up. */
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
import { itemHref } from '../../links.ts';
import type { UserContext, WritingContext } from '../../site/contexts.ts';
import { formatNumber } from '../../site/format.ts';
import { toViewer } from '../../site/layout.ts';
import { storedForBack } from '../../site/stored-for-back.ts';
import { ChangeRefused } from '../events/change-refused.ts';
import type { Items } from '../item.ts';
import { MAX_QUANTITY } from '../item-limits.ts';
import type { ShowMissingItem } from '../missing/missing-item.ts';
import { type ItemParams, noItem } from '../missing/missing-item.ts';
import { readListPlace } from '../read-item-query.ts';
import { countItem as count } from './count-item.ts';
import { type QuantityFields, quantityForm } from './quantity-form.ts';
import { quantityPage } from './quantity-page.ts';

export function createQuantityController(items: Items, showMissingItem: ShowMissingItem) {
  async function showQuantityForm<
    C extends UserContext & ItemParams & Partial<FormContext<QuantityFields>>,
  >(context: C): Promise<Response<StatusOf<C>> | Response<404>> {
    const item = await items.find(context.params.number);
    if (item === null) {
      if (context.form !== undefined) throw noItem(context.params.number);
      return showMissingItem(context);
    }
    const form = context.form ?? restoreDraft(quantityForm, context) ?? blankForm(quantityForm);
    const errors = errorsOf(context.validation);
    const place = readListPlace(context.request.query);
    const view = { viewer: toViewer(context), item, place, form, errors };
    return storedForBack(page(quantityPage(view), statusOf(context)));
  }

  const countItem: FormAction<QuantityFields, WritingContext & ItemParams> = async (
    context,
    next,
  ) => {
    const { once, session, params, validation } = context;
    if (!validation.valid) return next(refuse(context));
    const { amount, reason, button } = validation.values;
    const { number } = params;
    const by = button === 'take' ? -amount : amount;
    try {
      return await once(async (transaction) => {
        const quantity = await count(transaction, number, { by, reason }, session.user.id);
        const done = `${button === 'take' ? 'Took' : 'Added'} ${formatNumber(amount)}`;
        return {
          path: itemHref(number, readListPlace(context.request.query)),
          message: `${done}. The quantity is now ${formatNumber(quantity)}.`,
        };
      });
    } catch (error) {
      if (!(error instanceof ChangeRefused)) throw error;
      if (error.refusal.kind !== 'quantity') throw noItem(params.number);
      const message = describeLimit(error.refusal.quantity, button);
      return next(refuse(context, [{ field: 'amount', message }]));
    }
  };

  return { showQuantityForm, countItem };
}

function describeLimit(quantity: number, button: 'take' | 'add'): string {
  if (button === 'take' && quantity === 0) return 'There is nothing left to take';
  return button === 'take'
    ? `Take ${formatNumber(quantity)} or fewer: there are no more`
    : `Add ${formatNumber(MAX_QUANTITY - quantity)} or fewer: the quantity can be ${formatNumber(MAX_QUANTITY)} at most`;
}
