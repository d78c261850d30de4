/** The notice of a form that was sent without a session, and came back after the log-in. */
import { formTag, type Html, html } from 'seeother';
import { action } from '../links.ts';
import { type OpenedBy, openButton } from './button-form.ts';

export function draftNotice(viewer: OpenedBy): Html {
  return html`<div class="notice">
<p>You were logged out when you sent this, so it is <strong>not saved yet</strong>. Everything you typed is here: check it and save it.</p>
${formTag(openButton(viewer), html`<button class="quiet">Start again</button>`, { action: action('/draft/discard') })}
</div>`;
}
