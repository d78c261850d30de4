/** What several pages of an import have: how the file was read, and the button that ends it. */
import { blankForm, formTag, type Html, html } from 'seeother';
import { action } from '../links.ts';
import { buttonForm } from '../site/flash-message.ts';

/** Sentences without a full stop. */
export function noticeList(notices: readonly string[]): Html | null {
  if (notices.length === 0) return null;
  return html`<div class="notice">
${notices.map((notice) => html`<p>${notice}.</p>\n`)}</div>`;
}

export function stopForm(id: number, label: string): Html {
  const path = action('/items/imports/:id<int>/stop', { id });
  return formTag(blankForm(buttonForm), html`<button class="quiet">${label}</button>`, {
    action: path,
  });
}
