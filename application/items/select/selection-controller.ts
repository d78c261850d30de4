/**
 * Moves, tags, lends and deletes the items that are ticked, and marks them as returned, on any page, in one transaction
 * and as one batch. An item that was deleted meanwhile, or needs no change, is only named in the message.
 */
import type { Context, FilledForm, FormError, FormValues } from 'seeother';
import { QueueFull } from 'seeother/middleware';
import { toUsernameKey } from '../../accounts/username-key.ts';
import type { KyselyTransaction } from '../../database/kysely.ts';
import { refuseSearch } from '../../errors/overload.ts';
import { backToList, countHref, labelsHref, printHref } from '../../links.ts';
import { formHandlers, type UserContext } from '../../site/contexts.ts';
import { formatNumber } from '../../site/format.ts';
import { toViewer } from '../../site/layout.ts';
import { withUndo } from '../events/batch-text.ts';
import type { BatchOperation } from '../events/batches.ts';
import type { ItemState } from '../events/item-changes.ts';
import type { Suggest } from '../facets/suggestions.ts';
import { toFacetKey } from '../facets.ts';
import type { Items } from '../item.ts';
import { MAX_TAGS } from '../item-limits.ts';
import type { Borrowers } from '../lend/borrowers.ts';
import { ENTER_BORROWER, readLastDay, readPageDay } from '../lend/lend-form.ts';
import { addLoan, hereOf } from '../loan.ts';
import { MAX_SELECTED, SELECT_SIZE } from '../matching-items.ts';
import { parseNumber } from '../parse-number.ts';
import { readItemQuery } from '../read-item-query.ts';
import { listTicked, writeTicked } from '../ticked-numbers.ts';
import { createCarryTicks } from './carry-ticks.ts';
import { type ChangedMany, changeMany, removeMany } from './change-many.ts';
import { describeDone } from './describe-done.ts';
import { type SelectionFields, selectionForm, tickedNumbers } from './selection-form.ts';
import { type ListedItems, selectionPage } from './selection-page.ts';

export interface SelectionOptions {
  readonly items: Items;
  readonly suggest: Suggest;
  readonly borrowers: Borrowers;
  readonly now: () => Date;
}

export function createSelectionController({ items, suggest, borrowers, now }: SelectionOptions) {
  const select = formHandlers(selectionForm, {
    name: 'changeSelected',
    fill: ({ request: { query } }) => ({
      ticked: query.get('ticked') ?? '',
      location: query.get('to') ?? '',
      tag: query.get('add') ?? '',
      to: query.get('who') ?? '',
      term: query.get('term') ?? '',
      until: query.get('until') ?? '',
    }),
    /** The page of the list that the address names, with what was ticked here, before an error or a log-in. */
    async show({ form, errors, isSent, isDraft, ...context }) {
      const { request } = context;
      const { query, requestedPage, back, isTickedOnly } = readList(context);
      const viewer = toViewer(context);
      const sent = tickedNumbers(form.text);
      let list: ListedItems;
      try {
        list = isTickedOnly
          ? await listTicked(items, sent, requestedPage, SELECT_SIZE)
          : await items.list(requestedPage, query, SELECT_SIZE);
      } catch (error) {
        if (!(error instanceof QueueFull)) throw error;
        return refuseSearch(request, viewer);
      }
      const wantsAll = !isSent && request.query.has('all');
      const ticked = new Set([
        ...sent,
        ...(wantsAll ? list.items.map(({ number }) => number) : []),
      ]);
      return selectionPage({
        ...{ viewer, query, back, list, ticked, isTickedOnly, form, errors, isDraft },
        left: parseNumber(request.query.get('left') ?? '') ?? 0,
        suggestions: await suggest(),
        names: await borrowers.suggest(),
        definitions: await items.definitions.read(),
        now: now(),
      });
    },
    check({ form, values }) {
      const problem = findProblem(values, tickedNumbers(form.text));
      return problem === null ? [] : [problem];
    },
    send: {
      move: ({ values: { location }, ...sent }) => change(sent, { kind: 'moved', location }),
      tag: ({ values: { tag }, ...sent }) => change(sent, { kind: 'tagged', tag }),
      untag: ({ values: { tag }, ...sent }) => change(sent, { kind: 'untagged', tag }),
      async lend({ values, ...sent }) {
        const last = readLastDay(values, readPageDay(sent.request.query, now()), now());
        if ('error' in last) return { errors: [last.error] };
        const to = await borrowers.spell(values.to);
        return change(sent, { kind: 'lent', to, until: last.until });
      },
      /** With a name, only what that person has. */
      async return({ values, ...sent }) {
        const from = await borrowers.spell(values.to);
        return change(sent, { kind: 'returned', ...(from === '' ? {} : { from }) });
      },
      count: ({ form }) => countHref(chosenOf(form)),
      print: ({ form }) => printHref(chosenOf(form)),
      labels: ({ form }) => labelsHref(chosenOf(form)),
      delete: (sent) => change(sent, { kind: 'deleted' }),
    },
  });

  return { select, carryTicks: createCarryTicks(items) };
}

