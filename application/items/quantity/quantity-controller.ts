/**
 * Takes from the quantity of an item, adds to it, or sets it. Concurrent changes add up. Only the quantity that the
 * page shows is overwritten: if it was changed meanwhile, the page shows both numbers and asks again.
 */
import type { KyselyTransaction } from '../../database/kysely.ts';
import { action, itemHref } from '../../links.ts';
import { formatNumber } from '../../site/format.ts';
import { toViewer } from '../../site/layout.ts';
import { toRefusal } from '../events/change-refused.ts';
import { describeLent, describeLentLimit } from '../events/event-text.ts';
import type { Items } from '../item.ts';
import { type ItemContext, itemFormHandlers } from '../item-context.ts';
import { MAX_QUANTITY } from '../item-limits.ts';
import { hereOf, type Lendable } from '../loan.ts';
import { noItem, type ShowMissingItem } from '../missing/missing-item.ts';
import { readListPlace } from '../read-item-query.ts';
import { type Counted, countItem, setQuantity } from './count-item.ts';
import { quantityForm } from './quantity-form.ts';
import { quantityPage } from './quantity-page.ts';

type SentContext = ItemContext & { readonly transaction: KyselyTransaction };

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
    send: {
      take: ({ values, ...sent }) => changeBy(sent, -values.amount, values.reason),
      add: ({ values, ...sent }) => changeBy(sent, values.amount, values.reason),
      less: (sent) => changeBy(sent, -1),
      more: (sent) => changeBy(sent, 1),
      async set({ values: { amount: to, reason, seen }, transaction, ...context }) {
        const { params, session } = context;
        try {
          const set = { to, seen: seen === '' ? null : Number(seen), reason };
          const done = await setQuantity(transaction, params.number, set, session.user.id);
          return answer(context, done);
        } catch (error) {
          const refusal = toRefusal(error);
          if (refusal.kind === 'lent') return refuseLent(refusal.item, false);
          if (refusal.kind !== 'conflict') return noItem(params.number);
          const message = `The quantity was changed meanwhile. Press “Set to” again if it is ${formatNumber(to)} all the same`;
          return { ...refused(message), status: 409 };
        }
      },
    },
  });

  return { count };
}

async function changeBy({ transaction, ...context }: SentContext, by: number, reason = '') {
  const { params, session } = context;
  if (by === 0) return refused('Enter 1 or more');
  try {
    const done = await countItem(transaction, params.number, { by, reason }, session.user.id);
    return answer(context, done);
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal.kind === 'lent') return refuseLent(refusal.item);
    if (refusal.kind !== 'quantity') return noItem(params.number);
    return refused(describeLimit(refusal.quantity, by < 0));
  }
}

/** The quantity would be lower than what is lent. */
function refuseLent(item: Lendable, isTaken = true) {
  const here = hereOf(item);
  const message =
    isTaken && here > 0
      ? `Take ${formatNumber(here)} or fewer: ${describeLent(item)}`
      : describeLentLimit(item);
  return { ...refused(message), status: 409 } as const;
}

function refused(message: string) {
  return { errors: [{ field: 'amount', message }] } as const;
}

function answer({ params: { number }, request }: ItemContext, done: Counted) {
  const { from, to, event } = done;
  const path = itemHref(number, readListPlace(request.query));
  if (event === null)
    return { path, message: `Quantity is ${formatNumber(to)} already. Nothing was changed.` };
  const undo = action('/items/:number<int>/history/:event<int>/undo', { number, event });
  return {
    path,
    message: `Quantity is now ${formatNumber(to)} (was ${formatNumber(from)}).`,
    action: { label: 'Undo', path: undo },
  };
}

function describeLimit(quantity: number, isTaken: boolean): string {
  if (isTaken && quantity === 0) return 'There is nothing left to take';
  return isTaken
    ? `Take ${formatNumber(quantity)} or fewer: there are no more`
    : `Add ${formatNumber(MAX_QUANTITY - quantity)} or fewer: the quantity can be ${formatNumber(MAX_QUANTITY)} at most`;
}
