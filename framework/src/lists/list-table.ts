/**
 * The table of a list. On a narrow page its style sheet may show each row as a block, so a cell knows the label of its
 * column. Without a style sheet, it is a table.
 */
import { writeAttributes } from '../field/attributes.ts';
import type { Href } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import type { AnyColumn, Direction } from './define-list.ts';

/** The link in the heading of a column. */
export interface SortLink {
  readonly href: Href;
  /** How the list is sorted by this column now; null if it is not. */
  readonly sorted: Direction | null;
  readonly title?: string;
}

export interface TableOptions<Row> {
  readonly id?: string;
  /** `list` by default. */
  readonly class?: string;
  /** For screen readers, such as the order. */
  readonly caption?: Html | string;
  /** The links in the headings; null for a column without one. */
  readonly sort?: (name: string) => SortLink | null;
  /** A cell before the first one, such as a checkbox, and its heading. `id` is that of the heading of the row. */
  readonly tick?: {
    readonly label: string;
    readonly draw: (row: Row, id: string, at: number) => Html;
  };
  /** English by default. */
  readonly language?: Language;
}

/** Draws the rows as a table with the columns, as those of `defineList`. The first column is the heading of its row. */
export function listTable<Row>(
  columns: Readonly<Record<string, AnyColumn<Row>>>,
  rows: readonly Row[],
  { id, class: name = 'list', caption, sort, tick, language = english }: TableOptions<Row> = {},
): Html {
  const all = Object.entries(columns).map(([name, column]) => bindColumn(name, column, language));
  return html`<table${writeAttributes({ class: name, id: id ?? false })}>
${caption === undefined ? null : html`<caption class="visually-hidden">${caption}</caption>\n`}<thead>
<tr>${tick && html`<th scope="col" class="tick"><span class="visually-hidden">${tick.label}</span></th>`}${all.map((column) => drawHeading(column, sort?.(column.name) ?? null))}</tr>
</thead>
<tbody>
${rows.map((row, at) => drawRow(row, at, all, tick))}</tbody>
</table>`;
}

interface BoundColumn<Row> {
  readonly name: string;
  readonly label: string;
  readonly link: AnyColumn<Row>['link'];
  readonly cell: (row: Row) => Html | string;
  readonly attributes: Html;
  readonly cellAttributes: Html;
}

function bindColumn<Row>(
  name: string,
  column: AnyColumn<Row>,
  language: Language,
): BoundColumn<Row> {
  const { align, narrow = 'label', link } = column;
  const label = labelOf(column, language);
  const classes = [align === 'end' && 'end', narrow === 'hidden' && 'wide', column.class];
  const given = classes.filter((one) => typeof one === 'string').join(' ');
  const attributes = { class: given === '' ? false : given };
  const cell = (row: Row) => showCell(name, column, row, language);
  return {
    ...{ name, label, link, cell, attributes: writeAttributes(attributes) },
    cellAttributes: writeAttributes({ ...attributes, 'data-label': narrow === 'label' && label }),
  };
}

export function labelOf<Row>({ label, field }: AnyColumn<Row>, { translate }: Language): string {
  return translate(label ?? field?.label ?? '');
}

/** The value of the row in this column, as people read it. */
function showCell<Row>(
  name: string,
  { field, show }: AnyColumn<Row>,
  row: Row,
  language: Language,
): Html | string {
  if (show !== undefined) return show(row, language);
  const value = (row as Readonly<Record<string, unknown>>)[name];
  return field?.show(field.toText(value, { language }), { language }) ?? '';
}

const SORTED = { asc: 'ascending', desc: 'descending' } as const;

function drawHeading<Row>({ label, attributes }: BoundColumn<Row>, link: SortLink | null): Html {
  if (link === null) return html`<th scope="col"${attributes}>${label}</th>`;
  const { href, sorted, title } = link;
  const order = sorted === null ? {} : { 'aria-sort': SORTED[sorted] };
  return html`<th scope="col"${attributes}${writeAttributes(order)}><a href="${href}"${title === undefined ? null : html` title="${title}"`}>${label}</a></th>`;
}

function drawRow<Row>(
  row: Row,
  at: number,
  [first, ...columns]: readonly BoundColumn<Row>[],
  tick: TableOptions<Row>['tick'],
): Html {
  const id = `row-${at + 1}`;
  const content = ({ link, cell }: BoundColumn<Row>) => {
    const shown = cell(row);
    const href = link?.(row) ?? null;
    return href === null ? shown : html`<a href="${href}">${shown}</a>`;
  };
  return html`<tr>
${tick && html`<td class="tick">${tick.draw(row, id, at)}</td>\n`}${
  first &&
  html`<th scope="row"${first.attributes}${tick && html` id="${id}"`}>${content(first)}</th>\n`
}${columns.map((column) => html`<td${column.cellAttributes}>${content(column)}</td>\n`)}</tr>
`;
}
