/**
 * Moves, tags and deletes the items that are ticked, on any page, in one transaction and as one batch. An item that was
 * deleted meanwhile, or needs no change, is only named in the message.
 */
import type { Context, FormError, FormValues } from 'seeother';
import type { KyselyTransaction } from '../../database/kysely.ts';
import { refuseSearch } from '../../errors/overload.ts';
import { backToList } from '../../links.ts';
import { formHandlers } from '../../site/contexts.ts';
import { formatNumber } from '../../site/format.ts';
import { toViewer } from '../../site/layout.ts';
import { QueueFull } from '../../site/queue.ts';
import { withUndo } from '../events/batch-text.ts';
import type { BatchOperation } from '../events/batches.ts';
import type { Suggest } from '../facets/suggestions.ts';
import { toFacetKey } from '../facets.ts';
import type { Items } from '../item.ts';
import type { ItemInput } from '../item-fields.ts';
import { MAX_TAGS } from '../item-limits.ts';
import { MAX_SELECTED, SELECT_SIZE } from '../matching-items.ts';
import { parseNumber } from '../parse-number.ts';
import { readItemQuery } from '../read-item-query.ts';
import { createCarryTicks } from './carry-ticks.ts';
import { type ChangedMany, changeMany, removeMany } from './change-many.ts';
import { describeDone } from './describe-done.ts';
import { type SelectionFields, selectionForm, tickedNumbers } from './selection-form.ts';
import { type ListedItems, selectionPage } from './selection-page.ts';

export function createSelectionController(items: Items, suggest: Suggest) {
  const select = formHandlers(selectionForm, {
    name: 'changeSelected',
    fill: ({ request: { query } }) => ({
      ticked: query.get('ticked') ?? '',
      location: query.get('to') ?? '',
      tag: query.get('add') ?? '',
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
          ? await listTicked(sent, requestedPage)
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
      });
    },
    async act({ once, session, form, values, ...context }) {
      const numbers = tickedNumbers(form.text);
      const problem = findProblem(values, numbers);
      if (problem !== null) return { errors: [problem] };
      const { query, back } = readList(context);
      return once(async (transaction) => {
        const operation = toOperation(values);
        const done = await carryOut(transaction, numbers, operation, session.user.id);
        return withUndo(done.batch, backToList(query, back), describeDone(operation, done));
      });
    },
  });

  /** A page of what is ticked, newest first. */
  async function listTicked(
    ticked: readonly number[],
    requestedPage: number,
  ): Promise<ListedItems> {
    const pageCount = Math.max(1, Math.ceil(ticked.length / SELECT_SIZE));
    const page = Math.min(requestedPage, pageCount);
    const shown = ticked
      .toSorted((one, other) => other - one)
      .slice((page - 1) * SELECT_SIZE, page * SELECT_SIZE);
    const found = await items.findMany(shown);
    return { items: found, page, pageCount, itemCount: ticked.length, isTruncated: false };
  }

  return { select, carryTicks: createCarryTicks(items) };
}

function readList({ request: { query } }: Context) {
  return {
    query: readItemQuery(query),
    requestedPage: parseNumber(query.get('page') ?? '1') ?? 1,
    back: parseNumber(query.get('back') ?? '1') ?? 1,
    isTickedOnly: query.has('only'),
  };
}

type Values = FormValues<SelectionFields>;

function findProblem(
  { button, location, tag }: Values,
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
  return null;
}

type SelectionOperation = Extract<
  BatchOperation,
  { kind: 'moved' | 'tagged' | 'untagged' | 'deleted' }
>;

function toOperation({ button, location, tag }: Values): SelectionOperation {
  switch (button) {
    case 'move':
      return { kind: 'moved', location };
    case 'tag':
      return { kind: 'tagged', tag };
    case 'untag':
      return { kind: 'untagged', tag };
    case 'delete':
      return { kind: 'deleted' };
  }
}

function carryOut(
  transaction: KyselyTransaction,
  numbers: readonly number[],
  operation: SelectionOperation,
  author: number,
): Promise<ChangedMany> {
  if (operation.kind === 'deleted') return removeMany(transaction, numbers, author);
  return changeMany(transaction, numbers, (item) => changeOf(operation, item), {
    author,
    operation,
  });
}

/** The case of tags is ignored. */
function changeOf(
  operation: Exclude<SelectionOperation, { kind: 'deleted' }>,
  item: ItemInput,
): ItemInput | null {
  if (operation.kind === 'moved') return { ...item, location: operation.location };
  const key = toFacetKey(operation.tag);
  const others = item.tags.filter((tag) => toFacetKey(tag) !== key);
  if (operation.kind === 'untagged') return { ...item, tags: others };
  if (others.length < item.tags.length) return item;
  return others.length < MAX_TAGS ? { ...item, tags: [...others, operation.tag] } : null;
}
