/** The pages as strings built by hand, with escaping: for node:http and Hono. */
import { formatDay, formatNumber, formatTime } from '../data/format.ts';
import type { Facet, Item, ItemPage, User } from '../data/store.ts';

export function listPage(user: User | null, list: ItemPage) {
  const { items, itemCount, page, pageCount, locations, tags } = list;
  let rows = '';
  for (const item of items) rows += itemRow(item);
  return layout(
    'Items',
    user,
    `<a class="skip-link" href="#list">Skip to the list</a>
<div class="page-head">
<h1>Items <span class="count">${formatNumber(itemCount)} items</span></h1>
<nav class="page-tools" aria-label="Tools"><details>
<summary>Tools</summary>
<ul>
<li><a href="/items/select">Select</a></li>
<li><a href="/items/count">Count</a></li>
<li><a href="/items/import">Import</a></li>
<li><a href="/items.csv" download>Download</a></li>
<li><a href="/items/print">Print</a></li>
<li><a href="/items/locations">Locations</a></li>
<li><a href="/items/tags">Tags</a></li>
<li><a href="/account/list">Columns</a></li>
</ul>
</details></nav>
<a class="button" href="/items/new">Add item</a>
</div>
<div class="beside-facets">
<div>
${SEARCH_FORM}
<table class="items" id="list">
<caption>Newest first</caption>
<thead data-in-place>
<tr><th scope="col" class="name"><a href="/items?sort=name" title="Name, A to Z">Name</a></th><th scope="col" class="number"><a href="/items?sort=quantity" title="Quantity, lowest first">Quantity</a></th><th scope="col" class="location">Location</th><th scope="col" class="tagged">Tags</th><th scope="col" class="changed"><a href="/items?sort=-changed" title="Most recently changed first">Changed</a></th></tr>
</thead>
<tbody>
${rows}</tbody>
</table>
${pageCount > 1 ? pageLinks(page, pageCount) : ''}
</div>
<section class="facets" aria-label="Locations and tags">
<h2>Locations</h2>
<ul>
${locations.map(facetLink).join('')}</ul>
<h2>Tags</h2>
<ul>
${tags.map(facetLink).join('')}</ul>
<p><a href="/items/filters">All locations and tags</a></p>
</section>
</div>`,
  );
}

export function problemsPage(user: User | null, errors: readonly string[]): string {
  const list = errors.map((error) => `<li>${escapeHtml(error)}</li>\n`).join('');
  return layout('Check what you typed', user, `<h1>Check what you typed</h1>\n<ul>\n${list}</ul>`);
}

const SEARCH_FORM = `<form class="search" role="search" action="/items">
<label for="q">Search items</label>
<div class="search-line">
<input type="search" id="q" name="q" value="" autocomplete="off" enterkeyhint="search" spellcheck="false">
<button class="quiet">Search</button>
</div>
<details>
<summary>Filters and order</summary>
<div class="search-fields">
<div><label for="tag">Tag</label><input id="tag" name="tag" value="" autocomplete="off" autocapitalize="none"></div>
<div><label for="location">Location</label><input id="location" name="location" value="" autocomplete="off"></div>
<div><label for="show">Show</label><select id="show" name="show">
<option value="">All items</option>
<option value="overdue">Overdue</option>
<option value="lent">Lent</option>
<option value="low">Running low</option>
</select></div>
<div><label for="sort">Order</label><select id="sort" name="sort">
<option value="newest" selected>Newest first</option>
<option value="oldest">Oldest first</option>
<option value="name">Name, A to Z</option>
<option value="-name">Name, Z to A</option>
<option value="quantity">Quantity, lowest first</option>
<option value="-quantity">Quantity, highest first</option>
<option value="-changed">Most recently changed first</option>
<option value="changed">Least recently changed first</option>
</select></div>
<button class="quiet">Apply</button>
<a href="/items/filters">Choose a location or tag</a>
</div>
</details>
</form>`;

function itemRow({ number, name, quantity, location, tags, updatedAt }: Item): string {
  return `<tr>
<th scope="row"><a href="/items/${number}">${escapeHtml(name)}</a></th>
<td class="number">${formatNumber(quantity)}</td>
<td class="location">${escapeHtml(location)}</td>
<td class="tagged">${escapeHtml(tags.join(', '))}</td>
<td class="changed"><time datetime="${updatedAt.toISOString()}" title="${formatTime(updatedAt)}">${formatDay(updatedAt)}</time></td>
</tr>
`;
}

function facetLink({ name, count, address }: Facet): string {
  return `<li><a href="${escapeHtml(address)}">${escapeHtml(name)}</a> <span class="count">${formatNumber(count)}</span></li>
`;
}

function pageLinks(page: number, pageCount: number): string {
  const link = (to: number, label: string, relation = '') =>
    `<li><a${relation === '' ? '' : ` rel="${relation}"`} href="/items?page=${to}">${label}</a></li>`;
  return `<nav class="pages" aria-label="Pages">
<ul>
${page > 2 ? link(1, 'First') : ''}
${page > 1 ? link(page - 1, '← Newer', 'prev') : ''}
<li><span aria-current="page">Page ${page} of ${pageCount}</span></li>
${page < pageCount ? link(page + 1, 'Older →', 'next') : ''}
${page < pageCount - 1 ? link(pageCount, 'Last') : ''}
</ul>
</nav>`;
}

function layout(title: string, user: User | null, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#fbfbf9" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#141513" media="(prefers-color-scheme: dark)">
<meta name="description" content="Keeps track of the things of a team: what there is, how many, and where.">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} – Seeother</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/styles.css">
<script type="module" src="/seeother.js" integrity="sha256-q9WzeS5bodwnRIu5feR82hpcK2RSMa6izHk81EyuX5E="></script>
</head>
<body>
<a class="skip-link" href="#main">Skip to the content</a>
<header class="site-header">
<div class="bar">
<a class="site-name" href="/items" tabindex="-1"><svg viewBox="0 0 32 32" aria-hidden="true"><rect class="mark" width="32" height="32" rx="8"/><path class="arrow" d="M10 8v6a5 5 0 0 0 5 5h8m-5-5 5 5-5 5"/></svg><span>Seeother</span></a>
<nav aria-label="Site">
<ul>
<li><a href="/items" aria-current="page">Items</a></li>
${user === null ? '' : '<li><a href="/items/history">History</a></li>\n'}</ul>
</nav>
${user === null ? '<div class="viewer"><a href="/login">Log in</a></div>' : viewerControls(user)}
</div>
</header>
<main id="main" tabindex="-1">
${main}
</main>
<footer class="site-footer">
<details>
<summary>Help</summary>
<p>Your things and accounts are kept on your team’s own server. If you cannot log in, or something does not work, ask the person who runs it.</p>
<p>Days and times are those of UTC.</p>
</details>
</footer>
</body>
</html>
`;
}

function viewerControls({ username }: User): string {
  return `<div class="viewer">
<button type="button" popovertarget="viewer-menu"><span class="visually-hidden">Logged in as</span> <strong>${escapeHtml(username)}</strong></button>
<ul id="viewer-menu" popover>
<li><a href="/account">Account</a></li>
<li><a href="/people">People</a></li>
<li><form method="post" action="/logout"><button>Log out</button></form></li>
</ul>
</div>`;
}

const UNSAFE = /[&<>"']/;
const EVERY_UNSAFE = /[&<>"']/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Most texts have nothing to escape: those are returned as they are. */
function escapeHtml(text: string): string {
  return UNSAFE.test(text) ? text.replace(EVERY_UNSAFE, (one) => ESCAPES[one] ?? one) : text;
}
