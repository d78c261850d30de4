/** The frame of every page: skip link, navigation, current user, one main part, help. */
import {
  type FlashAction,
  type Href,
  type Html,
  html,
  type sessionOf,
  trustedHtml,
} from 'seeother';
import { action, href } from '../links.ts';
import { flashMessage, flashTitle } from './flash-message.ts';
import { timeZoneName } from './format.ts';
import { SCRIPT_TAG } from './page-script.ts';
import type { Role } from './role.ts';
import type { SessionUser } from './session-user.ts';

/** What a page is made for: the session of the context, or on an error page that of the request. */
interface ViewedBy {
  readonly session: ReturnType<typeof sessionOf>;
  readonly flash: string | null;
  readonly flashAction?: FlashAction | null;
}

/** The current user and the flash message; null for a visitor who is not logged in. */
export type Viewer = {
  readonly id: number;
  readonly username: string;
  /** What pages call the user. */
  readonly name: string;
  readonly role: Role;
  readonly flash: string | null;
  readonly flashAction: FlashAction | null;
} | null;

export function toViewer({ session, flash, flashAction = null }: ViewedBy): Viewer {
  if (session === null) return null;
  // Every session comes from the application's own store.
  const { id, name, displayName = name, role } = session.user as SessionUser;
  return { id, username: name, name: displayName, role, flash, flashAction };
}

/** Whether links and forms that change items are shown: only to a user whom they do not refuse. */
export function mayChangeItems(viewer: Viewer): boolean {
  return viewer !== null && viewer.role !== 'reader';
}

/** Whether old values, and what was deleted, are shown: to everybody with an account, and to no visitor. */
export function seesHistory(viewer: Viewer): boolean {
  return viewer !== null;
}

/** Whether pages say who has borrowed something: to everybody with an account, and to no visitor. */
export function seesBorrowers(viewer: Viewer): boolean {
  return viewer !== null;
}

/** Whether links to the pages that remove something for ever are shown. */
export function seesLinksToRemove(viewer: Viewer): boolean {
  return viewer?.role === 'administrator';
}

/** The content of a page, the same for every user. */
export interface Fragment {
  /** The title of the page, without the name of the site. */
  readonly title: string;
  readonly main: Html;
  /** The section of the navigation that the page belongs to. */
  readonly section?: 'items' | 'history' | 'new item' | 'log in' | 'account' | 'people';
}

export interface Page extends Fragment {
  readonly viewer: Viewer;
  /** The message for a visitor, such as why a log-in was in vain. */
  readonly notice?: string | null;
}

const SITE = 'Seeother';
const DOCTYPE = trustedHtml('<!doctype html>');
/** icon.svg without its colours, which are those of the scheme. */
const MARK = trustedHtml(
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect class="mark" width="32" height="32" rx="8"/><path class="arrow" d="M10 8v6a5 5 0 0 0 5 5h8m-5-5 5 5-5 5"/></svg>',
);
/** The log-in page is what a search engine may show of the site. Everything else is the team's own. */
const PRIVATE = trustedHtml('<meta name="robots" content="noindex">\n');

export function layout({ title, viewer, main, section, notice = null }: Page): Html {
  const flash = viewer === null ? notice : viewer.flash;
  return html`${DOCTYPE}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#fbfbf9" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#141513" media="(prefers-color-scheme: dark)">
<meta name="description" content="Keeps track of the things of a team: what there is, how many, and where.">
${section === 'log in' ? null : PRIVATE}<title>${flash && flashTitle(flash)}${title} – ${SITE}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/styles.css">
${SCRIPT_TAG}
</head>
<body>
<a class="skip-link" href="#main">Skip to the content</a>
<header class="site-header">
<div class="bar">
<a class="site-name" href="${href('/items')}" tabindex="-1">${MARK}<span>${SITE}</span></a>
<nav aria-label="Site">
<ul>
<li>${navigationLink(href('/items'), 'Items', section === 'items')}</li>
${seesHistory(viewer) ? html`<li>${navigationLink(href('/items/history'), 'History', section === 'history')}</li>\n` : null}</ul>
</nav>
${viewer === null ? visitorLinks(section) : viewerMenu(viewer.name, section)}
</div>
</header>
<main id="main" tabindex="-1">
${flash && flashMessage(flash, viewer?.flashAction ?? null, viewer)}${main}
</main>
<footer class="site-footer">
<details>
<summary>Help</summary>
<p>Your things and accounts are kept on your team’s own server. If you cannot log in, or something does not work, ask the person who runs it.</p>
<p>Days and times are those of ${timeZoneName()}.</p>
</details>
</footer>
</body>
</html>
`;
}

function navigationLink(path: Href, label: string, current: boolean): Html {
  return html`<a href="${path}"${current ? trustedHtml(' aria-current="page"') : null}>${label}</a>`;
}

function visitorLinks(section: Page['section']): Html {
  return html`<div class="viewer">${navigationLink(href('/login'), 'Log in', section === 'log in')}</div>`;
}

/**
 * The current user, with what is the user's own in a menu. Escape closes it, as does a click beside it: a `<details>`
 * would stay open. Browsers without popovers show the menu in the bar.
 */
function viewerMenu(name: string, section: Page['section']): Html {
  const current =
    section === 'account' || section === 'people' ? trustedHtml(' class="current"') : null;
  return html`<div class="viewer">
<button type="button" popovertarget="viewer-menu"${current}><span class="visually-hidden">Logged in as</span> <strong>${name}</strong></button>
<ul id="viewer-menu" popover>
<li>${navigationLink(href('/account'), 'Account', section === 'account')}</li>
<li>${navigationLink(href('/people'), 'People', section === 'people')}</li>
<li><form method="post" action="${action('/logout')}"><button>Log out</button></form></li>
</ul>
</div>`;
}
