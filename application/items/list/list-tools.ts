/**
 * What can be done with the whole list, beside its heading: to select items, and the rest in a menu, which Escape
 * closes without a script. The texts do not change with the filter, so that they are found in the same place.
 */
import { type Html, html } from 'seeother';
import {
  countHref,
  exportHref,
  fieldsHref,
  href,
  labelsHref,
  placesHref,
  printHref,
  selectHref,
  tagsHref,
} from '../../links.ts';
import type { ItemQuery } from '../item-query.ts';
import { toSelectPage } from '../matching-items.ts';

interface ListToolsView {
  readonly query: ItemQuery;
  readonly page: number;
  readonly mayChange: boolean;
  readonly hasAccount: boolean;
}

export function listTools({ query, page, mayChange, hasAccount }: ListToolsView): Html {
  const changing = [
    html`<a href="${countHref(query)}">Count</a>`,
    html`<a href="${labelsHref(query)}">Labels</a>`,
    html`<a href="${href('/scan')}">Scan</a>`,
    html`<a href="${href('/items/import')}">Import</a>`,
  ];
  const links = [
    ...(mayChange ? changing : []),
    html`<a href="${exportHref(query)}" download>Download</a>`,
    html`<a href="${printHref(query)}">Print</a>`,
    html`<a href="${placesHref()}">Places</a>`,
    html`<a href="${tagsHref()}">Tags</a>`,
    ...(hasAccount
      ? [
          html`<a href="${href('/account/list')}">Columns</a>`,
          html`<a href="${fieldsHref()}">Kinds and fields</a>`,
        ]
      : []),
  ];
  return html`<div class="page-tools">
${mayChange ? html`<a class="button quiet" href="${selectHref(query, toSelectPage(page), { back: page })}">Select</a>\n` : null}<button type="button" class="quiet" popovertarget="list-tools" aria-label="More tools">…</button>
<ul id="list-tools" popover>
${links.map((link) => html`<li>${link}</li>\n`)}</ul>
</div>
`;
}
