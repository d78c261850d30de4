/** The pages on which an administrator removes an item or an old value for ever: what goes, and what stays. */
import {
  errorSummary,
  type FilledForm,
  type FormError,
  formTag,
  formTitle,
  type Html,
  html,
} from 'seeother';
import {
  filePageHref,
  historyHref,
  itemHref,
  removeFileAction,
  removeItemAction,
  removeValueAction,
} from '../../links.ts';
import { timeElement } from '../../site/format.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import {
  describeEvent,
  fieldLabel,
  fieldValue,
  nameOf,
  recordedText,
} from '../events/event-text.ts';
import { isOwnName } from '../events/item-changes.ts';
import type { ItemEvent } from '../events/item-events.ts';
import { nameOfRemoved, oldValueOf, removableOf } from '../events/old-values.ts';
import { REMOVABLE_FIELDS } from '../item-fields.ts';
import type { ItemFile } from '../item-files.ts';
import type { RemoveValueFields } from './remove-forms.ts';

export interface RemoveItemView {
  readonly viewer: Viewer;
  readonly form: FilledForm<Record<never, never>>;
  readonly errors: readonly FormError<Record<never, never>>[];
  /** Of the item, which is in the bin or was. */
  readonly deletion: ItemEvent;
}

export function removeItemPage({ viewer, form, deletion }: RemoveItemView): Html {
  const { number } = deletion;
  const title = `Remove ${nameOf(deletion)} for ever?`;
  return layout({
    title: formTitle(`${title} – Items`, form),
    viewer,
    section: 'history',
    main: html`${errorSummary(form)}
<p class="back"><a href="${itemHref(number)}">← Item ${number}</a></p>
<h1>${title}</h1>
<p class="notice"><strong>This can’t be undone.</strong> Nobody can restore the item afterwards.</p>
<p>All of item ${number} is removed: its ${FIELD_NAMES}, fields of your own, loans, and every old value and reason in its history. The history still shows who did what and when, and that you removed the item.</p>
${whatStays()}
<div class="actions">
${formTag(form, html`<button class="danger">Remove for ever</button>`, { action: removeItemAction(number) })}
<a href="${historyHref(number)}">Keep it</a>
</div>`,
  });
}

export interface RemoveFileView extends Omit<RemoveItemView, 'deletion'> {
  readonly file: ItemFile;
}

export function removeFilePage({ viewer, form, file }: RemoveFileView): Html {
  const { number, id, name, caption } = file;
  const title = `Remove “${caption || name}” for ever?`;
  return layout({
    title: formTitle(`${title} – Items`, form),
    viewer,
    section: 'history',
    main: html`${errorSummary(form)}
<p class="back"><a href="${filePageHref(number, id)}">← Item ${number}</a></p>
<h1>${title}</h1>
<p class="notice"><strong>This can’t be undone.</strong> Nobody can bring the file back afterwards.</p>
<p>The file is removed, with its name, its caption, and the pictures that were made of it. The history still shows who added it and when, and that you removed it.</p>
${whatStays()}
<div class="actions">
${formTag(form, html`<button class="danger">Remove for ever</button>`, { action: removeFileAction(number, id) })}
<a href="${filePageHref(number, id)}">Keep it</a>
</div>`,
  });
}

export interface RemoveValueView {
  readonly viewer: Viewer;
  readonly form: FilledForm<RemoveValueFields>;
  readonly errors: readonly FormError<RemoveValueFields>[];
  readonly event: ItemEvent;
}

/** One form for each old value that the change shows. They differ in it, so they may have one key. */
export function removeValuePage({ viewer, form, event }: RemoveValueView): Html {
  const { number, by, at } = event;
  const title = 'Remove an old value for ever?';
  const { changes } = event;
  const values = removableOf(event).map((kind) => {
    const text = isOwnName(kind)
      ? recordedText(changes, kind, 0)
      : fieldValue(oldValueOf(event, kind));
    return { kind, text };
  });
  return layout({
    title: formTitle(`${title} – Items`, form),
    viewer,
    section: 'history',
    main: html`${errorSummary(form)}
<p class="back"><a href="${historyHref(number)}">← History of item ${number}</a></p>
<h1>${title}</h1>
<p>${by ?? 'Somebody'} ${describeEvent(event)} on ${timeElement(at)}.</p>
<p class="notice"><strong>This can’t be undone.</strong> The value is removed from the whole history of the item. Changes that set or replaced it can no longer be undone.</p>
${whatStays()}
${values.length === 0 ? html`<p class="empty">This change shows no old text.</p>` : null}
${values.map(
  ({ kind, text }) => html`<section aria-labelledby="remove-${kind}">
<h2 id="remove-${kind}">Remove ${nameOfRemoved(kind, changes.names)}</h2>
<p class="description">${text}</p>
${formTag(form, html`<input type="hidden" name="value" value="${kind}"><button class="danger" aria-describedby="remove-${kind}">Remove for ever</button>`, { action: removeValueAction(event) })}
</section>
`,
)}`,
  });
}

const FIELD_NAMES = REMOVABLE_FIELDS.map((name) => fieldLabel(name).toLowerCase()).join(', ');

function whatStays(): Html {
  return html`<p class="details">Earlier backups and exported files still contain it, and so do pages that somebody has open.</p>`;
}
