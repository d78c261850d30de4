/** Edits an item. If it was changed meanwhile, a page shows both versions to choose from. */
import { type FilledForm, HttpError, page, type Response } from 'seeother';
import type { KyselyTransaction } from '../../database/kysely.ts';
import { itemHref } from '../../links.ts';
import type { Definitions } from '../../own-fields/definitions.ts';
import { toViewer } from '../../site/layout.ts';
import { storedForBack } from '../../site/stored-for-back.ts';
import { bringBackItem } from '../delete/delete-items.ts';
import { refuseChange } from '../events/change-item.ts';
import { toRefusal } from '../events/change-refused.ts';
import { describeLentLimit } from '../events/event-text.ts';
import { stateBefore, withFieldsOf } from '../events/item-changes.ts';
import type { History } from '../events/item-events.ts';
import type { Suggest } from '../facets/suggestions.ts';
import { addFiles, type MakeLater } from '../files/change-files.ts';
import { checkFiles, tooManyFiles } from '../files/check-files.ts';
import type { Items } from '../item.ts';
import { type ItemContext, itemFormHandlers } from '../item-context.ts';
import { EMPTY_ITEM, ITEM_FIELDS, type ItemInput } from '../item-fields.ts';
import { toItemText } from '../item-form.ts';
import type { Item } from '../item-rows.ts';
import type { ShowMissingItem } from '../missing/missing-item.ts';
import {
  areFieldsChanged,
  createOwnForm,
  FIELDS_CHANGED,
  ownNames,
  toOwnInput,
  toOwnText,
} from '../own-form.ts';
import { parseNumber } from '../parse-number.ts';
import { readListPlace } from '../read-item-query.ts';
import { chosenOf, type EditFields, type EditValues, editForm, editFormWith } from './edit-form.ts';
import { editItem } from './edit-item.ts';
import { itemConflictPage } from './item-conflict-page.ts';
import { itemEditPage } from './item-edit-page.ts';

export interface EditOptions {
  readonly items: Items;
  readonly history: History;
  readonly showMissingItem: ShowMissingItem;
  readonly suggest: Suggest;
  readonly makeLater: MakeLater;
}

export function createEditController(options: EditOptions) {
  const { items, history, showMissingItem, suggest, makeLater } = options;

  const edit = itemFormHandlers(createOwnForm(items, editFormWith), {
    name: 'editItem',
    base: editForm,
    async load({ params }) {
      // Reads the revision, which tells that of the definitions.
      const suggestions = await suggest();
      const item = await items.find(params.number);
      return { item, suggestions, known: await items.definitions.known() };
    },
    fill: ({ item, known }) =>
      item === null
        ? {}
        : { ...toItemText(item), ...toOwnText(known, item), version: String(item.version) },
    check: checkFiles,
    async show({ item, suggestions, known, form, errors, isSent, isDraft, ...context }) {
      if (item === null && !isSent) return showMissingItem(context);
      return itemEditPage({
        viewer: toViewer(context),
        number: context.params.number,
        place: readListPlace(context.request.query),
        name: item?.name ?? 'the item',
        form: isDraft && item !== null ? withCurrent(form, item, known) : form,
        errors,
        isDraft,
        suggestions,
      });
    },
    async act({ once, form, values, ...context }) {
      const { number } = context.params;
      const author = context.session.user.id;
      const version = parseNumber(values.version) ?? 0;
      const fields = [...ITEM_FIELDS, ...ownNames(form)];
      const keep = fields.filter((field) => chosenOf(values, field) === 'theirs');
      try {
        return await once(async (transaction) => {
          if (values.button === 'restore') await restoreUnlessThere(transaction, number, author);
          const change = { input: toInput(values, form), version, fields, keep };
          const isChanged = await editItem(transaction, number, change, author);
          if (isChanged && (await areFieldsChanged(transaction, form)))
            refuseChange({ kind: 'fields' });
          const { files: sent } = values;
          if (sent.length > 0) await addFiles(transaction, number, sent, { author, makeLater });
          const message =
            isChanged || sent.length > 0 ? 'The changes were saved.' : 'Nothing was changed.';
          return { path: itemHref(number, readListPlace(context.request.query)), message };
        });
      } catch (error) {
        const refusal = toRefusal(error);
        if (refusal.kind === 'fields') return FIELDS_CHANGED;
        if (refusal.kind === 'many files') return tooManyFiles(refusal);
        if (refusal.kind !== 'lent') return showConflict(context, form, values);
        const message = describeLentLimit(refusal.item);
        return { errors: [{ field: 'quantity', message }], status: 409 };
      }
    },
  });

  async function showConflict(
    context: ItemContext,
    form: FilledForm<EditFields>,
    values: EditValues,
  ): Promise<Response<409>> {
    const { number } = context.params;
    const item = await items.find(number);
    const deletion = item === null ? await history.findDeletion(number) : null;
    const theirs = item ?? deletion?.deleted ?? null;
    if (theirs === null)
      throw new HttpError(404, `There is no item ${number} any more, and it cannot be restored.`);
    const version = parseNumber(values.version) ?? theirs.version;
    const { events } = await history.ofItem(number, MAX_STEPS);
    const since = events.filter((event) => event.version > version).map(({ changes }) => changes);
    const base = stateBefore(theirs, since);
    const fields = [...ITEM_FIELDS, ...ownNames(form)];
    const chosen = fields.filter((field) => chosenOf(values, field) === 'theirs');
    // What is not in the form stays as it is.
    const typed = withFieldsOf(theirs, toInput(values, form), fields);
    const conflict = itemConflictPage({
      viewer: toViewer(context),
      number,
      place: readListPlace(context.request.query),
      form,
      errors: [],
      // Where the user has already chosen the other value on such a page, it is not a change of their own.
      mine: withFieldsOf(typed, base, chosen),
      theirs,
      base,
      isDeleted: item === null,
      by: item?.updatedBy ?? deletion?.by ?? null,
      at: item?.updatedAt ?? deletion?.at ?? new Date(),
    });
    return storedForBack(page(conflict, 409));
  }

  return { edit };
}

/** Changes since the form was opened that are read. With more, only the preselected choices may be wrong. */
const MAX_STEPS = 1_000;

async function restoreUnlessThere(transaction: KyselyTransaction, number: number, author: number) {
  try {
    await bringBackItem(transaction, number, author);
  } catch (error) {
    if (toRefusal(error).kind !== 'already undone') throw error;
  }
}

function toInput(values: EditValues, form: FilledForm<EditFields>): ItemInput {
  const own = toOwnInput(values, ownNames(form));
  return { ...withFieldsOf(EMPTY_ITEM, { ...EMPTY_ITEM, ...values, ...own }, ITEM_FIELDS), ...own };
}

/** Replaces fields for which the user had chosen the other value by the current one. */
function withCurrent(
  draft: FilledForm<EditFields>,
  item: Item,
  definitions: Definitions,
): FilledForm<EditFields> {
  if (draft.text.version !== String(item.version)) return draft;
  const fields = [...ITEM_FIELDS, ...ownNames(draft)];
  const chosen = fields.filter((field) => chosenOf(draft.text, field) === 'theirs');
  const current: Readonly<Record<string, unknown>> = {
    ...toItemText(item),
    ...toOwnText(definitions, item),
  };
  const text = Object.fromEntries(chosen.map((field) => [field, current[field] ?? '']));
  return { ...draft, text: { ...draft.text, ...text } };
}
