/** The kinds of things and the fields of the team's own: everybody sees them, and administrators change them. */
import { type Html, html } from 'seeother';
import { fieldChangesHref, fieldHref, href, kindHref, newFieldHref } from '../../links.ts';
import type { Definitions, ItemKind, OwnField } from '../../own-fields/definitions.ts';
import { kindIcon } from '../../own-fields/icons.ts';
import { formatCount, formatNumber } from '../../site/format.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import { valueName } from './field-form.ts';

export interface FieldsView {
  readonly viewer: Viewer;
  readonly definitions: Definitions;
}

export function fieldsPage({ viewer, definitions }: FieldsView): Html {
  const isAdministrator = viewer?.role === 'administrator';
  const { kinds, fields } = definitions;
  const isEmpty = kinds.length + fields.length === 0;
  return layout({
    title: 'Kinds and fields – Items',
    viewer,
    section: 'items',
    main: html`<p class="back"><a href="${href('/items')}">← Items</a></p>
<div class="page-head">
<h1>Kinds and fields</h1>
${isAdministrator ? html`<div class="page-tools"><a class="button" href="${newFieldHref()}">Add field</a> <a class="button quiet" href="${href('/fields/kinds/new')}">Add kind</a></div>\n` : null}</div>
<p>${isEmpty ? 'Besides what every thing has, such as a name and a location, things can have fields of your own: a price, a condition, a warranty. ' : null}${isAdministrator ? 'A field is for all things, or for one kind of things, such as cameras.' : 'Ask an administrator to add or change fields.'}</p>
${section(
  'All things',
  'all',
  fields.filter(({ itemKind }) => itemKind === null),
  'There is no field for all things yet.',
  isAdministrator,
)}
${kinds.map((kind) => kindSection(kind, definitions, isAdministrator))}
<p class="tools">${isAdministrator && kinds.length + fields.length > 1 ? html`<a href="${href('/fields/order')}">Change the order</a> ` : null}<a href="${fieldChangesHref()}">Changes</a></p>`,
  });
}

function kindSection(kind: ItemKind, { fields }: Definitions, isAdministrator: boolean): Html {
  const { id, name, icon, minimum } = kind;
  const own = fields.filter(({ itemKind }) => itemKind === id);
  const title = html`${kindIcon(icon)} ${isAdministrator ? html`<a href="${kindHref(id)}">${name}</a>` : name}`;
  const about =
    minimum === null
      ? null
      : html`<p class="details">New ones have the minimum ${formatNumber(minimum)}.</p>\n`;
  const add = isAdministrator
    ? html`<p><a href="${newFieldHref(id)}">Add a field<span class="visually-hidden"> for ${name}</span></a></p>\n`
    : null;
  const none = 'There is no field for this kind alone yet.';
  return html`${section(title, `kind-${id}`, own, none, isAdministrator, about)}${add}`;
}

function section(
  title: Html | string,
  id: string,
  fields: readonly OwnField[],
  none: string,
  isAdministrator: boolean,
  about: Html | null = null,
): Html {
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${about}${
  fields.length === 0
    ? html`<p class="empty">${none}</p>`
    : html`<ul class="own-fields">
${fields.map((field) => html`<li>${isAdministrator ? html`<a href="${fieldHref(field.id)}">${field.label}</a>` : html`<strong>${field.label}</strong>`} <span class="details">${describeField(field)}</span></li>\n`)}</ul>`
}
</section>
`;
}

/** "Money in EUR, required, shown in the list". */
function describeField(field: OwnField): string {
  const { kind, unit, choices, required, inList, searched } = field;
  const count = choices.filter(({ removed }) => removed !== true).length;
  const said = [
    `${valueName(kind)}${unit === '' ? '' : ` in ${unit}`}`,
    count === 0 ? '' : formatCount(count, 'choice', 'choices'),
    required ? 'required' : '',
    inList ? 'shown in the list' : '',
    searched ? 'searched' : '',
  ];
  return said.filter((text) => text !== '').join(', ');
}
