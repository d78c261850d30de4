/** The bound parts that rows are filled from. */
import type { BoundPart } from './bound-part.ts';
import { type PasteSource, pasteName } from './paste-fields.ts';

/** The field beside the rows that they are filled from; null without it. */
export function pasteOf({ key, owner }: BoundPart, source: PasteSource): BoundPart | null {
  return owner?.at(pasteName(key, source)) ?? null;
}

/** Whether something was sent for it. */
export function isGiven(field: BoundPart | null): boolean {
  return field?.sent?.entries.some(({ text }) => text.trim() !== '') === true;
}
