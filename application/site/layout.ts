/** The frame of every page: skip link, navigation, search, current user, one main part, help. */
import {
  type FlashAction,
  type Href,
  type Html,
  html,
  type sessionOf,
  trustedHtml,
} from 'seeother';
import { action, heldHref, href } from '../links.ts';
import type { Role } from '../settings/role.ts';
import { flashMessage, flashTitle } from './flash-message.ts';
import { inOnePiece } from './in-one-piece.ts';
import { SCRIPT_TAG } from './page-script.ts';
import type { SessionUser } from './session-user.ts';
import { siteName } from './site-name.ts';

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
  readonly section?:
    | 'items'
    | 'loans'
    | 'history'
    | 'new item'
    | 'log in'
    | 'account'
    | 'people'
    | 'help';
  /** What the search in the header says; nothing by default. */
  readonly search?: string;
}

export interface Page extends Fragment {
  readonly viewer: Viewer;
  /** The message for a visitor, such as why a log-in was in vain. */
  readonly notice?: string | null;
  /** A field has the focus instead of the message. */
  readonly focusesField?: boolean;
}

const DOCTYPE = trustedHtml('<!doctype html>');
/** icon.svg without its colours, which are those of the scheme. */
const MARK = trustedHtml(
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect class="mark" width="32" height="32" rx="8"/><path class="arrow" d="M10 8v6a5 5 0 0 0 5 5h8m-5-5 5 5-5 5"/></svg>',
);
const LENS = trustedHtml(
  '<svg class="line" viewBox="0 0 24 24" aria-hidden="true"><path d="M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13m5 11.5L20 20"/></svg>',
);
const LINES = trustedHtml(
  '<svg class="line" viewBox="0 0 24 24" role="img"><title>Menu</title><path d="M4 7h16M4 12h16M4 17h16"/></svg>',
);
const CURRENT = trustedHtml(' aria-current="page"');
/** The log-in page is what a search engine may show of the site. Everything else is the team's own. */
const PRIVATE = trustedHtml('<meta name="robots" content="noindex">\n');

/** For the controls of a page that belong to the search in the header, in their attribute `form`. */
export const SEARCH_FORM = 'search';

export function layout(page: Page): Html {
  const { title, viewer, main, section, search = '', notice = null } = page;
  const flash = viewer === null ? notice : viewer.flash;
  const links = linksTo(section, viewer !== null);
  return html`${DOCTYPE}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#fbfbf9" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#141513" media="(prefers-color-scheme: dark)">
<meta name="description" content="Keeps track of the things of a team: what there is, how many, and where.">
${section === 'log in' ? null : PRIVATE}<title>${flash && flashTitle(flash)}${title} – ${siteName()}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/styles.css">
${SCRIPT_TAG}
</head>
<body>
<a class="skip-link" href="#main">Skip to the content</a>
<header class="site-header">
<div class="bar">
${links.bar}
${search === '' ? links.search : searchForm(search)}
<div class="viewer">
${viewer === null ? visitorButton(section) : viewerButton(viewer.name, section)}
${links.menu}
</div>
</div>
</header>
<main id="main" tabindex="-1">
${flash && flashMessage(flash, viewer?.flashAction ?? null, viewer, !page.focusesField)}${main}
</main>
<footer class="site-footer">
<a href="${href('/help')}">Help</a>
</footer>
</body>
</html>
`;
}

interface Links {
  /** The name of the site, and its sections. */
  readonly bar: Html;
  /** Without text. */
  readonly search: Html;
  /** The same, and what is the user's own. Where there is room for the bar, it has only the latter. */
  readonly menu: Html;
}

/** The same on all pages of a section. */
const known = new Map<string, Links>();

function linksTo(section: Page['section'], hasAccount: boolean): Links {
  const key = `${section} ${hasAccount} ${siteName()}`;
  const links = known.get(key) ?? makeLinks(section, hasAccount);
  known.set(key, links);
  return links;
}

/**
 * Escape closes the menu, as does a click beside it: a `<details>` would stay open. Browsers without popovers show it
 * in the bar.
 */
function makeLinks(section: Page['section'], hasAccount: boolean): Links {
  const link = (path: Href, label: string, name: Page['section']) =>
    html`<a href="${path}"${name === section ? CURRENT : null}>${label}</a>`;
  const sections = [
    link(href('/items'), 'Items', 'items'),
    link(heldHref(), 'Loans', 'loans'),
    ...(hasAccount ? [link(href('/items/history'), 'History', 'history')] : []),
  ];
  const help = link(href('/help'), 'Help', 'help');
  const own = hasAccount
    ? [
        link(href('/account'), 'Account', 'account'),
        link(href('/people'), 'People', 'people'),
        help,
        html`<form method="post" action="${action('/logout')}"><button>Log out</button></form>`,
      ]
    : [help, link(href('/login'), 'Log in', 'log in')];
  return {
    bar: inOnePiece(html`<a class="site-name" href="${href('/items')}" tabindex="-1">${MARK}<span>${siteName()}</span></a>
<nav class="sections" aria-label="Site">
<ul>
${sections.map((one) => html`<li>${one}</li>\n`)}</ul>
</nav>`),
    search: inOnePiece(searchForm('')),
    menu: inOnePiece(html`<nav id="menu" popover aria-label="Menu">
<ul>
${sections.map((one) => html`<li class="in-bar">${one}</li>\n`)}${own.map((one) => html`<li>${one}</li>\n`)}</ul>
</nav>`),
  };
}

function searchForm(search: string): Html {
  return html`<form class="site-search" role="search" id="${SEARCH_FORM}" action="${href('/items')}">
<label class="visually-hidden" for="site-search">Search items</label>
<input type="search" id="site-search" name="q" value="${search}" autocomplete="off" enterkeyhint="search" spellcheck="false">
<button>${LENS}<span class="visually-hidden">Search</span></button>
</form>`;
}

function visitorButton(section: Page['section']): Html {
  const current = section === 'log in' ? CURRENT : null;
  return html`<a href="${href('/login')}"${current}>Log in</a>
<button type="button" class="in-bar" popovertarget="menu">${LINES}</button>`;
}

/** On a phone, lines instead of the name. */
function viewerButton(name: string, section: Page['section']): Html {
  const current =
    section === 'account' || section === 'people' ? trustedHtml(' class="current"') : null;
  return html`<button type="button" popovertarget="menu"${current}>${LINES}<span class="visually-hidden">Logged in as</span> <strong>${name}</strong></button>`;
}
