/**
 * A flash message, with a button if there is something to do about it. An address in it is on its own line, so
 * that one click selects it. It is not a link, because it is meant for another person.
 */
import { type FlashAction, formTag, type Html, html, trustedHtml } from 'seeother';
import { type OpenedBy, openButton } from './button-form.ts';

const ADDRESS = /(https?:\/\/\S+)/;
const AUTOFOCUS = trustedHtml(' autofocus');

/**
 * It takes the focus unless a field of the page does, which is how a screen reader says it: a live region that is on
 * the page from the start is not announced. No page has a message and a summary of errors.
 */
export function flashMessage(
  message: string,
  action: FlashAction | null,
  viewer: OpenedBy,
  takesFocus = true,
): Html {
  const parts = message.split(ADDRESS);
  const text = html`${parts.map((part, at) => (at % 2 === 0 ? part : html`<code class="address">${part}</code>`))}`;
  return html`<div class="flash" role="status" tabindex="-1"${takesFocus ? AUTOFOCUS : null}><p>${text}</p>${action && actionForm(action, viewer)}</div>\n`;
}

/** What the title of the page begins with. The browser's history keeps titles, and must not keep an address. */
export function flashTitle(message: string): string {
  return `${message.split(ADDRESS, 1)[0]?.replace(/[:\s]+$/, '')} – `;
}

function actionForm({ label, path }: FlashAction, viewer: OpenedBy): Html {
  return formTag(openButton(viewer), html`<button class="quiet">${label}</button>`, {
    action: path,
  });
}
