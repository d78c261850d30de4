/**
 * A flash message, with a button if there is something to do about it. An address in it is on its own line, so
 * that one click selects it. It is not a link, because it is meant for another person.
 */
import { blankForm, defineForm, type FlashAction, formTag, type Html, html } from 'seeother';

/** A form with no fields, only its key: for the buttons that do one thing. */
export const buttonForm = defineForm({});

export function flashMessage(message: string, action: FlashAction | null): Html {
  const parts = message.split(/(https?:\/\/\S+)/);
  const text = html`${parts.map((part, at) => (at % 2 === 0 ? part : html`<code class="address">${part}</code>`))}`;
  if (action === null) return html`<p class="flash" role="status">${text}</p>\n`;
  return html`<div class="flash"><p role="status">${text}</p>${actionForm(action)}</div>\n`;
}

function actionForm({ label, path }: FlashAction): Html {
  return formTag(blankForm(buttonForm), html`<button class="quiet">${label}</button>`, {
    action: path,
  });
}
