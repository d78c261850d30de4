/** What a scan does: the mode, and the place or the person that it is for. The address of the page has both. */
import type { KyselyTransaction } from '../../database/kysely.ts';
import { formatNumber } from '../../site/format.ts';
import type { BatchOperation } from '../events/batches.ts';
import type { ItemState } from '../events/item-changes.ts';
import { addLoan, hereOf, listBorrowers } from '../loan.ts';
import { readText } from '../read-item-query.ts';
import { changeMany } from '../select/change-many.ts';
import { describeDone } from '../select/describe-done.ts';
import type { StoredItem } from '../stored-item.ts';

const MODES = ['open', 'count', 'move', 'lend', 'return'] as const;
export type Mode = (typeof MODES)[number];

export interface Scanning {
  readonly mode: Mode;
  /** Where to, in the mode `move`. */
  readonly place: string;
  /** Who has it then, in the mode `lend`. */
  readonly to: string;
}

export function readScanning(query: URLSearchParams): Scanning {
  const asked = query.get('mode');
  const mode = MODES.find((one) => one === asked) ?? 'open';
  return {
    mode,
    place: mode === 'move' ? readText(query, 'place').slice(0, 120) : '',
    to: mode === 'lend' ? readText(query, 'to').slice(0, 120) : '',
  };
}

/** Whether the place or the person is missing that the mode needs. */
export function lacksTarget({ mode, place, to }: Scanning): boolean {
  return (mode === 'move' && place === '') || (mode === 'lend' && to === '');
}

export interface Scan {
  readonly number: number;
  /** In the mode `count`: null adds one. */
  readonly counted: number | null;
  readonly author: number;
}

export interface Scanned {
  /** Null when nothing was changed. */
  readonly batch: number | null;
  readonly message: string;
}

/** Changes the thing, as a batch of one, whose Undo is that of the history. */
export async function carryOutScan(
  transaction: KyselyTransaction,
  scanning: Scanning & { readonly mode: Exclude<Mode, 'open'> },
  { number, counted, author }: Scan,
): Promise<Scanned> {
  let before: StoredItem | undefined;
  const operation = operationOf(scanning);
  const done = await changeMany(
    transaction,
    [number],
    (item) => {
      before = item;
      return changeOf(scanning, item, counted);
    },
    { author, operation },
  );
  const { batch } = done;
  if (before === undefined) return { batch, message: describeDone(operation, done) };
  return {
    batch,
    message: tell(scanning, before, { counted, isRefused: done.refused.length > 0 }),
  };
}

function operationOf({ mode, place, to }: Scanning): BatchOperation {
  if (mode === 'move') return { kind: 'moved', location: place };
  if (mode === 'lend') return { kind: 'lent', to, until: null };
  return { kind: mode === 'return' ? 'returned' : 'counted' };
}

/** Null for what cannot be done. */
function changeOf(
  { mode, place, to }: Scanning,
  item: StoredItem,
  counted: number | null,
): ItemState | null {
  const { loans, quantity } = item;
  if (mode === 'move') return { ...item, location: place };
  if (mode === 'count') return { ...item, quantity: counted ?? quantity + 1 };
  if (mode === 'return') {
    const [oldest, ...others] = loans;
    if (oldest === undefined) return item;
    return borrowersOf(item).size > 1 ? null : { ...item, loans: others };
  }
  if (hereOf(item) === 0) return null;
  const at = new Date().toISOString();
  return { ...item, loans: addLoan(loans, { to, until: null, at, quantity: 1 }) };
}

function borrowersOf({ loans }: Pick<StoredItem, 'loans'>): ReadonlySet<string> {
  return new Set(loans.map(({ to }) => to));
}

/** One sentence, which begins with the thing. */
function tell(
  { mode, place, to }: Scanning,
  item: StoredItem,
  { counted, isRefused }: { counted: number | null; isRefused: boolean },
): string {
  const thing = `“${item.name}”`;
  const { quantity, loans } = item;
  const names = listBorrowers(loans.map((loan) => loan.to));
  switch (mode) {
    case 'move':
      return item.location === place
        ? `${thing} is in ${place} already.`
        : `${thing} is in ${place} now.`;
    case 'count': {
      const after = counted ?? quantity + 1;
      if (isRefused)
        return `${thing}: ${formatNumber(quantity)}. More than ${formatNumber(after)} are lent.`;
      return after === quantity
        ? `${thing}: ${formatNumber(quantity)}, as it was stored.`
        : `${thing}: ${formatNumber(after)}. Before: ${formatNumber(quantity)}.`;
    }
    case 'lend':
      if (!isRefused) return `${to} has ${thing} now.`;
      return names === ''
        ? `There is no ${thing} to lend.`
        : `${thing} is lent already, to ${names}.`;
    case 'return':
      if (isRefused) return `${thing} is lent to ${names}: return it on its page.`;
      return names === '' ? `${thing} is not lent.` : `${thing} is back from ${names}.`;
    default:
      return thing;
  }
}
