/** Operations on several items, in words. */
import type { Href } from 'seeother';
import { undoBatchAction } from '../../links.ts';
import { formatCount, formatNumber } from '../../site/format.ts';
import type { ChangedMany } from '../select/change-many.ts';
import type { StoredItem } from '../stored-item.ts';
import type { BatchOperation, RecordedOperation } from './batches.ts';

/** Without the user's name: "moved 7 items to Cellar". */
export function describeOperation(operation: RecordedOperation, count: number): string {
  const items = formatCount(count, 'item', 'items');
  switch (operation.kind) {
    case 'moved':
      return `moved ${items}${operation.location === undefined ? '' : ` to ${operation.location}`}`;
    case 'tagged':
      return `tagged ${items}${operation.tag === undefined ? '' : ` “${operation.tag}”`}`;
    case 'untagged':
      return operation.tag === undefined
        ? `removed a tag from ${items}`
        : `removed the tag “${operation.tag}” from ${items}`;
    case 'deleted':
      return `deleted ${items}`;
    case 'renamed':
      if (operation.what === undefined) return `renamed a location or a tag on ${items}`;
      return `renamed the ${operation.what} “${operation.from}” to “${operation.to}” on ${items}`;
    case 'imported':
      return `imported ${items}${operation.file === undefined ? '' : ` from ${operation.file}`}`;
    case 'undone':
      return `undid ${formatCount(count, 'change', 'changes')}`;
  }
}

export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const ALREADY: Readonly<
  Partial<Record<BatchOperation['kind'], readonly [one: string, many: string]>>
> = {
  moved: ['is there already', 'are there already'],
  tagged: ['has the tag already', 'have the tag already'],
  untagged: ['does not have the tag', 'do not have the tag'],
};

/** The redirect of a form with its message, and Undo if there is a batch. */
export function withUndo(batch: number | null, path: Href, message: string) {
  if (batch === null) return { path, message };
  return { path, message, action: { label: 'Undo', path: undoBatchAction(batch) } };
}

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
    refused.length === 0 ? '' : `${nameItems(refused)} ${refusedText(operation, refused.length)}.`,
    missing.length === 0
      ? ''
      : `${list(missing.map((number) => `No. ${number}`))} ${missing.length === 1 ? 'was' : 'were'} deleted meanwhile.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function refusedText({ kind }: BatchOperation, count: number): string {
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
