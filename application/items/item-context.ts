/** What the handlers of one item, and of one event of its history, find in the context. */
import { createFormHandlers } from 'seeother';
import type { PageContext, UserContext } from '../site/contexts.ts';

export interface ItemParams {
  readonly params: { readonly number: number };
}

export type ItemContext = UserContext & ItemParams;

export type EventContext = ItemContext & { readonly params: { readonly event: number } };

export const itemFormHandlers = createFormHandlers<ItemContext>();

export const eventFormHandlers = createFormHandlers<EventContext>();

/** Of a file of an item. */
export interface FileParams {
  readonly params: { readonly number: number; readonly file: number };
}

/** The page of a file is for all who read the item, its form for those who may change it. */
export const fileFormHandlers = createFormHandlers<
  PageContext & FileParams,
  UserContext & FileParams
>();
