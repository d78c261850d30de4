/** The page that asks for the password before it ends another session of the user, or all others. */
import {
  errorSummary,
  type FilledForm,
  type FormError,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
} from 'seeother';
import { action, href } from '../links.ts';
import { layout, type Viewer } from '../site/layout.ts';
import type { EndSessionsFields } from './account-forms.ts';
import { sessionDetails } from './account-page.ts';
import type { ListedSession } from './listed-session.ts';

export interface EndSessionsView {
  readonly viewer: Viewer;
  readonly form: FilledForm<EndSessionsFields>;
  readonly errors: readonly FormError<EndSessionsFields>[];
  /** The sessions that the form ends: one or more. */
  readonly ended: readonly ListedSession[];
  /** The page shows how long ago the sessions were used. */
  readonly now: Date;
}

export function endSessionsPage({ viewer, form, ended, now }: EndSessionsView): Html {
  const isAll = form.text.id === '';
  const title = isAll ? 'Log out everywhere else' : 'Log out another device';
  return layout({
    title: formTitle(title, form),
    viewer,
    section: 'account',
    main: html`<div class="narrow">
${errorSummary(form)}
<p class="back"><a href="${href('/account')}">← Account</a></p>
<h1>${title}</h1>
<ul class="records">
${ended.map((session) => html`<li><div>${sessionDetails(session, now)}</div></li>\n`)}</ul>
${formTag(
  form,
  html`<input type="text" name="username" value="${viewer?.username ?? ''}" autocomplete="username" hidden>
${formField(form, 'id')}
${formField(form, 'currentpassword')}
<div class="actions"><button>${isAll ? title : 'Log out there'}</button></div>
`,
  { action: action('/account/sessions/end'), class: 'form' },
)}
</div>`,
  });
}
