/** Lends an item, and ends its loan. */
import { type Handler, page } from 'seeother';
import { heldHref, itemHref } from '../../links.ts';
import type { PageContext } from '../../site/contexts.ts';
import { formatNumber } from '../../site/format.ts';
import { seesBorrowers, toViewer } from '../../site/layout.ts';
import { toRefusal } from '../events/change-refused.ts';
import { describeHere, describeLoan } from '../events/event-text.ts';
import type { Items } from '../item.ts';
import { itemFormHandlers } from '../item-context.ts';
import { noItem, type ShowMissingItem } from '../missing/missing-item.ts';
import { readListPlace, readText } from '../read-item-query.ts';
import type { Borrowers } from './borrowers.ts';
import type { FindHeld } from './held-items.ts';
import { heldPage } from './held-page.ts';
import { lendForm, readLastDay, readPageDay, returnForm } from './lend-form.ts';
import { lendItem, type Returned, returnItem } from './lend-item.ts';
import { lendPage, returnPage, returnRefusedPage } from './lend-page.ts';

export interface LendOptions {
  readonly items: Items;
  readonly borrowers: Borrowers;
  readonly findHeld: FindHeld;
  readonly showMissingItem: ShowMissingItem;
  readonly now: () => Date;
}

export function createLendController(options: LendOptions) {
  const { items, borrowers, findHeld, showMissingItem, now } = options;

  const lend = itemFormHandlers(lendForm, {
    name: 'lendItem',
    async show({ form, errors, isSent, ...context }) {
      const { number } = context.params;
      const item = await items.find(number);
      if (item === null) return isSent ? noItem(number) : showMissingItem(context);
      const place = readListPlace(context.request.query);
      const names = await borrowers.suggest();
      return lendPage({ viewer: toViewer(context), item, place, form, errors, names, now: now() });
    },
    async act({ once, session, params: { number }, request, values }) {
      const last = readLastDay(values, readPageDay(request.query, now()), now());
      if ('error' in last) return { errors: [last.error] };
      const { quantity } = values;
      const loan = { to: await borrowers.spell(values.to), until: last.until, quantity };
      try {
        return await once(async (transaction) => {
          const before = await lendItem(transaction, number, loan, session.user.id);
          const part = before.quantity > 1 ? `${formatNumber(quantity)} ` : '';
          const message = `Lent ${part}to ${describeLoan({ ...loan, quantity: 1 })}.`;
          return { path: itemHref(number, readListPlace(request.query)), message };
        });
      } catch (error) {
        const refusal = toRefusal(error);
        if (refusal.kind !== 'lent') return noItem(number);
        const { item } = refusal;
        const field = item.quantity > 1 || quantity > 1 ? 'quantity' : 'to';
        return { errors: [{ field, message: describeHere(item) }], status: 409 };
      }
    },
  });

  const takeBack = itemFormHandlers(returnForm, {
    name: 'returnItem',
    page: '/items/:number<int>',
    async show({ form, ...context }) {
      const { number } = context.params;
      const item = (await items.find(number)) ?? noItem(number);
      const place = readListPlace(context.request.query);
      return returnPage({ viewer: toViewer(context), item, place, form });
    },
    async act({ once, values, ...context }) {
      const { params, request, session } = context;
      const { number } = params;
      try {
        return await once(async (transaction) => {
          const done = await returnItem(transaction, number, values, session.user.id);
          const held = request.query.get('held');
          const item = itemHref(number, readListPlace(request.query));
          const path = held === null ? item : heldHref(held || undefined);
          return { path, message: describeReturn(done) };
        });
      } catch (error) {
        toRefusal(error);
        const item = await items.find(number);
        const loan = item?.loans.find(({ at }) => at === values.lent);
        if (loan !== undefined) {
          const message = `${loan.to} has only ${formatNumber(loan.quantity)}`;
          return { errors: [{ field: 'part', message }], status: 409 };
        }
        if (item === null) return showMissingItem(context);
        return page(returnRefusedPage({ viewer: toViewer(context), item }), 409);
      }
    },
  });

  const showHeld: Handler<PageContext> = async (context) => {
    const viewer = toViewer(context);
    // A filter by name would say who has what, name by name.
    const to = seesBorrowers(viewer) ? readText(context.request.query, 'to') : '';
    const held = await findHeld(to === '' ? undefined : [to]);
    return page(heldPage({ viewer, held, to, now: now() }));
  };

  return { lend, takeBack, showHeld };
}

/** "Bo returned 2 of 3 of “Cable”." */
function describeReturn({ item, loan, returned }: Returned): string {
  const of = returned < loan.quantity ? `${formatNumber(returned)} of ` : '';
  const part = loan.quantity === 1 ? '' : `${of}${formatNumber(loan.quantity)} of `;
  return `${loan.to} returned ${part}“${item.name}”.`;
}
