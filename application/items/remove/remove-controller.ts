/** Administrators remove a deleted item or an old value for ever. Nothing of what is removed is logged. */
import {
  type FormAction,
  type Handler,
  HttpError,
  page,
  type Response,
  refuse,
  type StatusOf,
  statusOf,
} from 'seeother';
import { historyHref, href } from '../../links.ts';
import type { LogSecurity } from '../../settings/security-log.ts';
import type { UserContext, WritingContext } from '../../site/contexts.ts';
import { toViewer } from '../../site/layout.ts';
import { ChangeRefused } from '../events/change-refused.ts';
import { REMOVED_VALUES } from '../events/event-text.ts';
import type { History, ItemEvent } from '../events/item-events.ts';
import type { ItemParams, ShowMissingItem } from '../missing/missing-item.ts';
import type { RemoveValueFields } from './remove-forms.ts';
import { removeItemPage, removeValuePage } from './remove-pages.ts';
import { removeItemForEver, removeOldValue } from './remove-values.ts';

export interface RemoveOptions {
  readonly history: History;
  readonly showMissingItem: ShowMissingItem;
  readonly logSecurity: LogSecurity;
}

type EventParams = { readonly params: { readonly number: number; readonly event: number } };

export function createRemoveController(options: RemoveOptions) {
  const { history, showMissingItem, logSecurity } = options;

  const showRemoveItem: Handler<UserContext & ItemParams> = async (context) => {
    const deletion = await history.findDeletion(context.params.number);
    if (deletion?.kind !== 'deleted') return showMissingItem(context);
    return page(removeItemPage({ viewer: toViewer(context), deletion }));
  };

  const removeItem: Handler<WritingContext & ItemParams, Response<303 | 404>> = async (context) => {
    const { once, params, request, session } = context;
    const { number } = params;
    // Stays false if an earlier copy of the form was carried out.
    let isRemoved = false;
    const answer = await once(async (transaction) => {
      await removeItemForEver(transaction, number, session.user.id);
      isRemoved = true;
      return { path: href('/items/bin'), message: `Item ${number} was removed for ever.` };
    }).catch((error: unknown) => {
      const isMissing = error instanceof ChangeRefused && error.refusal.kind === 'missing';
      return isMissing ? showMissingItem(context) : explain(error, 'Delete the item first.');
    });
    if (isRemoved)
      logSecurity('item removed for ever', request, session.user.name, `item ${number}`);
    return answer;
  };

  async function showRemoveValue<C extends UserContext & EventParams>(
    context: C,
  ): Promise<Response<StatusOf<C>>> {
    const { number, event: id } = context.params;
    const event = await requireEvent(number, id);
    return page(removeValuePage({ viewer: toViewer(context), event }), statusOf(context));
  }

  const removeValue: FormAction<RemoveValueFields, WritingContext & EventParams> = async (
    context,
    next,
  ) => {
    const { once, params, request, session, validation } = context;
    if (!validation.valid) return next(refuse(context));
    const { value: kind } = validation.values;
    const { number, event: id } = params;
    await requireEvent(number, id);
    let isRemoved = false;
    const answer = await once(async (transaction) => {
      await removeOldValue(transaction, number, id, kind, session.user.id);
      isRemoved = true;
      const message = `You removed ${REMOVED_VALUES[kind]} for ever.`;
      return { path: historyHref(number), message };
    }).catch((error: unknown) => explain(error, 'The item still has this value. Change it first.'));
    if (isRemoved)
      logSecurity('old value removed', request, session.user.name, `item ${number}, ${kind}`);
    return answer;
  };

  async function requireEvent(number: number, id: number): Promise<ItemEvent> {
    const event = await history.find(number, id);
    if (event === null) throw new HttpError(404, 'There is no such change.');
    return event;
  }

  return { showRemoveItem, removeItem, showRemoveValue, removeValue };
}

const REASONS: Readonly<Partial<Record<ChangeRefused['refusal']['kind'], string>>> = {
  gone: 'There is nothing to remove: it was removed before.',
  missing:
    'The item is deleted. Remove the item for ever with its history, or restore it first to remove one value.',
};

function explain(error: unknown, stillThere: string): never {
  if (!(error instanceof ChangeRefused)) throw error;
  throw new HttpError(409, REASONS[error.refusal.kind] ?? stillThere);
}
