/** Edits an item. If it was changed meanwhile, a page shows both versions to choose from. */
import {
  blankForm,
  errorsOf,
  type FilledForm,
  type FormAction,
  type FormContext,
  HttpError,
  page,
  type Response,
  refuse,
  restoreDraft,
  type StatusOf,
  statusOf,
} from 'seeother';
import type { Writing } from '../../database/database.ts';
import { itemHref } from '../../links.ts';
import type { UserContext, WritingContext } from '../../site/contexts.ts';
import { toViewer } from '../../site/layout.ts';
import { storedForBack } from '../../site/stored-for-back.ts';
import { bringBackItem } from '../delete/delete-items.ts';
import { ChangeRefused } from '../events/change-refused.ts';
import { ITEM_FIELDS, stateBefore, withFieldsOf } from '../events/item-changes.ts';
import type { History } from '../events/item-events.ts';
import type { Suggestions } from '../facets/suggestions.ts';
import { toItemText } from '../fill-item-form.ts';
import type { Items } from '../item.ts';
import type { Item, ItemInput } from '../item-rows.ts';
import type { ItemParams, ShowMissingItem } from '../missing/missing-item.ts';
import { parseNumber } from '../parse-number.ts';
import { readListPlace } from '../read-item-query.ts';
import { type EditFields, type EditValues, editForm } from './edit-form.ts';
import { editItem as edit } from './edit-item.ts';
import { itemConflictPage } from './item-conflict-page.ts';
import { itemEditPage } from './item-edit-page.ts';

export interface EditOptions {
  readonly items: Items;
  readonly history: History;
  readonly showMissingItem: ShowMissingItem;
  readonly suggest: () => Promise<Suggestions>;
}

type Editing = UserContext & ItemParams;

export function createEditController(options: EditOptions) {
  const { items, history, showMissingItem, suggest } = options;
  /** The item as it is, the draft from before the log-in, or the sent form with its errors. */
  async function showEditForm<C extends Editing & Partial<FormContext<EditFields>>>(
    context: C,
  ): Promise<Response<StatusOf<C>> | Response<404>> {
    const { number } = context.params;
    const item = await items.find(number);
    const sent = context.form;
    if (item === null && sent === undefined) return showMissingItem(context);
    const draft = sent === undefined && item !== null ? restoreEditDraft(context, item) : null;
    const view = {
      viewer: toViewer(context),
      number,
      place: readListPlace(context.request.query),
      name: item?.name ?? 'the item',
      form: sent ?? draft ?? fillEditForm(item),
      errors: errorsOf(context.validation),
      isDraft: draft !== null,
      suggestions: await suggest(),
    };
    return storedForBack(page(itemEditPage(view), statusOf(context)));
  }

  const editItem: FormAction<EditFields, WritingContext & ItemParams> = async (context, next) => {
    const { once, session, params, validation } = context;
    if (!validation.valid) return next(refuse(context));
    const { values } = validation;
    const { number } = params;
    const author = session.user.id;
    const version = parseNumber(values.version) ?? 0;
    const keep = ITEM_FIELDS.filter((field) => values[`choose_${field}`] === 'theirs');
    try {
      return await once(async (transaction) => {
        if (values.button === 'restore') await restoreUnlessThere(transaction, number, author);
        const change = { input: toInput(values), version, keep };
        const isChanged = await edit(transaction, number, change, author);
        const message = isChanged ? 'The changes were saved.' : 'Nothing was changed.';
        return { path: itemHref(number, readListPlace(context.request.query)), message };
      });
    } catch (error) {
      if (!(error instanceof ChangeRefused)) throw error;
      return showConflict(context, number, values);
    }
  };

  async function showConflict(
    context: Editing & FormContext<EditFields>,
    number: number,
    values: EditValues,
  ): Promise<Response<409>> {
    const item = await items.find(number);
    const deletion = item === null ? await history.findDeletion(number) : null;
    const theirs = item ?? deletion?.deleted ?? null;
    if (theirs === null)
      throw new HttpError(404, `There is no item ${number} any more, and it cannot be restored.`);
    const version = parseNumber(values.version) ?? theirs.version;
    const { events } = await history.ofItem(number, MAX_STEPS);
    const since = events.filter((event) => event.version > version).map(({ changes }) => changes);
    const base = stateBefore(theirs, since);
    const chosen = ITEM_FIELDS.filter((field) => values[`choose_${field}`] === 'theirs');
    return storedForBack(
      page(
        itemConflictPage({
          viewer: toViewer(context),
          number,
          place: readListPlace(context.request.query),
          form: context.form,
          errors: [],
          // Where the user has already chosen the other value on such a page, it is not a change of their own.
          mine: withFieldsOf(toInput(values), base, chosen),
          theirs,
          base,
          isDeleted: item === null,
          by: item?.updatedBy ?? deletion?.by ?? null,
          at: item?.updatedAt ?? deletion?.at ?? new Date(),
        }),
        409,
      ),
    );
  }

  return { showEditForm, editItem };
}

/** Changes since the form was opened that are read. With more, only the preselected choices may be wrong. */
const MAX_STEPS = 1_000;

async function restoreUnlessThere(transaction: Writing, number: number, author: number) {
  try {
    await bringBackItem(transaction, number, author);
  } catch (error) {
    const isThere = error instanceof ChangeRefused && error.refusal.kind === 'already undone';
    if (!isThere) throw error;
  }
}

function toInput(values: EditValues): ItemInput {
  const { name, description, quantity, minimum, location, tags } = values;
  return { name, description, quantity, minimum, location, tags };
}

function fillEditForm(item: Item | null): FilledForm<EditFields> {
  if (item === null) return blankForm(editForm);
  return blankForm(editForm, { ...toItemText(item), version: String(item.version) });
}

/** Replaces fields for which the user had chosen the other value by the current one. */
function restoreEditDraft(context: Editing, item: Item): FilledForm<EditFields> | null {
  const draft = restoreDraft(editForm, context);
  if (draft === null || draft.text.version !== String(item.version)) return draft;
  const chosen = ITEM_FIELDS.filter((field) => draft.text[`choose_${field}`] === 'theirs');
  const current = toItemText(item);
  const text = Object.fromEntries(chosen.map((field) => [field, current[field]]));
  return { ...draft, text: { ...draft.text, ...text } };
}
