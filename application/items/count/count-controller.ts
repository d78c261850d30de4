/**
 * Counts the items of a list. The form with the numbers records the count and changes no quantity: it leads to the page
 * of the differences, whose address holds them, so both pages can be reloaded. That page stores all of them in one
 * transaction, as one batch. A quantity that was changed meanwhile, or of an item that is lent, is not overwritten
 * unasked: it comes back as a question, and the others are stored.
 */
import { type Handler, HttpError, page, paginate, seeOther } from 'seeother';
import { QueueFull } from 'seeother/middleware';
import { refuseSearch } from '../../errors/overload.ts';
import { countHref, differencesHref, listHref } from '../../links.ts';
import { formHandlers, type PageContext } from '../../site/contexts.ts';
import { toViewer } from '../../site/layout.ts';
import { type CountRecords, placeOf, recordCorrection, recordCount } from '../count-records.ts';
import { withUndo } from '../events/batch-text.ts';
import type { Items } from '../item.ts';
import type { ItemPage } from '../item-list.ts';
import type { Item } from '../item-rows.ts';
import { changeMany } from '../select/change-many.ts';
import { describeDone } from '../select/describe-done.ts';
import { listTicked, readTicked } from '../ticked-numbers.ts';
import { countForm, differencesForm, MAX_COUNTED } from './count-forms.ts';
import { countPage } from './count-page.ts';
import { countCsv, countRecordPage, countsPage } from './count-record-page.ts';
import { type Count, type Counting, parseCounts, readCounting, writeCounts } from './counts.ts';
import { differencesPage, isAsked, stateSeen } from './differences-page.ts';

/** Records on a page of all counts. */
const PAGE_SIZE = 50;

type CountParams = { readonly params: { readonly count: number } };

export interface CountOptions {
  readonly items: Items;
  readonly countRecords: CountRecords;
  readonly now: () => Date;
}

