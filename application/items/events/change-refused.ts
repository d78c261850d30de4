/**
 * Why a change of an item was not made. It is thrown so that the transaction rolls back: the change, its event
 * and the receipt of the form are written together or not at all.
 */
import type { Lendable } from '../loan.ts';
import type { RecordedField } from './item-changes.ts';

export type Refusal =
  /** There is no such item; it may be in the bin. */
  | { readonly kind: 'missing' }
  /** The item was changed since the version that the form shows. */
  | { readonly kind: 'conflict' }
  /** The new quantity would be out of range; the current one is `quantity`. */
  | { readonly kind: 'quantity'; readonly quantity: number }
  /** These fields no longer have the value that the change gave them. */
  /** The definitions of the form's fields were changed while it was sent. */
  | { readonly kind: 'fields' }
  | { readonly kind: 'changed since'; readonly fields: readonly (RecordedField | 'files')[] }
  /** More would be lent than there is of the item. */
  | { readonly kind: 'lent'; readonly item: Lendable }
  /** The item would have more files than it can have; there is room for `room`. */
  | { readonly kind: 'many files'; readonly room: number }
  /** The loan has ended, or has fewer by now. */
  | { readonly kind: 'returned' }
  /** The place was renamed, moved or removed again. */
  | { readonly kind: 'place changed since' }
  /** There is another place of the name that the place would get back. */
  | { readonly kind: 'place taken'; readonly path: string }
  /** The change was undone before. */
  | { readonly kind: 'already undone' }
  /** There is no such event, or what was there before was removed for ever. */
  | { readonly kind: 'gone' }
  /** The item has the value that is to be removed for ever, or is not deleted. */
  | { readonly kind: 'still there' };

export class ChangeRefused extends Error {
  override readonly name = 'ChangeRefused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`The item was not changed: ${refusal.kind}.`);
    this.refusal = refusal;
  }
}

/** Why a change was refused. Throws any other error again. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof ChangeRefused) return error.refusal;
  throw error;
}
