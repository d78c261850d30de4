/**
 * A flash message. An address in it is on its own line, so that one click selects it. It is not a link,
 * because it is meant for another person.
 */
import { type Html, html } from 'seeother';

export function flashMessage(message: string): Html {
  const parts = message.split(/(https?:\/\/\S+)/);
  return html`<p class="flash" role="status">${parts.map((part, at) => (at % 2 === 0 ? part : html`<code class="address">${part}</code>`))}</p>\n`;
}
