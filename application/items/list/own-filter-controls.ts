/**
 * The controls of the filters by the kind of things and by fields of the team's own, in the folded form of the list.
 * They are sent with the search in the header, and their names are those of the address.
 */
import { type Html, html, trustedHtml } from 'seeother';
import { type Definitions, fieldsOfKind, type OwnField } from '../../own-fields/definitions.ts';
import { choicesOf, isSortable, VALUE_KINDS } from '../../own-fields/own-field.ts';
import { SEARCH_FORM } from '../../site/layout.ts';
import type { ItemQuery } from '../item-query.ts';
import type { OwnFilter } from '../own-filter.ts';
import { ownOrderName } from './order-names.ts';

/** The fields that the listed things can have: of a list of one kind, those of that kind. */
function filterFields({ kind }: ItemQuery, definitions: Definitions): readonly OwnField[] {
  if (kind === '') return definitions.fields;
  return fieldsOfKind(definitions, kind === 'none' ? null : Number(kind));
}

/** Null where the team has defined nothing. */
export function ownFilterControls(query: ItemQuery, definitions: Definitions): Html | null {
  const { kinds } = definitions;
  const fields = filterFields(query, definitions);
  if (kinds.length + fields.length === 0) return null;
  const kind = [
    ['', 'Any'],
    ...kinds.map(({ id, name }) => [String(id), name] as const),
    ['none', 'None'],
  ] as const;
  return html`${kinds.length === 0 ? null : html`<div><label for="kind">Kind</label>${select('kind', kind, query.kind)}</div>\n`}${fields.map(
    (field) => {
      const filter = query.own.find((one) => one.field === field.id) ?? NO_FILTER;
      return html`<div>${control(field, filter)}</div>\n`;
    },
  )}`;
}

/** For the select of the orders. */
export function ownOrders(
  query: ItemQuery,
  definitions: Definitions,
): readonly (readonly [order: string, name: string])[] {
  return filterFields(query, definitions)
    .filter(({ kind }) => isSortable(kind))
    .flatMap((field) => {
      const { name } = field;
      const down = `-${name}` as const;
      return [
        [name, ownOrderName(field, name)],
        [down, ownOrderName(field, down)],
      ] as const;
    });
}

const NO_FILTER: Omit<OwnFilter, 'field'> = { how: '', text: '', from: '', to: '' };
type Choices = readonly (readonly [value: string, label: string])[];

const WITH_VALUE: Choices = [
  ['any', 'has a value'],
  ['empty', 'is empty'],
];

function control(field: OwnField, filter: Omit<OwnFilter, 'field'>): Html {
  const { name, label, kind } = field;
  const how = (choices: Choices) =>
    select(`${name}_how`, choices, filter.how, `How to compare ${label}`);
  switch (VALUE_KINDS[kind].filter) {
    case 'choice': {
      const offered = choicesOf(field).filter(isOffered(filter));
      const choices = offered.map(({ id, label }) => [id, label] as const);
      return html`<label for="${name}">${label}</label>${select(name, [['', 'Any'], ...choices], filter.text)}${how([['', 'is'], ...WITH_VALUE])}`;
    }
    case 'bounds': {
      const isDate = kind === 'date';
      const bound = (end: 'from' | 'to') =>
        html`<input id="${name}_${end}" name="${name}_${end}" form="${SEARCH_FORM}" value="${filter[end]}" aria-label="${label}, ${end}"${isDate ? DATE : DECIMAL}>`;
      const unit = field.unit === '' ? '' : ` (${field.unit})`;
      return html`<label for="${name}_from">${label}${unit}</label><span class="range">${bound('from')} to ${bound('to')}</span>${how([['', 'between'], ...WITH_VALUE])}`;
    }
    case 'words':
      return html`<label for="${name}">${label}</label><input id="${name}" name="${name}" form="${SEARCH_FORM}" value="${filter.text}" autocomplete="off">${how([['', 'contains'], ['is', 'is'], ...WITH_VALUE])}`;
  }
}

/** A choice that was removed stays while it is the filter. */
function isOffered({ text }: Omit<OwnFilter, 'field'>) {
  return ({ id, removed }: { readonly id: string; readonly removed?: true }) =>
    removed !== true || id === text;
}

const DATE = trustedHtml(' type="date"');
const DECIMAL = trustedHtml(' inputmode="decimal" autocomplete="off"');
const SELECTED = trustedHtml(' selected');

function select(name: string, choices: Choices, chosen: string, label?: string): Html {
  const named = label === undefined ? null : html` aria-label="${label}"`;
  return html`<select id="${name}" name="${name}" form="${SEARCH_FORM}"${named}>
${choices.map(([value, text]) => html`<option value="${value}"${value === chosen ? SELECTED : null}>${text}</option>\n`)}</select>`;
}
