/** The pages as Hono's `html` helper writes them; it escapes what stands in `${}`. */
import { html } from 'hono/html';
import { formatNumber, formatTime } from '../data/format.ts';
import type { Item, ItemPage, User } from '../data/store.ts';

type Html = ReturnType<typeof html>;

export function listPage(user: User | null, { items, itemCount, page, pageCount }: ItemPage): Html {
  return layout(
    'Items',
    user,
    html`<div class="page-head">
<h1>Items <span class="count">${formatNumber(itemCount)} items</span></h1>
<a class="button" href="/items/new">Add item</a>
</div>
<table class="items">
<caption>Newest first</caption>
<thead>
<tr><th scope="col">Name</th><th scope="col" class="number">Quantity</th><th scope="col">Location</th><th scope="col">Tags</th><th scope="col">Changed</th></tr>
</thead>
<tbody>
${items.map(itemRow)}</tbody>
</table>
${pageCount > 1 ? pageLinks(page, pageCount) : ''}`,
  );
}

export function problemsPage(user: User | null, errors: readonly string[]): Html {
  return layout(
    'Check what you typed',
    user,
    html`<h1>Check what you typed</h1>
<ul>
${errors.map((error) => html`<li>${error}</li>`)}</ul>`,
  );
}

function itemRow({ number, name, quantity, location, tags, updatedAt }: Item): Html {
  return html`<tr>
<th scope="row"><a href="/items/${number}">${name}</a></th>
<td data-label="Quantity" class="number">${formatNumber(quantity)}</td>
<td data-label="Location">${location || '–'}</td>
<td data-label="Tags">${tags.length === 0 ? '–' : html`<ul class="tags">${tags.map((tag) => html`<li>${tag}</li>`)}</ul>`}</td>
<td data-label="Changed"><time datetime="${updatedAt.toISOString()}">${formatTime(updatedAt)}</time></td>
</tr>
`;
}

function pageLinks(page: number, pageCount: number): Html {
  const link = (to: number, label: string, relation: string) =>
    html`<li><a rel="${relation}" href="/items?page=${to}">${label}</a></li>`;
  return html`<nav class="pages" aria-label="Pages">
<ul>
${page > 1 ? link(page - 1, '← Newer', 'prev') : ''}
<li><span aria-current="page">Page ${page} of ${pageCount}</span></li>
${page < pageCount ? link(page + 1, 'Older →', 'next') : ''}
</ul>
</nav>`;
}

function layout(title: string, user: User | null, main: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Things</title>
<link rel="stylesheet" href="/styles.css">
</head>
<body>
<a class="skip-link" href="#main">Skip to the content</a>
<header class="site-header">
<div class="bar">
<a class="site-name" href="/items">Things</a>
<nav aria-label="Site">
<ul>
<li><a href="/items" aria-current="page">Items</a></li>
<li><a href="/items/new">Add item</a></li>
</ul>
</nav>
${user === null ? html`<div class="viewer"><a href="/login">Log in</a></div>` : viewerControls(user)}
</div>
</header>
<main id="main" tabindex="-1">
${main}
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

function viewerControls({ username }: User): Html {
  return html`<div class="viewer">
<span>Logged in as <strong>${username}</strong></span>
<a href="/account">Account</a>
<form method="post" action="/logout"><button class="quiet">Log out</button></form>
</div>`;
}
