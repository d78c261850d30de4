/** Operations on several items, in words. */
import type { Href } from 'seeother';
import { undoBatchAction } from '../../links.ts';
import { formatCount } from '../../site/format.ts';
import type { RecordedOperation } from './batches.ts';
import { describeLoan } from './event-text.ts';

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
    case 'lent': {
      const { to, until = null } = operation;
      return `lent ${items}${to === undefined ? '' : ` to ${describeLoan({ to, until })}`}`;
    }
    case 'returned':
      return `marked ${items} as returned${operation.from === undefined ? '' : ` by ${operation.from}`}`;
    case 'counted':
      return `corrected the quantity of ${items}`;
    case 'deleted':
      return `deleted ${items}`;
    case 'renamed':
      if (operation.what === undefined) return `renamed a location or a tag on ${items}`;
      return `renamed the ${operation.what} “${operation.from}” to “${operation.to}” on ${items}`;
    case 'merged':
      if (operation.what === undefined) return `merged values on ${items}`;
      return `merged the ${operation.what} “${operation.from}” into “${operation.to}” on ${items}`;
    case 'set': {
      const { field, to } = operation;
      if (field === undefined || to === undefined) return `set a field of ${items}`;
      return to === '' ? `emptied “${field}” of ${items}` : `set “${field}” of ${items} to “${to}”`;
    }
    case 'imported':
      return `imported ${items}${operation.file === undefined ? '' : ` from ${operation.file}`}`;
    case 'places added': {
      const { path, places = 1 } = operation;
      if (places > 1 || path === undefined)
        return `added ${formatCount(places, 'place', 'places')}`;
      return `added the place “${path}”`;
    }
    case 'place changed': {
      const { from, to, isMerged } = operation;
      const moved = count === 0 ? '' : ` with ${items}`;
      if (from === undefined || to === undefined) return `renamed a place${moved}`;
      return isMerged
        ? `merged the place “${from}”${moved} into “${to}”`
        : `renamed the place “${from}”${moved} to “${to}”`;
    }
    case 'place removed':
      return operation.path === undefined
        ? 'removed a place'
        : `removed the place “${operation.path}”`;
    case 'place pictured': {
      const { path, how = 'replaced' } = operation;
      const place = path === undefined ? 'a place' : `the place “${path}”`;
      return how === 'added' ? `added a picture to ${place}` : `${how} the picture of ${place}`;
    }
    case 'undone':
      return `undid ${formatCount(count, 'change', 'changes')}`;
    default:
      // A newer version, which runs beside this one, has further operations.
      operation satisfies never;
      return `changed ${items}`;
  }
}

export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The redirect of a form with its message, and Undo if there is a batch. */
export function withUndo(batch: number | null, path: Href, message: string) {
  if (batch === null) return { path, message };
  return { path, message, action: { label: 'Undo', path: undoBatchAction(batch) } };
}
