/**
 * Moves, tags and deletes the ticked items of a list, or all items that match its filter, in one transaction and as
 * one batch. An item that was deleted meanwhile, or needs no change, is only named in the message. All matching
 * items are changed only if they are the same ones that the form showed.
 */
import { type Context, type FormError, type FormValues, HttpError } from 'seeother';
import type { Writing } from '../../database/kysely.ts';
import { refuseSearch } from '../../errors/overload.ts';
import { backToList } from '../../links.ts';
import { formHandlers } from '../../site/contexts.ts';
import { formatCount } from '../../site/format.ts';
import { toViewer } from '../../site/layout.ts';
import { withUndo } from '../events/batch-text.ts';
import type { BatchOperation } from '../events/batches.ts';
import type { Suggestions } from '../facets/suggestions.ts';
import { toFacetKey } from '../facets.ts';
import type { Items } from '../item.ts';
import { MAX_TAGS } from '../item-limits.ts';
import { type ItemPage, type ItemQuery, isFiltered } from '../item-list.ts';
import type { ItemInput } from '../item-rows.ts';
import { MAX_MATCHING, type MatchingItems } from '../matching-items.ts';
import { parseNumber } from '../parse-number.ts';
import { readItemQuery } from '../read-item-query.ts';
import { SearchQueueFull } from '../search-queue.ts';
import { type ChangedMany, changeMany, removeMany } from './change-many.ts';
import { describeDone } from './describe-done.ts';
import { type SelectionFields, selectionForm, tickedNumbers } from './selection-form.ts';
import { selectionPage } from './selection-page.ts';

export function createSelectionController(items: Items, suggest: () => Promise<Suggestions>) {
  const select = formHandlers(selectionForm, {
    name: 'changeSelected',
    /** The page of the list that the address names, with what was ticked before an error or a log-in. */
    async show({ form, errors, isSent, isDraft, ...context }) {
      const { request } = context;
      const { query, requestedPage } = readList(context);
      const viewer = toViewer(context);
      const wantsMatching = form.text.matching !== '' || (!isSent && request.query.has('matching'));
      let list: ItemPage;
      let matching: MatchingItems | null;
      try {
        list = await items.list(requestedPage, query);
        matching = wantsMatching ? await findMatching(query) : null;
      } catch (error) {
        if (!(error instanceof SearchQueueFull)) throw error;
        return refuseSearch(request, viewer);
      }
      const sent = tickedNumbers(form.text);
      const listed = list.items.map(({ number }) => number);
      const others = await items.findMany(sent.filter((number) => !listed.includes(number)));
      const ticked = new Set(!isSent && request.query.has('all') ? listed : sent);
      // The list may not know how many more there are; they are too many for one form anyway.
      const matchCount = list.isTruncated ? list.itemCount + 1 : list.itemCount;
      return selectionPage({
        ...{ viewer, query, form, errors, isDraft },
        page: list.page,
        items: [...others, ...list.items],
        selection:
          matching === null
            ? { ticked, matchCount: isFiltered(query) ? matchCount : null }
            : { matching },
        suggestions: await suggest(),
      });
    },
    async act({ once, session, form, values, ...context }) {
      const { query, requestedPage } = readList(context);
      let numbers = tickedNumbers(form.text);
      if (form.text.matching !== '') {
        const matching = await findMatching(query).catch(refuseSent);
        if (matching?.hash !== form.text.matching) {
          // If an earlier copy of this form was carried out, it has changed what matches: repeat its answer.
          const answer = await once(refuseChanged).catch(ignoreChanged);
          const errors = [{ field: null, message: describe(matching) }];
          return answer ?? { errors, status: 409 };
        }
        numbers = matching.numbers;
      }
      const problem = findProblem(values, numbers);
      if (problem !== null) return { errors: [problem] };
      return once(async (transaction) => {
        const operation = toOperation(values);
        const done = await carryOut(transaction, numbers, operation, session.user.id);
        const back = backToList(query, requestedPage);
        return withUndo(done.batch, back, describeDone(operation, done));
      });
    },
  });

  /** Null if too many items match, or if there is no filter. */
  async function findMatching(query: ItemQuery): Promise<MatchingItems | null> {
    return isFiltered(query) ? items.findMatching(query) : null;
  }

  return { select };
}

/** Other items match than those that the form showed. */
class MatchingChanged extends Error {}

async function refuseChanged(): Promise<never> {
  throw new MatchingChanged();
}

function ignoreChanged(error: unknown): null {
  if (error instanceof MatchingChanged) return null;
  throw error;
}

function describe(matching: MatchingItems | null): string {
  const now =
    matching === null
      ? `more than ${MAX_MATCHING} items match`
      : formatCount(matching.numbers.length, 'item matches', 'items match');
  return `Other items match than before: ${now} now. Nothing was changed. Check them, then send the form again`;
}

function refuseSent(error: unknown): never {
  if (!(error instanceof SearchQueueFull)) throw error;
  throw new HttpError(503, 'Many searches are running right now. Send the form again.', {
    headers: { 'Retry-After': '5' },
  });
}

function readList({ request: { query } }: Context) {
  return {
    query: readItemQuery(query),
    requestedPage: parseNumber(query.get('page') ?? '1') ?? 1,
  };
}

type Values = FormValues<SelectionFields>;

function findProblem(
  { button, location, tag }: Values,
  numbers: readonly number[],
): FormError<SelectionFields> | null {
  if (numbers.length === 0) return { field: 'row_0', message: 'Tick at least one item' };
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
  transaction: Writing,
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
