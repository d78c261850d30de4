/** The old values that an event still holds, and that an administrator can remove. */
import { REMOVABLE_FIELDS } from '../item-fields.ts';
import { isRemoved, type RecordedValue } from './item-changes.ts';
import type { ItemEvent } from './item-events.ts';

/** The kinds of old values that can be removed. */
export const REMOVABLE = [...REMOVABLE_FIELDS, 'loans', 'reason'] as const;

export type Removable = (typeof REMOVABLE)[number];

/** The old value of the kind that the event shows; null if it has none, or it was removed. */
export function oldValueOf(event: ItemEvent, kind: Removable): RecordedValue {
  if (kind === 'reason')
    return event.kind === 'value removed' || event.reason === '' ? null : event.reason;
  const value: RecordedValue = event.changes[kind]?.[0] ?? null;
  return value === null || isRemoved(kind, value) || isEmpty(value) ? null : value;
}

function isEmpty(value: RecordedValue): boolean {
  return (typeof value === 'string' || Array.isArray(value)) && value.length === 0;
}
