/** What the history is filtered by: a few kinds that people look for, each with the kinds of events and batches. */
import type { Schema } from '../../database/schema.ts';

export const HISTORY_KINDS = {
  added: 'Added',
  changed: 'Changed',
  counted: 'Taken or added',
  lent: 'Lent',
  returned: 'Returned',
  deleted: 'Deleted',
  restored: 'Restored',
  removed: 'Removed for ever',
} as const;

export type HistoryKind = keyof typeof HISTORY_KINDS;

export const EVENT_KINDS: Readonly<Record<Schema['item_events']['kind'], HistoryKind>> = {
  added: 'added',
  changed: 'changed',
  files: 'changed',
  counted: 'counted',
  lent: 'lent',
  returned: 'returned',
  deleted: 'deleted',
  restored: 'restored',
  removed: 'removed',
  'value removed': 'removed',
};

export const BATCH_KINDS: Readonly<Record<Schema['batches']['kind'], HistoryKind>> = {
  moved: 'changed',
  tagged: 'changed',
  untagged: 'changed',
  renamed: 'changed',
  merged: 'changed',
  set: 'changed',
  // As its events, which set quantities.
  counted: 'changed',
  undone: 'changed',
  'place changed': 'changed',
  'place pictured': 'changed',
  'places added': 'added',
  'place removed': 'deleted',
  lent: 'lent',
  returned: 'returned',
  deleted: 'deleted',
  imported: 'added',
};
