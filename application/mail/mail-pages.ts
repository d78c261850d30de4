/** The form for the address of an account, its line on the page of the account, and the page behind a mail's link. */
import {
  defineForm,
  errorSummary,
  type FilledForm,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
} from 'seeother';
import { emailField, hiddenField } from 'seeother/fields';
import { action, href } from '../links.ts';
import { layout, type Viewer } from '../site/layout.ts';
import type { MailAddress } from './due-mails.ts';

export const addressForm = defineForm({
  email: emailField({ label: 'Email', hint: 'Leave it empty to get no mails.' }),
});

/** `mails` says what is to be, so a form that arrives twice changes nothing the second time. */
export const switchForm = defineForm({ link: hiddenField(), mails: hiddenField() });

const TITLE = 'Mails about loans';

export interface AddressView {
  readonly viewer: Viewer;
  readonly form: FilledForm<typeof addressForm.fields>;
  readonly stored: MailAddress | null;
}

export function addressPage({ viewer, form, stored }: AddressView): Html {
  return layout({
    title: formTitle(TITLE, form),
    viewer,
    section: 'account',
    main: html`<div class="narrow">
${errorSummary(form)}
<p class="back"><a href="${href('/account')}">← Account</a></p>
<h1>${TITLE}</h1>
<p>At most one mail a day, when something that you have or have lent out is due or overdue. Each mail has a link that stops them.</p>
${stored === null ? null : html`<p>${describeAddress(stored)}</p>\n`}${formTag(
  form,
  html`${formField(form, 'email')}
<div class="actions"><button>Save address</button> <a href="${href('/account')}">Cancel</a></div>
`,
  { action: action('/account/mail'), class: 'form' },
)}
</div>`,
  });
}

function describeAddress({ email, isOn }: MailAddress): Html {
  return isOn
    ? html`Mails about loans go to <strong>${email}</strong>.`
    : html`No mails about loans go to <strong>${email}</strong> until you open the link in our mail to it. If you have none, save the address again.`;
}

/** For the page of the account. */
export function mailLine(stored: MailAddress | null): Html {
  const link = (label: string) => html`<a href="${href('/account/mail')}">${label}</a>`;
  return stored === null
    ? html`<p>You get no mails about loans. ${link('Get mails')}</p>`
    : html`<p>${describeAddress(stored)} ${link('Change')}</p>`;
}

export interface MailView {
  readonly viewer: Viewer;
  readonly form: FilledForm<typeof switchForm.fields>;
  readonly stored: MailAddress;
}

export function mailPage({ viewer, form, stored: { email, isOn } }: MailView): Html {
  const title = `${TITLE} are ${isOn ? 'on' : 'off'}`;
  return layout({
    title,
    viewer,
    main: html`<div class="narrow">
<h1>${title}</h1>
<p>${
      isOn
        ? html`At most one mail a day goes to <strong>${email}</strong>, when something that is lent is due or overdue.`
        : html`No mails about loans go to <strong>${email}</strong>.`
    }</p>
<form method="post" action="${action('/mail')}">
${formField(form, 'link')}
${formField(form, 'mails')}
<div class="actions"><button>${isOn ? 'Stop these mails' : 'Turn on'}</button></div>
</form>
</div>`,
  });
}

/** The same for every link that does not work. */
export function mailClosedPage(viewer: Viewer): Html {
  const title = 'This link cannot be used';
  const account = viewer ? href('/account') : href('/login', {}, { next: href('/account') });
  return layout({
    title,
    viewer,
    main: html`<h1>${title}</h1>
<p>Nothing was changed. This can happen when:</p>
<ul>
<li>The account has another address now, or none. No mails go to the old one.</li>
<li>The account was removed. It gets no mails.</li>
<li>The link is incomplete.</li>
</ul>
<h2>What you can do now</h2>
<ul>
<li>Open the link in the newest mail again.</li>
<li>Look at the address of <a href="${account}">your account</a>.</li>
</ul>`,
  });
}
