/** The page with status 403 for a person whose role is too low, and roles in words. */
import { type Html, html, type TypedText } from 'seeother';
import { href } from '../links.ts';
import type { Role } from '../settings/role.ts';
import { layout, type Viewer } from '../site/layout.ts';
import { typedText } from '../site/typed-text.ts';

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  reader: 'Reader',
  member: 'Member',
  administrator: 'Administrator',
};

/** What a person with the role can do, after their name and "can". */
export const ROLE_RIGHTS: Readonly<Record<Role, string>> = {
  reader: 'look at items',
  member: 'change items',
  administrator: 'change items, remove them for ever, and manage people',
};

/** For the pages of accounts. */
export const ROLE_TEXTS = {
  reader: textsOf('reader'),
  member: textsOf('member'),
  administrator: textsOf('administrator'),
};

function textsOf(role: Role) {
  const name = ROLE_NAMES[role];
  return { name, choice: `${name}: can ${ROLE_RIGHTS[role]}` };
}

export interface RoleTooLowView {
  readonly viewer: Viewer;
  readonly role: Role;
  readonly needed: Role;
  readonly administrators: readonly string[];
  readonly isForm: boolean;
  readonly typed: readonly TypedText[];
}

const TITLES = {
  reader: '',
  member: 'You can’t change items',
  administrator: 'Only administrators can do this',
};

export function roleTooLowPage(view: RoleTooLowView): Html {
  const { viewer, role, needed, administrators, isForm, typed } = view;
  const title = TITLES[needed];
  return layout({
    title,
    viewer,
    main: html`<h1>${title}</h1>
<p>Your role is ${ROLE_NAMES[role].toLowerCase()}: you can ${ROLE_RIGHTS[role]}.</p>
${isForm ? html`<p>Nothing was saved or changed.</p>\n` : null}<h2>What you can do now</h2>
<ul>
<li>${askAdministrator(administrators)}</li>
<li>Go to the <a href="${href('/items')}">list of items</a>.</li>
</ul>
${typed.length === 0 ? null : typedText(typed, false)}`,
  });
}

function askAdministrator(administrators: readonly string[]): Html {
  if (administrators.length === 0)
    return html`Ask the person who runs this site to change your role.`;
  const names = administrators.map((name) => html`<strong>${name}</strong>`);
  const list = names.map((name, index) => html`${index === 0 ? null : ', '}${name}`);
  return html`Ask an administrator to change your role: ${list}.`;
}
