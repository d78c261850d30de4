/** The notice of a form that was sent without a session, and came back after the log-in. */
import { type Html, html } from 'seeother';
import { action } from '../links.ts';

export function draftNotice(): Html {
  return html`<div class="notice">
<p>You were logged out when you sent this, so it is <strong>not saved yet</strong>. Everything you typed is here: check it and save it.</p>
<form method="post" action="${action('/draft/discard')}"><button class="quiet">Start again</button></form>
</div>`;
}
