/** Takes from the quantity of an item, or adds to it. Concurrent changes add up. */
import { itemHref } from '../../links.ts';
import { formatNumber } from '../../site/format.ts';
import { toViewer } from '../../site/layout.ts';
import { toRefusal } from '../events/change-refused.ts';
import type { Items } from '../item.ts';
import { itemFormHandlers } from '../item-context.ts';
import { MAX_QUANTITY } from '../item-limits.ts';
import { noItem, type ShowMissingItem } from '../missing/missing-item.ts';
import { readListPlace } from '../read-item-query.ts';
import { countItem } from './count-item.ts';
import { quantityForm } from './quantity-form.ts';
import { quantityPage } from './quantity-page.ts';

export function createQuantityController(items: Items, showMissingItem: ShowMissingItem) {
  const count = itemFormHandlers(quantityForm, {
    name: 'countItem',
    async show({ form, errors, isSent, ...context }) {
      const { number } = context.params;
      const item = await items.find(number);
      if (item === null) return isSent ? noItem(number) : showMissingItem(context);
      const place = readListPlace(context.request.query);
      return quantityPage({ viewer: toViewer(context), item, place, form, errors });
    },
    async send({ transaction, session, params: { number }, request, values }) {
      const { amount, reason, button } = values;
      const by = button === 'take' ? -amount : amount;
      try {
        const quantity = await countItem(transaction, number, { by, reason }, session.user.id);
        const done = `${button === 'take' ? 'Took' : 'Added'} ${formatNumber(amount)}`;
        return {
          path: itemHref(number, readListPlace(request.query)),
          message: `${done}. The quantity is now ${formatNumber(quantity)}.`,
        };
      } catch (error) {
        const refusal = toRefusal(error);
        if (refusal.kind !== 'quantity') return noItem(number);
        const message = describeLimit(refusal.quantity, button);
        return { errors: [{ field: 'amount', message }] };
      }
    },
  });

  return { count };
}

function describeLimit(quantity: number, button: 'take' | 'add'): string {
  if (button === 'take' && quantity === 0) return 'There is nothing left to take';
  return button === 'take'
    ? `Take ${formatNumber(quantity)} or fewer: there are no more`
    : `Add ${formatNumber(MAX_QUANTITY - quantity)} or fewer: the quantity can be ${formatNumber(MAX_QUANTITY)} at most`;
}
