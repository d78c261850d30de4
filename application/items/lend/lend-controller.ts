/** Lends an item, and ends its loan. */
import {
  blankForm,
  errorsOf,
  type FormAction,
  type FormContext,
  type Handler,
  page,
  type Response,
  refuse,
  restoreDraft,
  type StatusOf,
  statusOf,
} from 'seeother';
import type { People } from '../../accounts/people.ts';
import { toUsernameKey } from '../../accounts/username-key.ts';
import { itemHref } from '../../links.ts';
import type { UserContext, WritingContext } from '../../site/contexts.ts';
import { toDay } from '../../site/format.ts';
import { toViewer } from '../../site/layout.ts';
import { storedForBack } from '../../site/stored-for-back.ts';
import { ChangeRefused } from '../events/change-refused.ts';
import { describeLoan } from '../events/event-text.ts';
import type { Items } from '../item.ts';
import { isDay } from '../loan.ts';
import type { ShowMissingItem } from '../missing/missing-item.ts';
import { type ItemParams, noItem } from '../missing/missing-item.ts';
import { readListPlace } from '../read-item-query.ts';
import { type LendFields, lendForm, type ReturnFields } from './lend-form.ts';
import { lendItem as lend, returnItem as takeBack } from './lend-item.ts';
import { lendPage, returnRefusedPage } from './lend-page.ts';

export interface LendOptions {
  readonly items: Items;
  readonly people: People;
  readonly showMissingItem: ShowMissingItem;
  readonly now: () => Date;
}

export function createLendController({ items, people, showMissingItem, now }: LendOptions) {
  /** The usernames of everybody who can log in. */
  const listNames = async () =>
    (await people.list()).flatMap(({ username, removedAt }) =>
      removedAt === null ? [username] : [],
    );

  async function showLendForm<
    C extends UserContext & ItemParams & Partial<FormContext<LendFields>>,
  >(context: C): Promise<Response<StatusOf<C>> | Response<404>> {
    const item = await items.find(context.params.number);
    if (item === null) {
      if (context.form !== undefined) throw noItem(context.params.number);
      return showMissingItem(context);
    }
    const form = context.form ?? restoreDraft(lendForm, context) ?? blankForm(lendForm);
    const view = {
      viewer: toViewer(context),
      item,
      place: readListPlace(context.request.query),
      form,
      errors: errorsOf(context.validation),
      names: await listNames(),
      now: now(),
    };
    return storedForBack(page(lendPage(view), statusOf(context)));
  }

  const lendItem: FormAction<LendFields, WritingContext & ItemParams> = async (context, next) => {
    const { once, session, params, validation } = context;
    if (!validation.valid) return next(refuse(context));
    const { number } = params;
    const { until } = validation.values;
    const problem = until === '' ? null : findProblem(until, now());
    if (problem !== null) return next(refuse(context, [{ field: 'until', message: problem }]));
    const key = toUsernameKey(validation.values.to);
    const names = await listNames();
    const to = names.find((name) => toUsernameKey(name) === key) ?? validation.values.to;
    const loan = { to, until: until === '' ? null : until };
    try {
      return await once(async (transaction) => {
        await lend(transaction, number, loan, session.user.id);
        return {
          path: itemHref(number, readListPlace(context.request.query)),
          message: `Lent to ${describeLoan(loan)}.`,
        };
      });
    } catch (error) {
      if (!(error instanceof ChangeRefused)) throw error;
      if (error.refusal.kind !== 'lent') throw noItem(params.number);
      const { loan: other } = error.refusal;
      // "Bo, until 3 Dec 2026, has it".
      const comma = other.until === null ? '' : ',';
      const message = `${describeLoan(other)}${comma} has it: return it first`;
      return next(refuse(context, [{ field: 'to', message }], 409));
    }
  };

  type Returning = WritingContext & ItemParams & FormContext<ReturnFields>;

  const returnItem: Handler<Returning, Response<303 | 404 | 409>> = async (context) => {
    const { once, session, params, validation } = context;
    const { number } = params;
    const lent = validation.valid ? validation.values.lent : '';
    try {
      return await once(async (transaction) => {
        const { loan } = await takeBack(transaction, number, lent, session.user.id);
        return {
          path: itemHref(number, readListPlace(context.request.query)),
          message: `${loan?.to ?? 'Somebody'} returned it.`,
        };
      });
    } catch (error) {
      if (!(error instanceof ChangeRefused)) throw error;
      const item = await items.find(number);
      if (item === null) return showMissingItem(context);
      return page(returnRefusedPage({ viewer: toViewer(context), item }), 409);
    }
  };

  return { showLendForm, lendItem, returnItem };
}

const DAY = 86_400_000;

/** West of Greenwich, the day before in UTC is still today. */
function findProblem(until: string, now: Date): string | null {
  if (!isDay(until)) return 'Until must be a day, like 2026-12-24';
  return until < toDay(new Date(now.getTime() - DAY)) ? 'Until must be today or later' : null;
}
