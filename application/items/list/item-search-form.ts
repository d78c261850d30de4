/** The filters and the order of the list. They are sent with the search in the header, so the address has all of it. */
import { type Html, html, trustedHtml } from 'seeother';
import { filtersHref } from '../../links.ts';
import type { Definitions } from '../../own-fields/definitions.ts';
import { SEARCH_FORM } from '../../site/layout.ts';
import type { ItemQuery } from '../item-query.ts';
import { ORDER_NAMES, orderName } from './order-names.ts';
import { ownFilterControls, ownOrders } from './own-filter-controls.ts';

export function searchFields(query: ItemQuery, definitions: Definitions): Html {
  const { tag, location, show, order } = query;
  return html`<div class="search">${show === '' ? null : html`<input type="hidden" name="show" form="${SEARCH_FORM}" value="${show}">`}
<details>
<summary>Filters and order: ${orderName(query, definitions)}</summary>
<div class="search-fields">
<div><label for="tag">Tag</label><input id="tag" name="tag" form="${SEARCH_FORM}" value="${tag}" autocomplete="off" autocapitalize="none"></div>
<div><label for="location">Location</label><input id="location" name="location" form="${SEARCH_FORM}" value="${location}" autocomplete="off"></div>
<div><label for="sort">Order</label><select id="sort" name="sort" form="${SEARCH_FORM}">
${[...Object.entries(ORDER_NAMES), ...ownOrders(query, definitions)].map(([name, label]) => option(name, label, order))}</select></div>
${ownFilterControls(query, definitions)}<button class="quiet" form="${SEARCH_FORM}">Apply</button>
<a href="${filtersHref(query)}">Choose a location or tag</a>
</div>
</details>
</div>`;
}

function option(name: string, label: string, chosen: string): Html {
  return html`<option value="${name}"${name === chosen ? trustedHtml(' selected') : null}>${label}</option>\n`;
}
