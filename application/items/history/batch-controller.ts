/** Shows a batch with its changes, and undoes it. */
import { createFormHandlers, type Handler, HttpError, page, withFlash } from 'seeother';
import { batchHref, readScanBehind, scanHref } from '../../links.ts';
import { buttonForm } from '../../site/button-form.ts';
import type { PageContext, UserContext } from '../../site/contexts.ts';
import { formatCount } from '../../site/format.ts';
import { toViewer } from '../../site/layout.ts';
import type { Batch, Batches } from '../events/batches.ts';
import { ChangeRefused, type Refusal } from '../events/change-refused.ts';
import type { History, ItemEvent } from '../events/item-events.ts';
import type { Items } from '../item.ts';
import type { MoveRest } from '../places/move-things.ts';
import { batchPage, batchRefusedPage } from './batch-page.ts';
import { PAGE_SIZE, readBefore } from './history-controller.ts';
import { BatchRefused, type UndoneBatch, type UndoRest, undoBatch } from './undo-batch.ts';
import { refusalOf } from './undo-event.ts';

export interface BatchOptions {
  readonly items: Items;
  readonly history: History;
  readonly batches: Batches;
  readonly undoRest: UndoRest;
  readonly moveRest: MoveRest;
}

type BatchParams = { readonly params: { readonly batch: number } };

const batchFormHandlers = createFormHandlers<UserContext & BatchParams>();

export function createBatchController(options: BatchOptions) {
  const { items, history, batches, undoRest, moveRest } = options;
  const showBatch: Handler<PageContext & BatchParams> = async (context) => {
    const batch = await requireBatch(context);
    const events = await history.ofBatch(batch.id, PAGE_SIZE, readBefore(context));
    const refusals = await findRefusals(events.events);
    return page(batchPage({ viewer: toViewer(context), batch, page: events, refusals }));
  };

  const undoAll = batchFormHandlers(buttonForm, {
    name: 'undoWholeBatch',
    page: '/items/history/batches/:batch<int>',
    async act({ once, ...context }) {
      const author = context.session.user.id;
      const batch = await requireBatch(context);
      const made = await findMade(batch);
      const describe = (done: UndoneBatch) => describeUndone(done, made);
      try {
        // Stays null if an earlier copy of the form was carried out.
        let begun = null as UndoneBatch | null;
        const scan = readScanBehind(context.request.query);
        const path = scan === null ? batchHref(batch.id) : scanHref(scan);
        const answer = await once(async (transaction) => {
          begun = await undoBatch(transaction, batch.id, author);
          const isDone = begun.rest === 0 && begun.place === null;
          return isDone ? { path, message: describe(begun) } : path;
        });
        if (begun === null || (begun.rest === 0 && begun.place === null)) return answer;
        const done = await undoRest(batch.id, author, begun);
        const { place } = done;
        // What was put there since follows, once nothing is left of the batch itself.
        if (place !== null && done.rest === 0) await moveRest({ place, batch: done.batch, author });
        return withFlash(answer, describe(done));
      } catch (error) {
        const isRefused = error instanceof BatchRefused || error instanceof ChangeRefused;
        if (!isRefused) throw error;
        const left = error instanceof BatchRefused ? error.left : [];
        const refusal = error instanceof ChangeRefused ? error.refusal : null;
        return page(batchRefusedPage({ viewer: toViewer(context), batch, left, refusal }), 409);
      }
    },
  });

  async function requireBatch({ params }: BatchParams): Promise<Batch> {
    return (await batches.find(params.batch)) ?? reject();
  }

  /** The fields and kinds that an import has made, and that are still there. */
  async function findMade({ operation }: Batch): Promise<Made> {
    const { fields: ofFields = [], kinds: ofKinds = [] } =
      operation.kind === 'imported' ? operation : {};
    if (ofFields.length + ofKinds.length === 0) return { fields: [], kinds: [] };
    const { fields, kinds } = await items.definitions.read();
    return {
      fields: fields.flatMap(({ id, label }) => (ofFields.includes(id) ? [label] : [])),
      kinds: kinds.flatMap(({ id, name }) => (ofKinds.includes(id) ? [name] : [])),
    };
  }

  /** Which events an undo would leave now, and why. */
  async function findRefusals(events: readonly ItemEvent[]): Promise<ReadonlyMap<number, Refusal>> {
    const open = events.filter(({ undoneBy }) => undoneBy === null);
    const found = await items.findMany([...new Set(open.map(({ number }) => number))]);
    const current = new Map(found.map((item) => [item.number, item]));
    const refusals = new Map<number, Refusal>();
    for (const event of open) {
      const refusal = refusalOf(current.get(event.number) ?? null, event);
      if (refusal !== null) refusals.set(event.id, refusal);
    }
    return refusals;
  }

  return { showBatch, undoAll };
}

function reject(): never {
  throw new HttpError(404, 'There is no such change.');
}

/** By their names. */
interface Made {
  readonly fields: readonly string[];
  readonly kinds: readonly string[];
}

function describeUndone({ undone, left, rest }: UndoneBatch, { fields, kinds }: Made): string {
  const were = `${formatCount(undone, 'change was', 'changes were')} undone.`;
  const stay = `${formatCount(left.length, 'item was', 'items were')} left unchanged: see why below.`;
  const more = `${formatCount(rest, 'older change is', 'older changes are')} left: undo the rest to go on.`;
  const made = [...describeMade('field', fields), ...describeMade('kind', kinds)];
  return [
    ...[were, left.length === 0 ? '' : stay, rest === 0 ? '' : more],
    ...(rest > 0 ? [] : made),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function describeMade(what: string, labels: readonly string[]): readonly string[] {
  const names = labels.map((label) => `“${label}”`).join(', ');
  if (labels.length === 0) return [];
  return labels.length === 1
    ? [`The ${what} ${names}, which it has made, stays: an administrator can remove it.`]
    : [`The ${what}s ${names}, which it has made, stay: an administrator can remove them.`];
}