export function createCountController({ items, countRecords, now }: CountOptions) {
  const countItems = formHandlers(countForm, {
    name: 'countItems',
    async load(context) {
      const counting = readCounting(context);
      try {
        return { counting, list: await readShelf(counting) };
      } catch (error) {
        if (!(error instanceof QueueFull)) throw error;
        return { counting, list: null };
      }
    },
    fill({ counting, list }) {
      const counts = byNumber(counting.counts);
      const rows = list?.items.map(({ number, name, quantity, loans }) => {
        // What is lent is not there to be counted.
        const counted = counts.get(number)?.counted ?? (loans.length === 0 ? quantity : '');
        return { number: `${number}`, name, was: `${quantity}`, counted: `${counted}` };
      });
      return { items: rows ?? [] };
    },
    async show({ counting, list, form, ...context }) {
      const viewer = toViewer(context);
      // A form that was sent comes back, also without the list.
      if (list === null && form.text.items.length === 0)
        return refuseSearch(context.request, viewer);
      const found = await findAll(form.text.items, list?.items);
      const place = placeOf(counting.list);
      const last = place && (await countRecords.lastOf(...place));
      const { isDraft, errors } = context;
      const view = { viewer, counting, list, found, form, errors, isDraft, last, now: now() };
      return countPage(view);
    },
    async send({ transaction, session, values, ...context }) {
      const counting = readCounting(context);
      const { list, page, next, key } = counting;
      const rows = values.items.flatMap(({ number, was, counted }) =>
        parseCounts(`${number}.${was}.${counted ?? 0}`).map((count) => ({
          ...{ number: count.number, expected: count.was },
          found: counted === null ? null : count.counted,
        })),
      );
      const lines = [...byNumber(rows).values()];
      const author = session.user.id;
      const listed = counting.all ?? lines.length;
      if (lines.length > 0)
        await recordCount(transaction, { author, form: key, list, listed, lines });
      const differing = lines.flatMap(({ number, expected: was, found: counted }) =>
        counted === null || counted === was ? [] : [{ number, was, counted }],
      );
      if (differing.length === 0) {
        const message = 'Nothing differs from what is stored. The count is kept under Counts.';
        return { path: afterCounting(counting), message };
      }
      const further = { page, next, of: values.items.length, key, counts: writeCounts(differing) };
      return differencesHref(list, further);
    },
  });

  /** By name, so that no page changes with what is stored. Within a page, what stands together is together. */
  async function readShelf({ list, page }: Counting): Promise<ItemPage> {
    const ticked = readTicked(list.ticked);
    const found =
      ticked.length > 0
        ? await listTicked(items, ticked, page, MAX_COUNTED)
        : await items.list(page, { ...list, order: 'name' }, MAX_COUNTED);
    return { ...found, items: found.items.toSorted((one, other) => compare(one, other)) };
  }

  /** The items of the rows. One that was deleted meanwhile is not among them. */
  async function findAll(
    rows: readonly { readonly number: string }[],
    known: readonly Item[] = [],
  ) {
    const found = byNumber(known);
    const numbers = rows.map(({ number }) => Number(number));
    const further = numbers.filter((number) => Number.isSafeInteger(number) && !found.has(number));
    return new Map([...found, ...byNumber(await items.findMany(further))]);
  }

  const correct = formHandlers(differencesForm, {
    name: 'correctQuantities',
    load: async (context) => {
      const counting = readCounting(context);
      const rows = context.form?.text.items ?? [];
      const asked = [...counting.counts.map(({ number }) => ({ number: `${number}` })), ...rows];
      return { counting, found: await findAll(asked) };
    },
    fill({ counting, found }) {
      const rows = counting.counts.map(({ number, was, counted }) => {
        const item = found.get(number);
        const name = item?.name ?? `No. ${number}`;
        const row = { number: `${number}`, name, was: `${was}`, counted: `${counted}` };
        const seen = item === undefined ? '' : stateSeen(item);
        return { ...row, seen, choice: isAsked(row, item) ? '' : 'counted' };
      });
      return { items: rows };
    },
    show({ counting, found, form, errors, ...context }) {
      if (form.text.items.length === 0)
        return seeOther(countHref(counting.list, { page: counting.page }));
      return differencesPage({ viewer: toViewer(context), counting, found, form, errors });
    },
    async send({ transaction, session, values, ...context }) {
      const counting = readCounting(context);
      const rows = values.items
        .filter(({ choice }) => choice === 'counted')
        .flatMap(({ seen, ...row }) =>
          parseCounts(`${row.number}.${row.was}.${row.counted}`).map((count) => ({
            ...count,
            seen,
          })),
        );
      const counts = byNumber(rows);
      const author = session.user.id;
      const operation = { kind: 'counted' } as const;
      const done = await changeMany(
        transaction,
        [...counts.keys()],
        (item) => {
          const { seen, counted } = counts.get(item.number) as (typeof rows)[number];
          const isAsShown = item.quantity === counted || stateSeen(item) === seen;
          return isAsShown ? { ...item, quantity: counted } : null;
        },
        { author, operation },
      );
      const { list, page, next, key } = counting;
      const left = new Set([
        ...[...done.same, ...done.refused].map(({ number }) => number),
        ...done.missing,
      ]);
      const corrected = [...counts.keys()].filter((number) => !left.has(number));
      if (done.batch !== null)
        await recordCorrection(transaction, { author, form: key }, done.batch, corrected);
      const changed = done.refused.flatMap(({ number }) => counts.get(number) ?? []);
      const path =
        changed.length === 0
          ? afterCounting(counting)
          : differencesHref(list, { page, next, key, counts: writeCounts(changed) });
      return withUndo(done.batch, path, describeDone(operation, done));
    },
  });

  const showCounts: Handler<PageContext> = async (context) => {
    const counts = await paginate(context.request, {
      size: PAGE_SIZE,
      key: { id: 'int' },
      read: ({ limit, position, isBackwards }) =>
        countRecords.list({ limit, position: position?.id ?? null, isBackwards }),
    });
    return page(countsPage({ viewer: toViewer(context), counts: counts.rows, nav: counts.nav }));
  };

  const showCountRecord: Handler<PageContext & CountParams> = async (context) => {
    const { record, lines } = await readRecord(context);
    return page(countRecordPage({ viewer: toViewer(context), record, lines }));
  };

  const showCountFile: Handler<PageContext & CountParams> = async (context) => {
    const { record, lines } = await readRecord(context);
    return countCsv(record.id, lines);
  };

  async function readRecord({ params }: CountParams) {
    const record = await countRecords.find(params.count);
    if (record === null) throw new HttpError(404, 'There is no such count.');
    return { record, lines: await countRecords.linesOf(record.id) };
  }

  return { countItems, correct, showCounts, showCountRecord, showCountFile };
}

/** The page that follows, or the list after the last one. */
function afterCounting({ list, next, key }: Counting) {
  return next === null ? listHref(list) : countHref(list, { page: next, key });
}

function byNumber<T extends Pick<Count, 'number'>>(all: readonly T[]): Map<number, T> {
  return new Map(all.map((one) => [one.number, one]));
}

function compare({ location: one }: Item, { location: other }: Item): number {
  return one < other ? -1 : Number(one > other);
}
