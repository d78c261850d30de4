/** The form of an item, and the pages of items. */
import { defineForm, type Html, HttpError, html } from 'seeother';
import type { Connection } from 'seeother/database';
import { hiddenField, textField, wholeNumberField } from 'seeother/fields';
import { findItem, type Item } from './database.ts';
import { layout, type Visitor } from './layout.ts';
import { href } from './links.ts';

const fields = {
  name: textField({ label: 'Name', required: 'Enter a name', maxLength: 120 }),
  quantity: wholeNumberField({ label: 'Quantity', min: 0, max: 9999, default: 1 }),
  place: textField({ label: 'Place', maxLength: 120 }),
};

export const itemForm = defineForm(fields);

/** `version` is that of the item when the page was made. */
export const changeForm = defineForm({ ...fields, version: hiddenField({ revision: true }) });

/** Only its button is sent. */
export const deleteForm = defineForm({});

/** The item of an address. Without one, the answer is the page of a 404. */
export async function requireItem(connection: Connection, number: number): Promise<Item> {
  const item = await findItem(connection, number);
  if (item === null) throw new HttpError(404, `There is no item ${number}.`);
  return item;
}

export function itemHref({ number }: Pick<Item, 'number'>) {
  return href('/items/:number<int>', { number });
}

export interface ItemList {
  readonly items: readonly Item[];
  readonly search: string;
  /** The links to the other pages. */
  readonly nav: Html | null;
}

export function listPage({ items, search, nav }: ItemList, visitor: Visitor): Html {
  const rows = items.map(
    (item) => html`<li><a href="${itemHref(item)}">${item.name}</a> ${item.place}</li>\n`,
  );
  return layout(
    search === '' ? 'Items' : `Items with “${search}”`,
    html`<form role="search">
<label for="q">Search</label>
<input type="search" id="q" name="q" value="${search}">
<button>Search</button>
</form>
<p><a href="${href('/items/new')}">Add an item</a></p>
${items.length === 0 ? html`<p>There are no items here.</p>` : html`<ul>\n${rows}</ul>`}
${nav}`,
    visitor,
  );
}

export function itemPage(item: Item, visitor: Visitor): Html {
  const { number, name } = item;
  return layout(
    name,
    html`${describe(item)}
<p><a href="${href('/items/:number<int>/edit', { number })}">Change</a>
<a href="${href('/items/:number<int>/delete', { number })}">Delete</a></p>`,
    visitor,
  );
}

export function describe({ number, quantity, place }: Item): Html {
  return html`<dl>
<dt>Number</dt><dd>${number}</dd>
<dt>Quantity</dt><dd>${quantity}</dd>
<dt>Place</dt><dd>${place === '' ? 'unknown' : place}</dd>
</dl>`;
}
