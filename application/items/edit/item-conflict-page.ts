/**
 * The page for an edit of an item that somebody else has changed or deleted meanwhile. For each field that
 * differs, the user chooses between the two values. The form holds everything that was typed, so nothing is
 * lost, and the version that the page shows.
 */
import {
  type FilledForm,
  type FormError,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
  trustedHtml,
} from 'seeother';
import { editHref, historyHref, itemHref, type ListPlace } from '../../links.ts';
import { type Definitions, NO_DEFINITIONS } from '../../own-fields/definitions.ts';
import type { OwnValue } from '../../own-fields/own-field.ts';
import { timeElement } from '../../site/format.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import { fieldLabel, fieldValue } from '../events/event-text.ts';
import {
  fieldOf,
  fieldsThatDiffer,
  type ItemStateField,
  isOwnName,
} from '../events/item-changes.ts';
import { ITEM_FIELDS, type ItemInput } from '../item-fields.ts';
import { toItemText } from '../item-form.ts';
import { ownNames, shownFields, showOwn, toOwnText } from '../own-form.ts';
import type { EditFields } from './edit-form.ts';
import { editAction } from './item-edit-page.ts';

export interface ItemConflictView {
  readonly viewer: Viewer;
  readonly number: number;
  readonly place: ListPlace;
  readonly form: FilledForm<EditFields>;
  readonly errors: readonly FormError<EditFields>[];
  /** What the user wants to save. */
  readonly mine: ItemInput;
  /** The item as it is now, or as it was when it was deleted. */
  readonly theirs: ItemInput & { readonly version: number };
  /** The item as the form showed it. */
  readonly base: ItemInput;
  readonly isDeleted: boolean;
  /** Who has changed or deleted it last, and when. */
  readonly by: string | null;
  readonly at: Date;
}

export function itemConflictPage(view: ItemConflictView): Html {
  const { viewer, number, place, form, mine, theirs, isDeleted, by, at } = view;
  const title = isDeleted
    ? `${theirs.name} was deleted meanwhile`
    : `${theirs.name} was changed meanwhile`;
  const definitions = shownFields(form)?.definitions ?? NO_DEFINITIONS;
  const fields: readonly ItemStateField[] = [...ITEM_FIELDS, ...ownNames(form)];
  const differing = fieldsThatDiffer(mine, theirs).filter((field) => fields.includes(field));
  const text: Readonly<Record<string, OwnValue>> = {
    ...toItemText(mine),
    ...toOwnText(definitions, mine),
  };
  const typed: Readonly<Record<string, OwnValue | undefined>> = { ...form.text };
  const hidden = (name: string, value: OwnValue) =>
    html`${[value].flat().map((one) => html`<input type="hidden" name="${name}" value="${one}">\n`)}`;
  return layout({
    title: formTitle(`${title} – Items`, form),
    viewer,
    section: 'items',
    main: html`<h1>${title}</h1>
<p>${by === viewer?.name ? 'You' : (by ?? 'Somebody')} ${isDeleted ? 'deleted' : 'changed'} it on ${timeElement(at)}, after you opened this form. <strong>Your changes are not saved yet.</strong></p>
${differing.length === 0 ? null : html`<p>Choose what to save where the two differ.</p>`}
${formTag(
  form,
  html`${hidden('version', String(theirs.version))}
${fields.map((field) => hidden(field, (differing.includes(field) ? typed : text)[field] ?? ''))}
${differing.map((field) => choiceOf(field, definitions, view))}
${formField(form, 'files')}
<div class="actions"><button name="button" value="${isDeleted ? 'restore' : 'save'}">${isDeleted ? 'Restore and save' : 'Save changes'}</button> ${isDeleted ? null : html`<a href="${editHref(number, place)}">Discard my changes</a> `}<a href="${isDeleted ? historyHref(number) : itemHref(number, place)}">${isDeleted ? 'Show what happened' : 'Show the item'}</a></div>
`,
  { action: editAction(number, place), class: 'form' },
)}`,
  });
}

/** What only one of the two has changed is chosen already. */
function choiceOf(
  field: ItemStateField,
  definitions: Definitions,
  { mine, theirs, base }: ItemConflictView,
): Html {
  const own = field === 'kind' || isOwnName(field) ? field : null;
  const show = (item: ItemInput) =>
    own === null ? fieldValue(fieldOf(item, field)) : showOwn(definitions, own, item) || '–';
  const label = isOwnName(field)
    ? definitions.allFields.get(Number(field.slice(4)))?.label
    : fieldLabel(field);
  const isOnlyTheirs = fieldsThatDiffer(mine, base).includes(field) === false;
  const isOnlyMine = fieldsThatDiffer(theirs, base).includes(field) === false;
  const option = (value: 'theirs' | 'mine', label: string, item: ItemInput, isChosen: boolean) => {
    const id = `choose_${field}-${value}`;
    return html`<div class="checkbox choice"><input type="radio" id="${id}" name="choose_${field}" value="${value}"${isChosen ? trustedHtml(' checked') : null}> <label for="${id}">${label}: <span class="value">${show(item)}</span></label></div>\n`;
  };
  return html`<fieldset class="field">
<legend>${label}</legend>
${isOnlyTheirs || isOnlyMine ? null : html`<p class="hint">You both changed this.</p>\n`}${option('mine', 'Yours', mine, !isOnlyTheirs)}${option('theirs', 'Theirs', theirs, isOnlyTheirs)}</fieldset>\n`;
}
