/** What each column of a file becomes, with some of its values beside it. */
import {
  errorSummary,
  type FilledForm,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
} from 'seeother';
import { action, href, importHref } from '../links.ts';
import type { OwnFieldKind } from '../own-fields/own-field.ts';
import { formatCount, formatNumber } from '../site/format.ts';
import { layout, type Viewer } from '../site/layout.ts';
import { nameColumn } from './columns.ts';
import type { FileColumns } from './file-columns.ts';
import { type FieldMaker, isCategory } from './guess-fields.ts';
import { newKindOf } from './headings.ts';
import { type ColumnsFields, FIELD_KINDS } from './import-forms.ts';
import type { Import } from './import-row.ts';
import { findNewKinds, type NewKind } from './new-kinds.ts';
import { toNewField } from './own-columns.ts';
import { andRest, noticeList, stopForm } from './page-parts.ts';
import { readLocation } from './read-location.ts';
import type { ValueGuess } from './value-kinds.ts';

export interface ColumnsView {
  readonly viewer: Viewer;
  readonly found: Import;
  readonly maker: FieldMaker;
  readonly form: FilledForm<ColumnsFields>;
}

export function columnsPage({ viewer, found, maker, form }: ColumnsView): Html {
  const { id, fileName, state, columns } = found;
  const { header, notices, program } = columns;
  const [path, label] =
    state === 'planned' ? [importHref(id), 'Preview'] : [href('/items/import'), 'Import items'];
  return layout({
    title: formTitle(`Columns of ${fileName} – Import items`, form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${path}">← ${label}</a></p>
<h1>What the columns of ${fileName} are</h1>
${!program ? null : html`<p>It looks like an export of <strong>${program}</strong>.</p>\n`}<p>Check what each column becomes. It is remembered for the next file with the same headings.</p>
${newFieldsNote(columns, maker)}${kindsNote(columns, maker)}
${noticeList(notices)}
${formTag(
  form,
  html`${columns.old ? formField(form, 'encoding') : null}
${header.map((_, at) => column(form, columns, at, maker))}
${currencyField(columns, form)}${placesField(columns, form)}
<div class="actions"><button>Show what it changes</button></div>
`,
  { action: action('/items/imports/:id<int>/columns', { id }), class: 'form' },
)}
<div class="item-actions">${stopForm(id, 'Discard', viewer)}</div>
<section aria-labelledby="reference-heading">
<h2 id="reference-heading">References and item numbers</h2>
<p>A <strong>reference</strong> is the number that a thing has elsewhere, such as an inventory number. The next file with the same reference means the same item. It is also a line in the description.</p>
<p>An <strong>item number</strong> is the number in this list. A row with one changes that item.</p>
</section>`,
  });
}

/** Only for locations with a mark that may separate places. */
function placesField({ uses, facts }: FileColumns, form: FilledForm<ColumnsFields>): Html | null {
  const at = uses.indexOf('location');
  const { placeMark = null, placeSample = '' } =
    facts[at] ?? facts.find((one) => one.placeMark !== null) ?? {};
  if (placeMark === null) return null;
  return html`<div class="column">
<p><strong>Places inside places</strong>
<span class="details">“${placeSample}” would be “${readLocation(placeSample, placeMark)}”</span></p>
${formField(form, 'places')}
</div>`;
}

/** What becomes of the columns that no field has yet. */
function newFieldsNote({ uses }: FileColumns, { canMake }: FieldMaker): Html | null {
  const count = uses.filter((use) => newKindOf(use) !== null).length;
  if (count > 0)
    return html`<p class="notice">${formatCount(count, 'column becomes a field', 'columns become fields')} of your own, of the kind that ${count === 1 ? 'its' : 'their'} values show. The import makes the fields when it runs; they can be changed at <a href="${href('/fields')}">Kinds and fields</a>.</p>`;
  if (canMake || !uses.includes('in description')) return null;
  return html`<p class="hint">An administrator who imports this file can make a field of a column that is a line in the description here.</p>`;
}

/** Only if a new field needs it. */
function currencyField(columns: FileColumns, form: FilledForm<ColumnsFields>): Html | null {
  const needs = columns.facts.some(
    ({ values }, at) =>
      values !== null &&
      (columns.uses[at] === 'new money' || values?.kind === 'money') &&
      toNewField({ ...columns, uses: columns.uses.with(at, 'new money'), currency: '' }, at)
        ?.unit === '',
  );
  if (!needs) return null;
  return html`<div class="column">
<p><strong>Amounts of money</strong>
<span class="details">The file does not say in which currency they are</span></p>
${formField(form, 'currency')}
</div>
`;
}

/** Who can make kinds of the column that has some, for who cannot. */
function kindsNote(columns: FileColumns, { definitions, canMake }: FieldMaker): Html | null {
  const { header } = columns;
  const at = header.findIndex(
    (heading, at) => isCategory(heading) && findNewKinds(columns, at, definitions).length > 0,
  );
  if (canMake || at === -1) return null;
  return html`<p class="hint">An administrator who imports this file can make kinds of things of “${header[at]}”.</p>`;
}

/** Kinds that are named beside a column. */
const MAX_KINDS = 8;

function describeKinds(kinds: readonly NewKind[]): string {
  if (kinds.length === 0) return 'It has no new kinds';
  const names = kinds.slice(0, MAX_KINDS).map(({ name }) => name);
  const rest = kinds.length - names.length;
  return `${formatCount(kinds.length, 'new kind', 'new kinds')}: ${names.join(', ')}${andRest(rest)}`;
}

function column(
  form: FilledForm<ColumnsFields>,
  columns: FileColumns,
  at: number,
  { definitions }: FieldMaker,
): Html {
  const { facts, rows, uses, header } = columns;
  const heading = header[at] ?? '';
  const { samples = [], values = null } = facts[at] ?? {};
  const use = uses[at] ?? 'ignore';
  const made = use === 'kinds' ? describeKinds(findNewKinds(columns, at, definitions)) : null;
  const kind = newKindOf(use) ?? (use === 'in description' ? (values?.kind ?? null) : null);
  return html`<div class="column">
<p><strong>${nameColumn(heading, at)}</strong>
<span class="details">${samples.length === 0 ? 'No values' : samples.join(' · ')}</span>${
    values === null || kind === null
      ? null
      : html`<br>\n<span class="details">${describeValues(values, kind, rows)}</span>`
  }${made === null ? null : html`<br>\n<span class="details">${made}</span>`}</p>
${formField(form, `columns.${at}.heading`)}${formField(form, `columns.${at}.use`)}
</div>
`;
}

/** As in “Money (EUR), 388 of 400 rows”. */
function describeValues(
  { unit, fits, filled }: ValueGuess,
  kind: OwnFieldKind,
  rows: number,
): string {
  const name = FIELD_KINDS[kind];
  const what = `${name.charAt(0).toUpperCase()}${name.slice(1)}${unit === '' ? '' : ` (${unit})`}`;
  const rest = filled - fits;
  return `${what}, ${formatNumber(fits)} of ${formatCount(rows, 'row', 'rows')}${rest === 0 ? '' : `; ${formatNumber(rest)} with something else, which is kept in the description`}`;
}
