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
import { action, heldHref, href, itemHref } from '../links.ts';
import { openButton } from '../site/button-form.ts';
import { formatCount, timeElement } from '../site/format.ts';
import { layout, type Viewer } from '../site/layout.ts';
import type { Person } from './people.ts';
import { type RoleFields, resetLinkForm } from './people-forms.ts';
import { ROLE_NAMES } from './role-page.ts';

/** An item that somebody has borrowed. */
export interface Held {
  readonly number: number;
  readonly name: string;
}

export interface PersonView {
  readonly viewer: Viewer;
  readonly person: Person;
  /** What the person has borrowed. */
  readonly held: readonly Held[];
  readonly form: FilledForm<RoleFields>;
  readonly errors: readonly FormError<RoleFields>[];
}

export function personPage({ viewer, person, held, form }: PersonView): Html {
  const { username, name, role, createdAt, removedAt } = person;
  const isOwn = viewer?.username === username;
  return layout({
    title: formTitle(`${name} – People`, form),
    viewer,
    section: 'people',
    main: html`${errorSummary(form)}
<p class="back"><a href="${href('/people')}">← All people</a></p>
<h1>${name}</h1>
<p>${name === username ? null : html`Username <strong>${username}</strong>. `}${ROLE_NAMES[role]}. ${removedAt === null ? html`Here since ${timeElement(createdAt)}.` : html`Removed ${timeElement(removedAt)}.`}</p>
${removedAt === null ? roleFormMarkup(person, form) : null}
${removedAt === null && !isOwn ? resetSection(person, viewer) : null}
${held.length === 0 ? null : heldSection(person, held)}
${removedAt === null ? removeSection(person, viewer) : restoreSection(person, viewer)}`,
  });
}

function roleFormMarkup({ id }: Person, form: FilledForm<RoleFields>): Html {
  return formTag(
    form,
    html`${formField(form, 'role')}
<div class="actions"><button>Change role</button></div>
`,
    { action: action('/people/:id<int>/role', { id }), class: 'form' },
  );
}

function resetSection({ id, name }: Person, viewer: Viewer): Html {
  return html`<section aria-labelledby="reset-heading">
<h2 id="reset-heading">Lost password</h2>
<p>A link lets ${name} choose a new password. It works once, within 24 hours, and logs ${name} out on all devices.</p>
${formTag(
  blankForm(resetLinkForm, {}, undefined, viewer),
  html`<button class="quiet">Make a link</button>
`,
  { action: action('/people/:id<int>/reset', { id }) },
)}
</section>`;
}

function heldSection({ name, removedAt }: Person, held: readonly Held[]): Html {
  const shown = held.slice(0, MAX_SHOWN);
  const rest = held.length - shown.length;
  return html`<section aria-labelledby="held-heading">
<h2 id="held-heading">${name} ${removedAt === null ? 'has' : 'still has'} ${formatCount(held.length, 'item', 'items')}</h2>
<ul>
${shown.map((item) => html`<li><a href="${itemHref(item.number)}">${item.name}</a></li>\n`)}${rest === 0 ? null : html`<li>and ${formatCount(rest, 'other', 'others')}</li>\n`}</ul>
<p><a href="${heldHref(name)}">Return items</a>, and lend to somebody else what is still needed.${removedAt === null ? ` Removing ${name} returns nothing.` : null}</p>
</section>`;
}

/** Items that the page of a person names. */
const MAX_SHOWN = 10;

function removeSection({ id, name }: Person, viewer: Viewer): Html {
  return html`<section aria-labelledby="remove-heading">
<h2 id="remove-heading">Remove</h2>
<p>${name} is logged out on all devices and cannot log in again. Their open links stop working. What ${name} did stays, with the name, and nobody else can take the name. You can let ${name} in again later.</p>
${formTag(openButton(viewer), html`<button class="danger">Remove ${name}</button>`, { action: action('/people/:id<int>/remove', { id }) })}
</section>`;
}

function restoreSection({ id, name }: Person, viewer: Viewer): Html {
  return html`<section aria-labelledby="restore-heading">
<h2 id="restore-heading">Let in again</h2>
<p>${name} can then log in as before, with the same password and role.</p>
${formTag(openButton(viewer), html`<button>Let ${name} in again</button>`, { action: action('/people/:id<int>/restore', { id }) })}
</section>`;
}
