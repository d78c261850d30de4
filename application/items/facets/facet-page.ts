/** The page of all locations or all tags, and the form to rename one. */
import {
  errorSummary,
  type FilledForm,
  type FormError,
  formField,
  formTitle,
  type Html,
  html,
  onceField,
} from 'seeother';
import { action, facetsHref, href, listHref, renameHref } from '../../links.ts';
import { formatCount, formatNumber } from '../../site/format.ts';
import { layout, mayChangeItems, type Viewer } from '../../site/layout.ts';
import type { FacetField } from '../facets.ts';
import { FACET_NAMES, type RenameFields } from '../rename/rename-form.ts';
import type { FacetPage, NamedCount } from './facet-list.ts';
import { suggestionList } from './suggestions.ts';

const TITLES = { location: 'Locations', tag: 'Tags' } as const;

export interface FacetsView {
  readonly viewer: Viewer;
  readonly field: FacetField;
  readonly page: FacetPage;
}

export function facetsPage({ viewer, field, page }: FacetsView): Html {
  const mayChange = mayChangeItems(viewer);
  const { many } = FACET_NAMES[field];
  const next = page.next === null ? null : facetsHref(field, page.next);
  return layout({
    title: `${TITLES[field]} – Items`,
    viewer,
    section: 'items',
    main: html`<p class="back"><a href="${href('/items')}">← Items</a></p>
<h1>${TITLES[field]}</h1>
${
  page.names.length === 0
    ? html`<p class="empty">No item has a ${FACET_NAMES[field].one} yet.</p>`
    : html`<table class="names">
<caption class="visually-hidden">All ${many} and the number of their items</caption>
<thead><tr><th scope="col">Name</th><th scope="col" class="number">Items</th>${mayChange ? html`<th scope="col"><span class="visually-hidden">Change</span></th>` : null}</tr></thead>
<tbody>
${page.names.map((one) => row(field, one, mayChange))}</tbody>
</table>`
}
${next === null ? null : html`<nav class="pages" aria-label="Pages"><ul><li><a rel="next" href="${next}">More →</a></li></ul></nav>`}
<p class="export">${field === 'location' ? html`<a href="${facetsHref('tag')}">Tags</a>` : html`<a href="${facetsHref('location')}">Locations</a>`}</p>`,
  });
}

function row(field: FacetField, { name, items, inside }: NamedCount, mayChange: boolean): Html {
  const list = field === 'location' ? { location: name } : { tag: name };
  const more = inside === 0 ? '' : ` + ${formatNumber(inside)} inside`;
  return html`<tr>
<th scope="row"><a class="word" href="${listHref(list)}">${name}</a></th>
<td class="number">${formatNumber(items)}${more}</td>
${mayChange ? html`<td class="change"><a class="word" href="${renameHref(field, name)}">Rename<span class="visually-hidden"> ${name}</span></a></td>\n` : null}</tr>
`;
}

export interface RenameView {
  readonly viewer: Viewer;
  readonly field: FacetField;
  /** The name to change, with the number of its items. */
  readonly from: NamedCount;
  readonly form: FilledForm<RenameFields>;
  readonly errors: readonly FormError<RenameFields>[];
  /** The other name that it would be merged with, to be confirmed. */
  readonly target: NamedCount | null;
  /** The names to suggest. */
  readonly names: readonly string[];
}

export function renamePage({ viewer, field, from, form, errors, target, names }: RenameView): Html {
  const { one } = FACET_NAMES[field];
  const count = from.items + from.inside;
  return layout({
    title: formTitle(`Rename the ${one} ${from.name} – Items`, errors),
    viewer,
    section: 'items',
    main: html`${errorSummary(errors)}
<p class="back"><a href="${facetsHref(field)}">← ${TITLES[field]}</a></p>
<h1>Rename the ${one} “${from.name}”</h1>
<p>${formatCount(count, 'item has', 'items have')} it.${field === 'location' ? html` What is inside it moves along: “${from.name}, shelf 1” becomes “new name, shelf 1”.` : null}</p>
<form class="form" method="post" action="${action('/items/rename', {}, { send: '' })}" novalidate>
${onceField(form)}<input type="hidden" name="field" value="${field}">${formField(form, 'from', errors)}
${formField(form, 'to', errors)}
${suggestionList('names', names)}
${target === null ? null : mergeNotice(one, from, target)}
<div class="actions"><button>${target === null ? 'Rename' : 'Merge'}</button> <a href="${facetsHref(field)}">Cancel</a></div>
</form>`,
  });
}

function mergeNotice(one: string, from: NamedCount, target: NamedCount): Html {
  return html`<div class="notice"><p>There is a ${one} “${target.name}” already, with ${formatCount(target.items + target.inside, 'item', 'items')}. “${from.name}” becomes part of it. Undo separates them again.</p></div>
<input type="hidden" name="merge" value="${target.name}">`;
}
