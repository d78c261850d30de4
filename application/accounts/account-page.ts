/**
 * The page of the user's own account: the name, the form to change the password, the sessions. A link names
 * a session by its public id.
 */
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
import type { MailAddress } from '../mail/due-mails.ts';
import { mailLine } from '../mail/mail-pages.ts';
import { agoElement } from '../site/format.ts';
import { layout, type Viewer } from '../site/layout.ts';
import type { PasswordFields } from './account-forms.ts';
import type { ListedSession } from './listed-session.ts';

export interface AccountView {
  readonly viewer: Viewer;
  readonly form: FilledForm<PasswordFields>;
  readonly errors: readonly FormError<PasswordFields>[];
  readonly sessions: readonly ListedSession[];
  /** Times of sessions are named from here. */
  readonly now: Date;
  /** Null for none; undefined where no mail server is set up. */
  readonly address: MailAddress | null | undefined;
  /** The password was reset: the page shows only the form to change it. */
  readonly mustChangePassword: boolean;
}

export function accountPage(view: AccountView): Html {
  const { viewer, form, sessions, now, address } = view;
  const username = viewer?.username ?? '';
  if (view.mustChangePassword) return newPasswordPage(view, username);
  return layout({
    title: formTitle('Account', form),
    viewer,
    section: 'account',
    main: html`${errorSummary(form)}
<h1>Account</h1>
<p>Your username is <strong>${username}</strong>${viewer === null || viewer.name === username ? null : html`, and others see you as <strong>${viewer.name}</strong>`}. <a href="${href('/account/name')}">Change name</a></p>
${address === undefined ? null : html`${mailLine(address)}\n`}<div class="columns halves">
${passwordSection(username, form)}
${sessionSection(sessions, now)}
</div>`,
  });
}

function newPasswordPage({ viewer, form }: AccountView, username: string): Html {
  const title = 'Choose a new password';
  return layout({
    title: formTitle(title, form),
    viewer,
    section: 'account',
    main: html`<div class="narrow">
${errorSummary(form)}
<h1>${title}</h1>
<p>Your password was reset by the person who runs this site. Choose a new one to continue.</p>
${passwordFormMarkup(username, form)}
</div>`,
  });
}

function passwordSection(username: string, form: FilledForm<PasswordFields>): Html {
  return html`<section aria-labelledby="password-heading">
<h2 id="password-heading">Change password</h2>
<p>This logs you out on all other devices, and withdraws the open links that you made.</p>
${passwordFormMarkup(username, form)}
</section>`;
}

function passwordFormMarkup(username: string, form: FilledForm<PasswordFields>): Html {
  return formTag(
    form,
    html`<input type="text" name="username" value="${username}" autocomplete="username" hidden>
${[...form].map((part) => formField(form, part))}
<div class="actions"><button>Change password</button></div>
`,
    { action: action('/account/password'), class: 'form' },
  );
}

function sessionSection(sessions: readonly ListedSession[], now: Date): Html {
  return html`<section aria-labelledby="sessions-heading">
<h2 id="sessions-heading">Where you are logged in</h2>
<ul class="records">
${sessions.map((session) => sessionRecord(session, now))}</ul>
${sessions.length < 2 ? null : html`<p><a class="button quiet" href="${href('/account/sessions/end')}">Log out everywhere else</a></p>`}
</section>`;
}

/** Several links have the same label. `aria-describedby` says which session a link is for. */
function sessionRecord(session: ListedSession, now: Date): Html {
  const { id, isThis } = session;
  const path = href('/account/sessions/end', {}, { id });
  return html`<li>
<div>
${sessionDetails(session, now)}
</div>
${isThis ? null : html`<a class="button quiet" href="${path}" aria-describedby="session-${id}">Log out there</a>`}
</li>
`;
}

export function sessionDetails(session: ListedSession, now: Date): Html {
  const { id, agent, address, startedAt, seenAt, isThis } = session;
  return html`<p><strong id="session-${id}">${agent}</strong>${isThis ? html` <span class="this">this device</span>` : null}</p>
<p class="details">Address ${address}. Logged in ${agoElement(startedAt, now)}, last seen ${agoElement(seenAt, now)}.</p>`;
}
