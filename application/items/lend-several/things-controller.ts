/**
 * Lends several things at once, and takes them back, as one batch: all of them, or nothing. Buttons that change only
 * the page lead to an address with all that was typed; see lend/things.ts.
 */
import { seeOther } from 'seeother';
import type { KyselyTransaction } from '../../database/kysely.ts';
import { lendThingsHref, returnThingsHref, type ThingsState } from '../../links.ts';
import { formHandlers } from '../../site/contexts.ts';
import { formatNumber } from '../../site/format.ts';
import { toViewer } from '../../site/layout.ts';
import { withUndo } from '../events/batch-text.ts';
import type { BatchOperation } from '../events/batches.ts';
import { describeHere } from '../events/event-text.ts';
import type { Items } from '../item.ts';
import type { Item } from '../item-rows.ts';
import type { Borrowers } from '../lend/borrowers.ts';
import { readLastDay, readPageDay } from '../lend/lend-form.ts';
import {
  addThings,
  backOf,
  parseNumbers,
  readThingsState,
  type Thing,
  takeStep,
} from '../lend/things.ts';
import { addLoan, withoutPart } from '../loan.ts';
import { parseNumber } from '../parse-number.ts';
import { changeMany } from '../select/change-many.ts';
import { describeDone } from '../select/describe-done.ts';
import type { StoredItem } from '../stored-item.ts';
import { lendThingsForm, returnThingsForm } from './thing-forms.ts';
import { lendThingsPage, NO_ITEM, NOT_LENT, returnThingsPage } from './things-page.ts';

export interface ThingsOptions {
  readonly items: Items;
  readonly borrowers: Borrowers;
  readonly now: () => Date;
}

/** What is wrong with some of the things, by their numbers: nothing is changed. */
class ThingsRefused extends Error {
  readonly problems: ReadonlyMap<number, string>;

  constructor(problems: ReadonlyMap<number, string>) {
    super('Some things were refused.');
    this.problems = problems;
  }
}

const NOTHING = { field: 'numbers', message: 'Add at least one thing' } as const;

export function createThingsController({ items, borrowers, now }: ThingsOptions) {
  type SentRow = { readonly number: string; readonly name: string };
  /** The items that the address and the rows name. */
  async function load(context: {
    readonly request: { readonly query: URLSearchParams };
    readonly form: { readonly text: { readonly things: readonly SentRow[] } } | null;
  }) {
    const state = readThingsState(context.request.query);
    const rows = context.form?.text.things ?? [];
    const sent = rows.flatMap(({ number }) => parseNumber(number) ?? []);
    const numbers = [...state.things.map(({ number }) => number), ...sent];
    const all = await items.findMany([...new Set(numbers)]);
    return { state, found: new Map(all.map((item) => [item.number, item])) };
  }

  function rowsOf(things: readonly Thing[], found: ReadonlyMap<number, Item>) {
    return things.map(({ number, ...typed }) => ({
      ...{ number: `${number}`, name: found.get(number)?.name ?? `No. ${number}` },
      ...typed,
    }));
  }

  const lendThings = formHandlers(lendThingsForm, {
    name: 'lendThings',
    load,
    fill: ({ state, found }) => ({
      things: rowsOf(state.things, found).map(({ number, name, quantity }) => ({
        ...{ number, name, quantity: quantity || '1' },
      })),
      ...{ to: state.to, term: state.term, until: state.until },
    }),
    async show({ state, found, form, isDraft, ...context }) {
      const step = takeStep(context.request.query);
      if (step !== null) return seeOther(lendThingsHref(step));
      const names = await borrowers.suggest();
      const view = { viewer: toViewer(context), state, found, form, isDraft };
      return lendThingsPage({ ...view, names, now: now() });
    },
    async act({ once, session, values, request }) {
      const state = readThingsState(request.query);
      const things = toThings(values.things.map((row) => ({ ...row, loan: '' })));
      const { to, term, until } = values;
      const typed = { ...state, to, term, until: until ?? '' };
      const added = addTyped(values.numbers, things, typed);
      if (added !== null) return seeOther(lendThingsHref(added));
      if (things.length === 0) return { errors: [NOTHING] };
      const last = readLastDay(values, readPageDay(request.query, now()), now());
      if ('error' in last) return { errors: [last.error] };
      const loan = { to: await borrowers.spell(to), until: last.until };
      return carryOut(values.things, () =>
        once(async (transaction) => {
          const operation = { kind: 'lent', ...loan } as const;
          const by = { author: session.user.id, operation };
          const change = (item: StoredItem, [thing]: readonly Thing[]) => {
            const at = new Date().toISOString();
            const quantity = Number(thing?.quantity);
            return { ...item, loans: addLoan(item.loans, { ...loan, at, quantity }) };
          };
          const done = await changeAll(transaction, things, { change, ...by });
          return withUndo(done.batch, backOf(state), describeDone(operation, done));
        }),
      );
    },
  });

  const returnThings = formHandlers(returnThingsForm, {
    name: 'returnThings',
    load,
    fill: ({ state, found }) => ({ things: rowsOf(state.things, found) }),
    show({ state, found, form, isDraft, ...context }) {
      const step = takeStep(context.request.query);
      if (step !== null) return seeOther(returnThingsHref(step));
      const view = { viewer: toViewer(context), state, found, form, isDraft };
      return returnThingsPage({ ...view, now: now() });
    },
    async act({ once, session, values, request }) {
      const state = readThingsState(request.query);
      const things = toThings(values.things);
      const added = addTyped(values.numbers, things, state);
      if (added !== null) return seeOther(returnThingsHref(added));
      if (things.length === 0) return { errors: [NOTHING] };
      const found = await items.findMany(things.map(({ number }) => number));
      const loansOf = (number: number) => found.find((one) => one.number === number)?.loans;
      const unknown = things.findIndex(({ loan }) => loan === '');
      const { number } = things[unknown] ?? { number: 0 };
      if (unknown !== -1) {
        const left = loansOf(number)?.length;
        const none = left === 0 ? NOT_LENT : 'Choose who returns it';
        const message = left === undefined ? NO_ITEM : none;
        const field = `things.${unknown}.quantity` as const;
        return { errors: [{ field, message, row: values.things[unknown]?.name ?? '' }] };
      }
      const names = things.map(
        (thing) => loansOf(thing.number)?.find(({ at }) => at === thing.loan)?.to,
      );
      const [from] = new Set(names).size === 1 ? names : [];
      return carryOut(values.things, () =>
        once(async (transaction) => {
          const operation = {
            kind: 'returned',
            ...(from === undefined ? {} : { from }),
          } as const;
          const change = (item: StoredItem, own: readonly Thing[]) => {
            let { loans } = item;
            for (const { loan: at, quantity } of own) {
              const loan = loans.find((one) => one.at === at);
              if (loan === undefined) return 'It was returned already';
              const returned = quantity === '' ? loan.quantity : Number(quantity);
              if (returned > loan.quantity)
                return `${loan.to} has only ${formatNumber(loan.quantity)}`;
              loans = withoutPart(loans, loan, returned);
            }
            return { ...item, loans };
          };
          const by = { author: session.user.id, operation };
          const done = await changeAll(transaction, things, { change, ...by });
          return withUndo(done.batch, backOf(state), describeDone(operation, done));
        }),
      );
    },
  });

  return { lendThings, returnThings };
}

