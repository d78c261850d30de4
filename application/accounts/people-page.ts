/** The page of all people. Everybody sees names and roles; administrators manage people and invitations. */
import {
  blankForm,
  errorSummary,
  type FilledForm,
  type FormError,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
  onceField,
} from 'seeother';
import { action, personHref } from '../links.ts';
import { timeElement } from '../site/format.ts';
import { layout, type Viewer } from '../site/layout.ts';
import type { OpenInvitation } from './invitation.ts';
import type { Person } from './people.ts';
import { type InviteFields, withdrawForm } from './people-forms.ts';
import { ROLE_NAMES } from './role-page.ts';

export interface PeopleView {
  readonly viewer: Viewer;
  readonly people: readonly Person[];
  /** What an administrator sees too; null for others. */
  readonly managed: {
    readonly invitations: readonly OpenInvitation[];
    readonly linkOf: LinkOf;
    readonly form: FilledForm<InviteFields>;
    readonly errors: readonly FormError<InviteFields>[];
  } | null;
}

export function peoplePage({ viewer, people, managed }: PeopleView): Html {
  const form = managed?.form ?? {};
  const present = people.filter(({ removedAt }) => removedAt === null);
  const removed = people.filter(({ removedAt }) => removedAt !== null);
  return layout({
    title: formTitle('People', form),
    viewer,
    section: 'people',
    main: html`${errorSummary(form)}
<h1>People</h1>
<ul class="records">
${present.map((person) => personRecord(person, managed !== null))}</ul>
${managed === null ? askAdministrators(present) : present.length === 1 ? ALONE : null}
${managed === null ? null : invitationSection(managed, viewer)}
${managed === null || removed.length === 0 ? null : removedSection(removed)}`,
  });
}

const ALONE = html`<p>Nobody else has an account yet. Make a link for each person below.</p>`;

function personRecord({ id, username, name, role, removedAt }: Person, isManaged: boolean): Html {
  return html`<li>
<div>
<p>${isManaged ? html`<a href="${personHref(id)}">${name}</a>` : html`<strong>${name}</strong>`}</p>
<p class="details">${name === username ? null : `${username}, `}${name === username ? ROLE_NAMES[role] : ROLE_NAMES[role].toLowerCase()}${removedAt === null ? null : html`, removed ${timeElement(removedAt)}`}</p>
</div>
</li>
`;
}

function askAdministrators(people: readonly Person[]): Html | null {
  const names = people.filter(({ role }) => role === 'administrator').map(({ name }) => name);
  if (names.length === 0) return null;
  return html`<p>To invite someone, or to change a role, ask an administrator: ${names.join(', ')}.</p>`;
}

function removedSection(people: readonly Person[]): Html {
  return html`<section aria-labelledby="removed-heading">
<h2 id="removed-heading">Removed</h2>
<p>They cannot log in. What they did stays, with their name.</p>
<ul class="records">
${people.map((person) => personRecord(person, true))}</ul>
</section>`;
}

function invitationSection(
  { invitations, linkOf, form }: NonNullable<PeopleView['managed']>,
  viewer: Viewer,
): Html {
  return html`<section aria-labelledby="invitations-heading">
<h2 id="invitations-heading">Invite someone</h2>
<p>An invitation is a link that lets one person create an account. It works once, within 7 days.</p>
${formTag(
  form,
  html`${[...form].map((part) => formField(form, part))}
<div class="actions"><button>Make a link</button></div>
`,
  { action: action('/people/invitations'), class: 'form' },
)}
</section>
${invitations.length === 0 ? null : openSection(invitations, linkOf, viewer)}`;
}

type LinkOf = (token: string) => string;

function openSection(invitations: readonly OpenInvitation[], linkOf: LinkOf, viewer: Viewer): Html {
  return html`<section aria-labelledby="open-heading">
<h2 id="open-heading">Open invitations</h2>
<ul class="records">
${invitations.map((one) => invitationRecord(one, linkOf, viewer))}</ul>
</section>`;
}

function invitationRecord(invitation: OpenInvitation, linkOf: LinkOf, viewer: Viewer): Html {
  const { id, name, role, createdBy, createdAt, endsAt, token } = invitation;
  return html`<li>
<div>
<p><strong id="invitation-${id}">${name === '' ? 'No name' : name}</strong></p>
<p class="details">${ROLE_NAMES[role]}. Made ${timeElement(createdAt)} by ${createdBy ?? 'the person who runs this site'}. Works until ${timeElement(endsAt)}.</p>
${token === null ? null : html`<details><summary aria-describedby="invitation-${id}">Show the link</summary><code class="address">${linkOf(token)}</code></details>\n`}</div>
<form method="post" action="${action('/people/invitations/withdraw')}">
<input type="hidden" name="id" value="${id}">
${onceField(blankForm(withdrawForm, {}, undefined, viewer))}<button class="quiet" aria-describedby="invitation-${id}">Withdraw</button>
</form>
</li>
`;
}
