/** The frame of every page: skip link, navigation, current user, one main part, help. */
import { type Href, type Html, html, type Request, trustedHtml } from 'seeother';
import { action, href } from '../links.ts';
import { flashMessage } from './flash-message.ts';

/** What a page is made for: the session of the context, or on an error page that of the request. */
interface ViewedBy {
  readonly session: Request['state']['session'];
  readonly flash: string | null;
}

/** The current user and the flash message; null for a visitor who is not logged in. */
export type Viewer = { readonly username: string; readonly flash: string | null } | null;

export function toViewer({ session, flash }: ViewedBy): Viewer {
  return session === null ? null : { username: session.user.name, flash };
}

/** The content of a page, the same for every user. */
export interface Fragment {
  /** The title of the page, without the name of the site. */
  readonly title: string;
  readonly main: Html;
  /** The section of the navigation that the page belongs to. */
  readonly section?: 'items' | 'new item' | 'log in' | 'account';
}

export interface Page extends Fragment {
  readonly viewer: Viewer;
}

const SITE = 'Seeother';
const DOCTYPE = trustedHtml('<!doctype html>');

export function layout({ title, viewer, main, section }: Page): Html {
  return html`${DOCTYPE}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – ${SITE}</title>
<link rel="stylesheet" href="/styles.css">
</head>
<body>
<a class="skip-link" href="#main">Skip to the content</a>
<header class="site-header">
<div class="bar">
<a class="site-name" href="${href('/items')}">${SITE}</a>
<nav aria-label="Site">
<ul>
<li>${navigationLink(href('/items'), 'Items', section === 'items')}</li>
<li>${navigationLink(href('/items/new'), 'Add item', section === 'new item')}</li>
</ul>
</nav>
${viewer === null ? visitorLinks(section) : viewerControls(viewer.username, section)}
</div>
</header>
<main id="main" tabindex="-1">
${viewer === null || viewer.flash === null ? null : flashMessage(viewer.flash)}${main}
</main>
<footer class="site-footer">
<details>
<summary>Help</summary>
<p>Your things and accounts are kept on your team’s own server. If you cannot log in, or something does not work, ask the person who runs it.</p>
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

function viewerControls(username: string, section: Page['section']): Html {
  return html`<div class="viewer">
<span>Logged in as <strong>${username}</strong></span>
${navigationLink(href('/account'), 'Account', section === 'account')}
<form method="post" action="${action('/logout')}"><button class="quiet">Log out</button></form>
</div>`;
}
