/** What a change of several items did, in one message for the user. */
import { listNames } from '../../site/format.ts';
import { capitalize, describeOperation } from '../events/batch-text.ts';
import type { BatchOperation } from '../events/batches.ts';
import { describeLoan } from '../events/event-text.ts';
import { listBorrowers } from '../loan.ts';
import type { StoredItem } from '../stored-item.ts';
import type { ChangedMany } from './change-many.ts';

const ALREADY: Readonly<
  Partial<Record<BatchOperation['kind'], readonly [one: string, many: string]>>
> = {
  moved: ['is there already', 'are there already'],
  tagged: ['has the tag already', 'have the tag already'],
  untagged: ['does not have the tag', 'do not have the tag'],
  set: ['has this value already', 'have this value already'],
  returned: ['is not lent', 'are not lent'],
  counted: ['is stored as you counted it', 'are stored as you counted them'],
};

/** The message after the operation: how many items were changed, and which were not. */
export function describeDone(
  operation: BatchOperation,
  { changed, same, refused, missing }: ChangedMany,
): string {
  const done =
    changed === 0 ? 'Nothing was changed' : capitalize(describeOperation(operation, changed));
  const [is, are] = ALREADY[operation.kind] ?? ['needs no change', 'need no change'];
  return [
    `${done}.`,
    same.length === 0 ? '' : `${nameItems(same)} ${same.length === 1 ? is : are}.`,
    refused.length === 0 ? '' : `${nameItems(refused)} ${refusedText(operation, refused)}.`,
    missing.length === 0
      ? ''
      : `${listNames(missing.map((number) => `No. ${number}`))} ${missing.length === 1 ? 'was' : 'were'} deleted meanwhile.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function refusedText({ kind }: BatchOperation, refused: readonly StoredItem[]): string {
  const count = refused.length;
  const [first] = refused;
  const [loan, ...others] = first?.loans ?? [];
  if (kind === 'lent' && refused.some(({ loans }) => loans.length === 0))
    return count === 1 ? 'has none to lend' : 'have none to lend';
  if (kind === 'lent' && count > 1) return 'are lent already';
  if (kind === 'lent')
    return `is lent already, to ${loan && others.length === 0 ? describeLoan({ ...loan, quantity: 1 }) : listBorrowers(first?.loans.map(({ to }) => to) ?? [])}`;
  if (kind === 'returned') return `${count === 1 ? 'was' : 'were'} lent again meanwhile`;
  if (kind === 'counted')
    return `${count === 1 ? 'was' : 'were'} changed meanwhile, or more are lent: choose which number is right`;
  if (kind === 'set') return 'stayed: things of their kind do not have this field';
  if (kind === 'renamed') return 'stayed: the new location would be longer than 120 characters';
  return `${count === 1 ? 'has' : 'have'} as many tags as an item can have`;
}

function nameItems(items: readonly Pick<StoredItem, 'name'>[]): string {
  return listNames(items.map(({ name }) => `“${name}”`));
}
