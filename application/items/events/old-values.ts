/** The old values that an event still holds, and that an administrator can remove. */
import type { OwnName } from '../../own-fields/own-field.ts';
import { REMOVABLE_FIELDS } from '../item-fields.ts';
import { fieldLabel, REMOVED_VALUES } from './event-text.ts';
import { type ChangeNames, isOwnName, isRemoved, type RecordedValue } from './item-changes.ts';
import type { ItemEvent } from './item-events.ts';

/** The kinds of old values that can be removed, beside those of own fields. */
export const REMOVABLE = [...REMOVABLE_FIELDS, 'loans', 'reason'] as const;

export type Removable = (typeof REMOVABLE)[number] | OwnName;

/** The kinds of old values that the event shows. */
export function removableOf(event: ItemEvent): readonly Removable[] {
  const own = Object.keys(event.changes).filter(isOwnName);
  return [...REMOVABLE, ...own].filter((kind) => oldValueOf(event, kind) !== null);
}

/** What the old value is called, such as “an old name”. */
export function nameOfRemoved(kind: string, names: ChangeNames = {}): string {
  if (!isOwnName(kind)) return REMOVED_VALUES[kind] ?? 'an old value';
  return `an old value of “${fieldLabel(kind, names)}”`;
}

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
