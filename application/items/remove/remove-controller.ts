/** Administrators remove a deleted item or an old value for ever. Nothing of what is removed is logged. */
import { HttpError } from 'seeother';
import { historyHref, href, itemHref } from '../../links.ts';
import type { LogSecurity } from '../../settings/security-log.ts';
import { buttonForm } from '../../site/button-form.ts';
import { toViewer } from '../../site/layout.ts';
import { NOT_STORED } from '../../site/stored-for-back.ts';
import { type Refusal, toRefusal } from '../events/change-refused.ts';

import type { History, ItemEvent } from '../events/item-events.ts';
import { nameOfRemoved } from '../events/old-values.ts';
import { eventFormHandlers, fileFormHandlers, itemFormHandlers } from '../item-context.ts';
import type { ItemFiles } from '../item-files.ts';
import type { ShowMissingItem } from '../missing/missing-item.ts';
import { removeFileForEver } from './remove-file.ts';
import { removeValueForm } from './remove-forms.ts';
import { removeFilePage, removeItemPage, removeValuePage } from './remove-pages.ts';
import { removeItemForEver, removeOldValue } from './remove-values.ts';

export interface RemoveOptions {
  readonly history: History;
  readonly itemFiles: ItemFiles;
  readonly showMissingItem: ShowMissingItem;
  readonly logSecurity: LogSecurity;
}

export function createRemoveController(options: RemoveOptions) {
  const { history, itemFiles, showMissingItem, logSecurity } = options;

  const removeItem = itemFormHandlers(buttonForm, {
    name: 'removeItem',
    page: '/items/:number<int>',
    headers: NOT_STORED,
    async show({ form, errors, ...context }) {
      const deletion = await history.findDeletion(context.params.number);
      if (deletion?.kind !== 'deleted') return showMissingItem(context);
      return removeItemPage({ viewer: toViewer(context), form, errors, deletion });
    },
    async act({ once, ...context }) {
      const { params, request, session } = context;
      const { number } = params;
      // Stays false if an earlier copy of the form was carried out.
      let isRemoved = false;
      try {
        const answer = await once(async (transaction) => {
          await removeItemForEver(transaction, number, session.user.id);
          isRemoved = true;
          return { path: href('/items/bin'), message: `Item ${number} was removed for ever.` };
        });
        if (isRemoved)
          logSecurity('item removed for ever', request, session.user.name, `item ${number}`);
        return answer;
      } catch (error) {
        const refusal = toRefusal(error);
        if (refusal.kind === 'missing') return showMissingItem(context);
        throw explain(refusal, 'Delete the item first.');
      }
    },
  });

  const removeValue = eventFormHandlers(removeValueForm, {
    name: 'removeValue',
    headers: NOT_STORED,
    async show({ params: { number, event: id }, form, errors, ...context }) {
      const event = await requireEvent(number, id);
      return removeValuePage({ viewer: toViewer(context), form, errors, event });
    },
    async act({ once, params: { number, event: id }, request, session, values }) {
      const { changes } = await requireEvent(number, id);
      let isRemoved = false;
      try {
        const answer = await once(async (transaction) => {
          await removeOldValue(transaction, number, id, values.value, session.user.id);
          isRemoved = true;
          const message = `You removed ${nameOfRemoved(values.value, changes.names)} for ever.`;
          return { path: historyHref(number), message };
        });
        const detail = `item ${number}, ${values.value}`;
        if (isRemoved) logSecurity('old value removed', request, session.user.name, detail);
        return answer;
      } catch (error) {
        throw explain(toRefusal(error), 'The item still has this value. Change it first.');
      }
    },
  });

  const removeFile = fileFormHandlers(buttonForm, {
    name: 'removeFile',
    headers: NOT_STORED,
    async show({ form, errors, ...context }) {
      const { number, file: id } = context.params;
      const file = await itemFiles.find(number, id);
      if (file === null) return showMissingItem(context);
      return removeFilePage({ viewer: toViewer(context), form, errors, file });
    },
    async act({ once, params: { number, file: id }, request, session }) {
      let isRemoved = false;
      try {
        const answer = await once(async (transaction) => {
          await removeFileForEver(transaction, number, id, session.user.id);
          isRemoved = true;
          return { path: itemHref(number), message: 'The file was removed for ever.' };
        });
        const detail = `item ${number}, file ${id}`;
        if (isRemoved) logSecurity('old value removed', request, session.user.name, detail);
        return answer;
      } catch (error) {
        throw explain(toRefusal(error), '');
      }
    },
  });

  async function requireEvent(number: number, id: number): Promise<ItemEvent> {
    const event = await history.find(number, id);
    if (event === null) throw new HttpError(404, 'There is no such change.');
    return event;
  }

  return { removeItem, removeValue, removeFile };
}

const REASONS: Readonly<Partial<Record<Refusal['kind'], string>>> = {
  gone: 'There is nothing to remove: it was removed before.',
  missing:
    'The item is deleted. Remove the item for ever with its history, or restore it first to remove one value.',
};

function explain({ kind }: Refusal, stillThere: string): HttpError {
  return new HttpError(409, REASONS[kind] ?? stillThere);
}
