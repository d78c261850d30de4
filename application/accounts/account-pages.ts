/** The pages to log in and to register. */
import {
  errorSummary,
  type FilledForm,
  type FormError,
  formField,
  formTitle,
  type Href,
  type Html,
  html,
  parseDraft,
} from 'seeother';
import { action, href } from '../links.ts';
import { toCommand } from '../settings/command.ts';
import type { Readers } from '../settings/config.ts';
import { describeReaders } from '../settings/readers.ts';
import { layout, type Viewer } from '../site/layout.ts';
import type { LogInFields, RegistrationFields } from './account-forms.ts';

/** Once: to read the environment for each page takes a tenth of its time. */
const RESET_PASSWORD = toCommand('account reset-password');

export interface LogInView {
  readonly viewer: Viewer;
  /** Why an earlier log-in was in vain. */
  readonly notice: string | null;
  readonly form: FilledForm<LogInFields>;
  readonly errors: readonly FormError<LogInFields>[];
  /** Whether a visitor without an account can register. */
  readonly registration: 'first' | 'open' | 'closed';
  readonly readers: Readers;
}

export function logInPage(view: LogInView): Html {
  const { viewer, notice, form, registration, readers } = view;
  // The draft exists only in this page, so a page with a draft has no links.
  const offered = hasDraft(form) ? 'closed' : registration;
  return layout({
    title: formTitle('Log in', form),
    viewer,
    notice,
    section: 'log in',
    main: html`${viewer === null ? FORGET_PAGES : null}<div class="narrow">
${errorSummary(form)}
<h1>Log in</h1>
${whyHere(form)}
${readers === 'members' ? html`<p>${describeReaders(readers)}</p>` : null}
${offered === 'first' ? html`<p>There are no accounts here yet: <a href="${registrationPath(form.text.next)}">create the first one</a>.</p>` : null}
${logInFormMarkup(form)}
${offered === 'open' ? html`<p>No account yet? <a href="${registrationPath(form.text.next)}">Create one</a>.</p>` : null}
</div>`,
  });
}

/** An empty style sheet. Requesting it clears the browser's cache of the previous user's pages. */
const FORGET_PAGES = html`<link rel="stylesheet" href="${href('/forget.css')}">\n`;

/** Shown on a log-in page with a draft. */
export const DRAFT_KEPT = html`<p>What you typed is kept on this page. Log in, and the form comes back as you filled it in.</p>`;

function whyHere(form: FilledForm<LogInFields>): Html | null {
  if (hasDraft(form)) return DRAFT_KEPT;
  return form.text.next === '' ? null : html`<p>Log in to continue.</p>`;
}

/** Parses it too: the log-in drops a field that is not a valid draft. */
function hasDraft({ text }: FilledForm<LogInFields>): boolean {
  return parseDraft(text.draft) !== null;
}

/** Characters of a path. Escaped, it still fits into the 16 KiB of a request's headers. */
const MAX_NEXT_LENGTH = 4_096;

function registrationPath(next: string): Href {
  const isUsable = next !== '' && next.length <= MAX_NEXT_LENGTH;
  return href('/register', {}, { next: isUsable ? next : undefined });
}

/** Only the form, for pages that ask the user to log in without a redirect. */
export function logInFormMarkup(form: FilledForm<LogInFields>): Html {
  return html`<form class="form" method="post" action="${action('/login')}" novalidate>
${[...form].map((part) => formField(form, part))}
<div class="actions"><button>Log in</button></div>
</form>
<details>
<summary>I can’t log in</summary>
<p>An administrator of this site can make a link for you, on the page People, to choose a new password. The person who runs the site can give you one too, with <code>${RESET_PASSWORD}</code> and your username.</p>
</details>`;
}

export interface RegistrationView {
  readonly viewer: Viewer;
  readonly form: FilledForm<RegistrationFields>;
  readonly errors: readonly FormError<RegistrationFields>[];
  readonly state: 'first' | 'open' | 'invited';
  readonly readers: Readers;
}

const REGISTRATION_INTRODUCTIONS = {
  first:
    'There are no accounts here yet. The person who creates the first one looks after this site.',
  invited: 'You have been invited. Choose a username and a password of your own.',
  open: null,
} as const;

export function registrationPage({ viewer, form, state, readers }: RegistrationView): Html {
  const title = state === 'first' ? 'Create the first account' : 'Create an account';
  const introduction = REGISTRATION_INTRODUCTIONS[state];
  return layout({
    title: formTitle(title, form),
    viewer,
    main: html`<div class="narrow">
${errorSummary(form)}
<h1>${title}</h1>
${introduction === null ? null : html`<p>${introduction}</p>`}
${state === 'first' ? html`<p>${describeReaders(readers)}</p>` : null}
<form class="form" method="post" action="${action('/register')}" novalidate>
${[...form].map((part) => formField(form, part))}
<div class="actions"><button>Create account</button>${state === 'first' ? null : html` <a href="${href('/login')}">I have an account</a>`}</div>
</form>
</div>`,
  });
}

/** The page with status 403 when registration is closed or the invitation is not valid. */
export function registrationClosedPage(
  viewer: Viewer,
  hasInvitation: boolean,
  readers: Readers,
): Html {
  const title = hasInvitation
    ? 'This invitation cannot be used'
    : 'New accounts need an invitation';
  return layout({
    title,
    viewer,
    main: html`<h1>${title}</h1>
${hasInvitation ? brokenInvitation() : html`<p>You need an invitation to create an account here. No account was created.</p>`}
<h2>What you can do now</h2>
<ul>
<li>${hasInvitation ? 'Ask the person who sent you the link for another one.' : 'Ask an administrator here, or the person who runs this site, for an invitation.'}</li>
${viewer === null ? html`<li>If you have an account, <a href="${href('/login')}">log in</a>.</li>\n` : null}${viewer === null && readers === 'members' ? null : html`<li>Look at the <a href="${href('/items')}">list of items</a>${readers === 'everybody' ? ': it is open to everyone' : null}.</li>\n`}</ul>`,
  });
}

/** Does not say which case applies: that would reveal which links were once valid. */
function brokenInvitation(): Html {
  return html`<p>No account was created. This can happen when:</p>
<ul>
<li>The invitation has already been used. It works once.</li>
<li>It has expired. It works for 7 days.</li>
<li>The person who made it has withdrawn it.</li>
<li>The link is incomplete.</li>
</ul>`;
}