type Fields = { readonly number: string; readonly quantity: number | null; readonly loan: string };

function toThings(rows: readonly Fields[]): readonly Thing[] {
  return rows.flatMap(({ number, quantity, loan }) => {
    const read = parseNumber(number);
    return read === null ? [] : [{ number: read, quantity: `${quantity ?? ''}`, loan }];
  });
}

/** The page with numbers that were typed and not added yet, so that nothing is done unseen; null without any. */
function addTyped(
  typed: string,
  things: readonly Thing[],
  { things: _, again: __, ...state }: ReturnType<typeof readThingsState>,
): ThingsState | null {
  if (typed === '') return null;
  const { numbers, rest } = parseNumbers(typed);
  return { ...state, ...addThings(things, numbers), typed: rest };
}

interface ChangeAll {
  readonly author: number;
  readonly operation: BatchOperation;
  /** Of an item, with its rows: a return can end several of its loans. Or why not. */
  readonly change: (item: StoredItem, own: readonly Thing[]) => StoredItem | string;
}

/** Throws a `ThingsRefused` unless all can be changed. */
async function changeAll(
  transaction: KyselyTransaction,
  things: readonly Thing[],
  { author, operation, change }: ChangeAll,
) {
  const rows = Map.groupBy(things, ({ number }) => number);
  const problems = new Map<number, string>();
  const changeOne = (item: StoredItem) => {
    const changed = change(item, rows.get(item.number) ?? []);
    if (typeof changed === 'string') problems.set(item.number, changed);
    return typeof changed === 'string' ? null : changed;
  };
  const done = await changeMany(transaction, [...rows.keys()], changeOne, { author, operation });
  for (const item of done.refused)
    problems.set(item.number, problems.get(item.number) ?? describeHere(item));
  for (const number of done.missing) problems.set(number, NO_ITEM);
  if (problems.size > 0) throw new ThingsRefused(problems);
  return done;
}

/** A refusal is an error of the row of the thing. */
async function carryOut<Done>(
  rows: readonly { readonly number: string; readonly name: string }[],
  work: () => Promise<Done>,
) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ThingsRefused)) throw error;
    const errors = rows.flatMap(({ number, name }, at) => {
      const message = error.problems.get(Number(number));
      const field = `things.${at}.quantity` as const;
      return message === undefined ? [] : [{ field, message, row: name }];
    });
    return { errors, status: 409 as const };
  }
}
