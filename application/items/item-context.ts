/** What the handlers of one item, and of one event of its history, find in the context. */
import { createFormHandlers } from 'seeother';
import type { UserContext } from '../site/contexts.ts';

export interface ItemParams {
  readonly params: { readonly number: number };
}

export type ItemContext = UserContext & ItemParams;

export type EventContext = ItemContext & { readonly params: { readonly event: number } };

export const itemFormHandlers = createFormHandlers<ItemContext>();

export const eventFormHandlers = createFormHandlers<EventContext>();
