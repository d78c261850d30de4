/** The page of one item, and the item form. */
import {
  errorSummary,
  type FilledForm,
  type FormError,
  formField,
  formTitle,
  type Html,
  html,
  onceField,
} from 'seeother';
import { action, href } from '../links.ts';
import { formatNumber, timeElement } from '../site/format.ts';
import { layout, type Viewer } from '../site/layout.ts';
import type { ItemFields } from './item-form.ts';
import type { Item } from './item-rows.ts';
import { locationLink, tagList } from './item-words.ts';

export function itemPage(viewer: Viewer, item: Item): Html {
  return layout({
    title: `${item.name} – Items`,
    viewer,
    main: html`<p class="back"><a href="${href('/items')}">← All items</a></p>
<h1>${item.name} <small class="item-number">No. ${item.number}</small></h1>
<div class="columns">
<div>
${item.description === '' ? null : html`<p class="description">${item.description}</p>`}
<dl class="summary">
${row('Quantity', formatNumber(item.quantity))}
${row('Location', locationLink(item.location))}
${row('Tags', tagList(item.tags))}
${row('Added', html`${timeElement(item.createdAt)}${by(item.createdBy)}`)}
${item.version === 1 ? null : row('Changed', html`${timeElement(item.updatedAt)}${by(item.updatedBy)}`)}
</dl>
</div>
</div>`,
  });
}

function row(label: string, value: string | Html): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

function by(username: string | null): string {
  return username === null ? '' : ` by ${username}`;
}

export interface ItemFormView {
  readonly viewer: Viewer;
  readonly form: FilledForm<ItemFields>;
  readonly errors: readonly FormError<ItemFields>[];
  /** Whether the text is a draft from before the log-in. */
  readonly isDraft: boolean;
}

export function itemFormPage({ viewer, form, errors, isDraft }: ItemFormView): Html {
  return layout({
    title: formTitle('Add an item – Items', errors),
    viewer,
    section: 'new item',
    main: html`${errorSummary(errors)}
<h1>Add an item</h1>
${isDraft ? draftNotice() : null}
<form class="form" method="post" action="${action('/items')}" novalidate>
${onceField(form)}
${form.definition.names.map((name) => formField(form, name, errors))}
<div class="actions"><button>Save item</button> <a href="${href('/items')}">Cancel</a></div>
</form>`,
  });
}

function draftNotice(): Html {
  return html`<div class="notice">
<p>You were logged out when you sent this, so it is <strong>not saved yet</strong>. Everything you typed is here: check it and save it.</p>
<form method="post" action="${action('/draft/discard')}"><button class="quiet">Start with an empty form</button></form>
</div>`;
}