function readList({ request: { query } }: Context) {
  return {
    // Only those with an account select items.
    query: readItemQuery(query, true),
    requestedPage: parseNumber(query.get('page') ?? '1') ?? 1,
    back: parseNumber(query.get('back') ?? '1') ?? 1,
    isTickedOnly: query.has('only'),
  };
}

function chosenOf({ text }: SelectionForm) {
  return { ticked: writeTicked(tickedNumbers(text)) };
}

type SelectionForm = FilledForm<SelectionFields>;

function findProblem(
  { button, location, tag, to }: Partial<FormValues<SelectionFields>>,
  numbers: readonly number[],
): FormError<SelectionFields> | null {
  if (numbers.length === 0) return { field: 'row_0', message: 'Tick at least one item' };
  if (numbers.length > MAX_SELECTED)
    return {
      field: 'row_0',
      message: `At most ${formatNumber(MAX_SELECTED)} items can be changed at once: untick some`,
    };
  if (button === 'move' && location === '')
    return { field: 'location', message: 'Enter the location to move the items to' };
  if ((button === 'tag' || button === 'untag') && tag === '')
    return { field: 'tag', message: 'Enter a tag' };
  if (button === 'lend' && to === '') return { field: 'to', message: ENTER_BORROWER };
  return null;
}

type SelectionOperation = Extract<
  BatchOperation,
  { kind: 'moved' | 'tagged' | 'untagged' | 'lent' | 'returned' | 'deleted' }
>;

type Sent = UserContext & {
  readonly transaction: KyselyTransaction;
  readonly form: SelectionForm;
};

async function change({ form, ...sent }: Sent, operation: SelectionOperation) {
  const { transaction, session, request } = sent;
  const { query, back } = readList(sent);
  const by = { author: session.user.id, seen: request.query.get('seen') };
  const done = await carryOut(transaction, tickedNumbers(form.text), operation, by);
  return withUndo(done.batch, backToList(query, back), describeDone(operation, done));
}

interface By {
  readonly author: number;
  /** When the page was made that the form is on, if its address says so. */
  readonly seen: string | null;
}

function carryOut(
  transaction: KyselyTransaction,
  numbers: readonly number[],
  operation: SelectionOperation,
  { author, seen }: By,
): Promise<ChangedMany> {
  if (operation.kind === 'deleted') return removeMany(transaction, numbers, author);
  const change = (item: ItemState) => changeOf(operation, item, seen);
  return changeMany(transaction, numbers, change, { author, operation });
}

/** The case of names and tags is ignored. What is here of an item is lent, and an old page ends no later loan. */
function changeOf(
  operation: Exclude<SelectionOperation, { kind: 'deleted' }>,
  item: ItemState,
  seen: string | null,
): ItemState | null {
  const { loans } = item;
  switch (operation.kind) {
    case 'moved':
      return { ...item, location: operation.location };
    case 'lent': {
      const { to, until } = operation;
      const quantity = hereOf(item);
      const at = new Date().toISOString();
      return quantity === 0
        ? null
        : { ...item, loans: addLoan(loans, { to, until, at, quantity }) };
    }
    case 'returned': {
      const { from } = operation;
      const own = loans.filter(
        ({ to }) => from === undefined || toUsernameKey(to) === toUsernameKey(from),
      );
      const ended = own.filter(({ at }) => seen === null || at <= seen);
      if (own.length > 0 && ended.length === 0) return null;
      return { ...item, loans: loans.filter((one) => !ended.includes(one)) };
    }
    case 'untagged':
      return { ...item, tags: othersOf(item, operation.tag) };
    case 'tagged': {
      const others = othersOf(item, operation.tag);
      if (others.length < item.tags.length) return item;
      return others.length < MAX_TAGS ? { ...item, tags: [...others, operation.tag] } : null;
    }
  }
}

function othersOf({ tags }: ItemState, tag: string): readonly string[] {
  const key = toFacetKey(tag);
  return tags.filter((one) => toFacetKey(one) !== key);
}
