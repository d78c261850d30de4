/** Lends an item, and ends its loan. */
import { type Handler, page } from 'seeother';
import { heldHref, itemHref } from '../../links.ts';
import type { PageContext } from '../../site/contexts.ts';
import { seesBorrowers, toViewer } from '../../site/layout.ts';
import { toRefusal } from '../events/change-refused.ts';
import { describeLoan } from '../events/event-text.ts';
import type { Items } from '../item.ts';
import { itemFormHandlers } from '../item-context.ts';
import { noItem, type ShowMissingItem } from '../missing/missing-item.ts';
import { readListPlace, readText } from '../read-item-query.ts';
import type { Borrowers } from './borrowers.ts';
import type { FindHeld } from './held-items.ts';
import { heldPage } from './held-page.ts';
import { lendForm, readLastDay, readPageDay, returnForm } from './lend-form.ts';
import { lendItem, returnItem } from './lend-item.ts';
import { lendPage, returnRefusedPage } from './lend-page.ts';

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
      const loan = { to: await borrowers.spell(values.to), until: last.until };
      try {
        return await once(async (transaction) => {
          await lendItem(transaction, number, loan, session.user.id);
          const message = `Lent to ${describeLoan(loan)}.`;
          return { path: itemHref(number, readListPlace(request.query)), message };
        });
      } catch (error) {
        const refusal = toRefusal(error);
        if (refusal.kind !== 'lent') return noItem(number);
        const { loan: other } = refusal;
        // "Bo, until 3 Dec 2026, has it".
        const comma = other.until === null ? '' : ',';
        const message = `${describeLoan(other)}${comma} has it: return it first`;
        return { errors: [{ field: 'to', message }], status: 409 };
      }
    },
  });

  const takeBack = itemFormHandlers(returnForm, {
    name: 'returnItem',
    page: '/items/:number<int>',
    async act({ once, values, ...context }) {
      const { params, request, session } = context;
      const { number } = params;
      try {
        return await once(async (transaction) => {
          const { name, loan, quantity } = await returnItem(
            transaction,
            number,
            values.lent,
            session.user.id,
          );
          // It was counted, taken or edited while somebody had it.
          const none = quantity === 0 ? ' Its quantity is 0: set it if that is wrong.' : '';
          const message = `${loan?.to ?? 'Somebody'} returned “${name}”.${none}`;
          const held = request.query.get('held');
          const item = itemHref(number, readListPlace(request.query));
          return { path: held === null ? item : heldHref(held || undefined), message };
        });
      } catch (error) {
        toRefusal(error);
        const item = await items.find(number);
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
