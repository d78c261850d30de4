/** The pages as strings built by hand, with escaping: for node:http and Hono. */
import { formatNumber, splitLocation } from '../data/format.ts';
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
<h1>Items <span class="count visually-hidden">${formatNumber(itemCount)} items</span></h1>
<div class="page-tools">
<a class="button quiet" href="/items/select">Select</a>
<button type="button" class="quiet" popovertarget="list-tools" aria-label="More tools">…</button>
<ul id="list-tools" popover>
<li><a href="/items/count">Count</a></li>
<li><a href="/items/import">Import</a></li>
<li><a href="/items.csv" download>Download</a></li>
<li><a href="/items/print">Print</a></li>
<li><a href="/items/locations">Locations</a></li>
<li><a href="/items/tags">Tags</a></li>
<li><a href="/account/list">Columns</a></li>
</ul>
</div>
<a class="button" href="/items/new">Add<span class="rest"> item</span></a>
</div>
<div class="beside-facets">
<section class="facets" aria-label="Locations and tags">
<h2>Locations</h2>
<ul>
${locations.map(facetLink).join('')}</ul>
<h2>Tags</h2>
<ul>
${tags.map(facetLink).join('')}</ul>
<p><a href="/items/filters">All locations and tags</a></p>
</section>
<div>
<nav class="tabs" aria-label="Status"><ul>
<li><a href="/items" aria-current="true">All <span class="count">${formatNumber(itemCount)}</span></a></li>
<li><a href="/items?show=lent">Lent <span class="count">0</span></a></li>
<li><a href="/items?show=low">Low <span class="count">0</span></a></li>
<li><a href="/items?show=overdue">Overdue <span class="count">0</span></a></li>
</ul></nav>
${SEARCH_FIELDS}
<table class="items" id="list">
<caption class="visually-hidden">Newest first</caption>
<thead data-in-place>
<tr><th scope="col" class="name"><a href="/items?sort=name" title="Name, A to Z">Name</a></th><th scope="col" class="number"><a href="/items?sort=quantity" title="Quantity, lowest first">Quantity</a></th><th scope="col" class="location">Location</th><th scope="col" class="tagged">Tags</th></tr>
</thead>
<tbody>
${rows}</tbody>
</table>
${pageCount > 1 ? pageLinks(page, pageCount) : ''}
</div>
</div>`,
  );
}

export function problemsPage(user: User | null, errors: readonly string[]): string {
  const list = errors.map((error) => `<li>${escapeHtml(error)}</li>\n`).join('');
  return layout('Check what you typed', user, `<h1>Check what you typed</h1>\n<ul>\n${list}</ul>`);
}

const SEARCH_FIELDS = `<div class="search">
<details>
<summary>Filters and order: Newest first</summary>
<div class="search-fields">
<div><label for="tag">Tag</label><input id="tag" name="tag" form="search" value="" autocomplete="off" autocapitalize="none"></div>
<div><label for="location">Location</label><input id="location" name="location" form="search" value="" autocomplete="off"></div>
<div><label for="sort">Order</label><select id="sort" name="sort" form="search">
<option value="newest" selected>Newest first</option>
<option value="oldest">Oldest first</option>
<option value="name">Name, A to Z</option>
<option value="-name">Name, Z to A</option>
<option value="quantity">Quantity, lowest first</option>
<option value="-quantity">Quantity, highest first</option>
<option value="-changed">Most recently changed first</option>
<option value="changed">Least recently changed first</option>
</select></div>
<button class="quiet" form="search">Apply</button>
<a href="/items/filters">Choose a location or tag</a>
</div>
</details>
</div>`;

function itemRow({ number, name, quantity, location, tags }: Item): string {
  return `<tr>
<th scope="row"><a href="/items/${number}">${escapeHtml(name)}</a></th>
<td class="number">${formatNumber(quantity)}</td>
<td class="location">${locationPath(location)}</td>
<td class="tagged">${escapeHtml(tags.join(', '))}</td>
</tr>
`;
}

function locationPath(location: string): string {
  const levels = splitLocation(location);
  if (levels.length === 1) return escapeHtml(location);
  return `<span class="path">${levels.map((level) => `<span>${escapeHtml(level)}</span>`).join('')}</span>`;
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
<nav class="sections" aria-label="Site">
<ul>
<li><a href="/items" aria-current="page">Items</a></li>
<li><a href="/items/held">Loans</a></li>
<li><a href="/items/history">History</a></li>
</ul>
</nav>
<form class="site-search" role="search" id="search" action="/items">
<label class="visually-hidden" for="site-search">Search items</label>
<input type="search" id="site-search" name="q" value="" autocomplete="off" enterkeyhint="search" spellcheck="false">
<button><svg class="line" viewBox="0 0 24 24" aria-hidden="true"><path d="M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13m5 11.5L20 20"/></svg><span class="visually-hidden">Search</span></button>
</form>
<div class="viewer">
${user === null ? '<a href="/login">Log in</a>' : viewerControls(user)}
</div>
</div>
</header>
<main id="main" tabindex="-1">
${main}
</main>
<footer class="site-footer">
<a href="/help">Help</a>
</footer>
</body>
</html>
`;
}

function viewerControls({ username }: User): string {
  return `<button type="button" popovertarget="menu"><svg class="line" viewBox="0 0 24 24" role="img"><title>Menu</title><path d="M4 7h16M4 12h16M4 17h16"/></svg><span class="visually-hidden">Logged in as</span> <strong>${escapeHtml(username)}</strong></button>
<nav id="menu" popover aria-label="Menu">
<ul>
<li class="in-bar"><a href="/items" aria-current="page">Items</a></li>
<li class="in-bar"><a href="/items/held">Loans</a></li>
<li class="in-bar"><a href="/items/history">History</a></li>
<li><a href="/account">Account</a></li>
<li><a href="/people">People</a></li>
<li><a href="/help">Help</a></li>
<li><form method="post" action="/logout"><button>Log out</button></form></li>
</ul>
</nav>`;
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
