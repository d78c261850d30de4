/** The search form of the list. It is sent with GET, so the address contains the query. */
import { type Html, html, trustedHtml } from 'seeother';
import { filtersHref, href } from '../../links.ts';
import type { ItemQuery } from '../item-query.ts';
import { STATUS_NAMES, STATUSES } from '../item-status.ts';
import { ORDER_NAMES } from './order-names.ts';

export function searchForm(query: ItemQuery): Html {
  const { search, tag, location, show, order } = query;
  return html`<form class="search" role="search" action="${href('/items')}">
<label for="q">Search items</label>
<div class="search-line">
<input type="search" id="q" name="q" value="${search}" autocomplete="off" enterkeyhint="search" spellcheck="false">
<button class="quiet">Search</button>
</div>
<details>
<summary>Filters and order</summary>
<div class="search-fields">
<div><label for="tag">Tag</label><input id="tag" name="tag" value="${tag}" autocomplete="off" autocapitalize="none"></div>
<div><label for="location">Location</label><input id="location" name="location" value="${location}" autocomplete="off"></div>
<div><label for="show">Show</label><select id="show" name="show">
<option value="">All items</option>
${STATUSES.map((status) => option(status, STATUS_NAMES[status], show))}</select></div>
<div><label for="sort">Order</label><select id="sort" name="sort">
${Object.entries(ORDER_NAMES).map(([name, label]) => option(name, label, order))}</select></div>
<button class="quiet">Apply</button>
<a href="${filtersHref(query)}">Choose a location or tag</a>
</div>
</details>
</form>`;
}

function option(name: string, label: string, chosen: string): Html {
  return html`<option value="${name}"${name === chosen ? trustedHtml(' selected') : null}>${label}</option>\n`;
}
