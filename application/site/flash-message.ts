/**
 * A message that waits for a page. An address in it stands on a line of its own, where one click
 * selects it whole; it is no link, for it is meant for somebody else.
 */
import { type Html, html } from 'seeother';

export function flashMessage(message: string): Html {
  const parts = message.split(/(https?:\/\/\S+)/);
  return html`<p class="flash" role="status">${parts.map((part, at) => (at % 2 === 0 ? part : html`<code class="address">${part}</code>`))}</p>\n`;
}
