/** What a change of several items did, in one message for the user. */
import { formatNumber } from '../../site/format.ts';
import { capitalize, describeOperation } from '../events/batch-text.ts';
import type { BatchOperation } from '../events/batches.ts';
import { describeLoan } from '../events/event-text.ts';
import type { StoredItem } from '../stored-item.ts';
import type { ChangedMany } from './change-many.ts';

const ALREADY: Readonly<
  Partial<Record<BatchOperation['kind'], readonly [one: string, many: string]>>
> = {
  moved: ['is there already', 'are there already'],
  tagged: ['has the tag already', 'have the tag already'],
  untagged: ['does not have the tag', 'do not have the tag'],
  returned: ['is not lent', 'are not lent'],
  counted: ['is stored as you counted it', 'are stored as you counted them'],
};

/**
 * The message after the operation: how many items were changed, and which were not. `none` are returned items of which
 * there are none: they were counted, taken or edited while somebody had them.
 */
export function describeDone(
  operation: BatchOperation,
  { changed, same, refused, missing }: ChangedMany,
  none: readonly StoredItem[] = [],
): string {
  const done =
    changed === 0 ? 'Nothing was changed' : capitalize(describeOperation(operation, changed));
  const [is, are] = ALREADY[operation.kind] ?? ['needs no change', 'need no change'];
  return [
    `${done}.`,
    same.length === 0 ? '' : `${nameItems(same)} ${same.length === 1 ? is : are}.`,
    refused.length === 0 ? '' : `${nameItems(refused)} ${refusedText(operation, refused)}.`,
    none.length === 0 ? '' : `The quantity of ${nameItems(none)} is 0: set it if that is wrong.`,
    missing.length === 0
      ? ''
      : `${list(missing.map((number) => `No. ${number}`))} ${missing.length === 1 ? 'was' : 'were'} deleted meanwhile.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function refusedText({ kind }: BatchOperation, refused: readonly StoredItem[]): string {
  const count = refused.length;
  const [first] = refused;
  if (kind === 'lent')
    return first?.loan && count === 1
      ? `is lent already, to ${describeLoan(first.loan)}`
      : 'are lent already';
  if (kind === 'returned') return `${count === 1 ? 'was' : 'were'} lent again meanwhile`;
  if (kind === 'counted')
    return `${count === 1 ? 'was' : 'were'} changed meanwhile: choose which number is right`;
  if (kind === 'renamed') return 'stayed: the new location would be longer than 120 characters';
  return `${count === 1 ? 'has' : 'have'} as many tags as an item can have`;
}

function nameItems(items: readonly Pick<StoredItem, 'name'>[]): string {
  return list(items.map(({ name }) => `“${name}”`));
}

/** Names in a sentence. Further ones are counted, because a message has at most 500 characters. */
const MAX_NAMED = 2;

function list(names: readonly string[]): string {
  const shown = names.length <= MAX_NAMED + 1 ? names : names.slice(0, MAX_NAMED);
  const rest = names.length - shown.length;
  const all = rest === 0 ? shown : [...shown, `${formatNumber(rest)} others`];
  const last = all.at(-1) ?? '';
  return all.length < 2 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
}
