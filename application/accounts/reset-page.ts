/** The pages behind a link that resets a password. */
import {
  errorSummary,
  type FilledForm,
  type FormError,
  formField,
  formTitle,
  type Html,
  html,
} from 'seeother';
import { action, href } from '../links.ts';
import { layout, type Viewer } from '../site/layout.ts';
import type { ResetFields } from './people-forms.ts';

export interface ResetView {
  readonly viewer: Viewer;
  readonly username: string;
  readonly form: FilledForm<ResetFields>;
  readonly errors: readonly FormError<ResetFields>[];
}

export function resetPage({ viewer, username, form }: ResetView): Html {
  const title = 'Choose a new password';
  return layout({
    title: formTitle(title, form),
    viewer,
    main: html`${errorSummary(form)}
<h1>${title}</h1>
<p>Your username is <strong>${username}</strong>. The new password logs you out on all other devices.</p>
<form class="form" method="post" action="${action('/reset-password')}" novalidate>
<input type="text" name="username" value="${username}" autocomplete="username" hidden>
${formField(form, 'link')}
${formField(form, 'password')}
${formField(form, 'passwordagain')}
<div class="actions"><button>Save password</button></div>
</form>`,
  });
}

/** The same for every link that does not work: it does not say which ones were once valid. */
export function resetClosedPage(viewer: Viewer): Html {
  const title = 'This link cannot be used';
  return layout({
    title,
    viewer,
    main: html`<h1>${title}</h1>
<p>No password was changed. This can happen when:</p>
<ul>
<li>The link has already been used. It works once.</li>
<li>It has expired. It works for 24 hours.</li>
<li>An administrator has made a newer link.</li>
<li>The link is incomplete.</li>
</ul>
<h2>What you can do now</h2>
<ul>
<li>Ask the person who sent you the link for another one.</li>
<li>If you know your password, <a href="${href('/login')}">log in</a>.</li>
</ul>`,
  });
}
