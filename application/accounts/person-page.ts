/** The page of one person, for administrators: the role, a link to reset the password, removing. */
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
} from 'seeother';
import { action, href } from '../links.ts';
import { timeElement } from '../site/format.ts';
import { layout, type Viewer } from '../site/layout.ts';
import type { Person } from './people.ts';
import { type RoleFields, resetLinkForm } from './people-forms.ts';
import { ROLE_NAMES } from './role-page.ts';

export interface PersonView {
  readonly viewer: Viewer;
  readonly person: Person;
  readonly form: FilledForm<RoleFields>;
  readonly errors: readonly FormError<RoleFields>[];
}

export function personPage({ viewer, person, form, errors }: PersonView): Html {
  const { username, role, createdAt, removedAt } = person;
  const isOwn = viewer?.username === username;
  return layout({
    title: formTitle(`${username} – People`, errors),
    viewer,
    section: 'people',
    main: html`${errorSummary(errors)}
<p class="back"><a href="${href('/people')}">← All people</a></p>
<h1>${username}</h1>
<p>${ROLE_NAMES[role]}. ${removedAt === null ? html`Here since ${timeElement(createdAt)}.` : html`Removed ${timeElement(removedAt)}.`}</p>
${removedAt === null ? roleFormMarkup(person, form, errors) : null}
${removedAt === null && !isOwn ? resetSection(person) : null}
${removedAt === null ? removeSection(person) : restoreSection(person)}`,
  });
}

function roleFormMarkup(
  { id }: Person,
  form: FilledForm<RoleFields>,
  errors: readonly FormError<RoleFields>[],
): Html {
  return html`<form class="form" method="post" action="${action('/people/:id<int>/role', { id })}" novalidate>
${formField(form, 'role', errors)}
<div class="actions"><button>Change role</button></div>
</form>`;
}

function resetSection({ id, username }: Person): Html {
  return html`<section aria-labelledby="reset-heading">
<h2 id="reset-heading">Lost password</h2>
<p>A link lets ${username} choose a new password. It works once, within 24 hours, and logs ${username} out on all devices.</p>
${formTag(
  blankForm(resetLinkForm),
  html`<button class="quiet">Make a link</button>
`,
  { action: action('/people/:id<int>/reset', { id }) },
)}
</section>`;
}

function removeSection({ id, username }: Person): Html {
  return html`<section aria-labelledby="remove-heading">
<h2 id="remove-heading">Remove</h2>
<p>${username} is logged out on all devices and cannot log in again. Their open links stop working. What ${username} did stays, with the name, and nobody else can take the name. You can let ${username} in again later.</p>
<form method="post" action="${action('/people/:id<int>/remove', { id })}"><button class="quiet">Remove ${username}</button></form>
</section>`;
}

function restoreSection({ id, username }: Person): Html {
  return html`<section aria-labelledby="restore-heading">
<h2 id="restore-heading">Let in again</h2>
<p>${username} can then log in with the password of before, and has the same role.</p>
<form method="post" action="${action('/people/:id<int>/restore', { id })}"><button>Let ${username} in again</button></form>
</section>`;
}
