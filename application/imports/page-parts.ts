/** What several pages of an import have: how the file was read, and the button that ends it. */
import { formTag, type Html, html } from 'seeother';
import { action } from '../links.ts';
import { type OpenedBy, openButton } from '../site/button-form.ts';
import { FIELD_KINDS } from './import-forms.ts';
import type { NewField } from './own-columns.ts';

/** Sentences without a full stop. */
export function noticeList(notices: readonly string[]): Html | null {
  if (notices.length === 0) return null;
  return html`<div class="notice">
${notices.map((notice) => html`<p>${notice}.</p>\n`)}</div>`;
}

export function stopForm(id: number, label: string, viewer: OpenedBy): Html {
  const path = action('/items/imports/:id<int>/stop', { id });
  return formTag(openButton(viewer), html`<button class="quiet">${label}</button>`, {
    action: path,
  });
}

/** As in “Purchase price (money, EUR)”. */
export function nameFields(fields: readonly NewField[]): string {
  return fields
    .map(({ label, kind, unit }) => {
      return `${label} (${FIELD_KINDS[kind]}${unit === '' ? '' : `, ${unit}`})`;
    })
    .join(', ');
}
