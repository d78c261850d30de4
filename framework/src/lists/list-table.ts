/**
 * The table of a list. On a narrow page its style sheet may show each row as a block, so a cell knows the label of its
 * column. Without a style sheet, it is a table.
 */
import { writeAttributes } from '../field/attributes.ts';
import type { Href } from '../http/href.ts';
import { escapeHtml, type Html, html, trustedHtml } from '../http/html.ts';
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import type { AnyColumn, ColumnOptions, Direction } from './define-list.ts';

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
  /** A cell before the first one: a checkbox. `headingId` is the id of the heading of the row, if it needs one. */
  readonly tick?: {
    readonly label: string;
    readonly draw: (row: Row, at: number) => Html;
    readonly headingId?: (at: number) => string;
  };
  /** `narrow` of the columns that do not say it; `label` by default. */
  readonly narrow?: 'label' | 'plain';
  /** English by default. */
  readonly language?: Language;
}

/**
 * Draws the rows as a table with the columns, as those of `defineList`. The first column is the heading of its row,
 * unless another one has `heading`.
 */
export function listTable<Row>(
  columns: Readonly<Record<string, AnyColumn<Row>>>,
  rows: readonly Row[],
  options: TableOptions<Row> = {},
): Html {
  const { id, class: name = 'list', caption, sort, tick, language = english } = options;
  const given = Object.entries(columns);
  const heading = given.find(([, column]) => column.heading === true) ?? given[0];
  const all = given.map((one) => bindColumn(one, one === heading, options, language));
  return html`<table${writeAttributes({ class: name, id: id ?? false })}>
${caption === undefined ? null : html`<caption class="visually-hidden">${caption}</caption>\n`}<thead>
<tr>${tick && html`<th scope="col" class="tick"><span class="visually-hidden">${tick.label}</span></th>`}${all.map((column) => drawHeading(column, sort?.(column.name) ?? null))}</tr>
</thead>
<tbody>
${rows.map((row, at) => drawRow(row, at, all, options, language))}</tbody>
</table>`;
}

interface BoundColumn<Row> {
  readonly name: string;
  readonly label: string;
  readonly attributes: Html | null;
  readonly link: AnyColumn<Row>['link'];
  readonly behind: AnyColumn<Row>['behind'];
  readonly cell: (row: Row, language: Language) => Html | string | number;
  /** The tag of a cell, which is checked once and not for each row; null for the heading of the row. */
  readonly tag: Html | null;
}

function bindColumn<Row>(
  [name, column]: readonly [string, AnyColumn<Row>],
  isHeading: boolean,
  options: TableOptions<Row>,
  language: Language,
): BoundColumn<Row> {
  const { narrow = options.narrow ?? 'label', link, behind, show } = column;
  const label = labelOf(column, language);
  const attributes = attribute('class', toClass(column));
  const cell = show ?? ((row: Row) => showValue(name, column, row, language));
  const labelled = attribute('data-label', narrow === 'label' ? label : undefined);
  const tag = isHeading ? null : html`<td${attributes}${labelled}>`;
  return { name, label, attributes, link, behind, cell, tag };
}

function toClass({ align, narrow, class: own }: ColumnOptions<never>): string | undefined {
  if (align !== 'end' && narrow !== 'hidden') return own;
  const known = `${align === 'end' ? 'end ' : ''}${narrow === 'hidden' ? 'wide ' : ''}`;
  return `${known}${own ?? ''}`.trimEnd();
}

export function labelOf<Row>({ label, field }: AnyColumn<Row>, { translate }: Language): string {
  return translate(label ?? field?.label ?? '');
}

/** The value of the row, as its field shows it; without a field, as it is. */
function showValue<Row>(
  name: string,
  { field }: AnyColumn<Row>,
  row: Row,
  language: Language,
): string {
  const value = (row as Readonly<Record<string, unknown>>)[name];
  if (field === undefined) return String(value ?? '');
  return field.show(field.toText(value, { language }), { language });
}

const SORTED = {
  asc: trustedHtml(' aria-sort="ascending"'),
  desc: trustedHtml(' aria-sort="descending"'),
} as const;

function drawHeading<Row>({ label, attributes }: BoundColumn<Row>, link: SortLink | null): Html {
  if (link === null) return html`<th scope="col"${attributes}>${label}</th>`;
  const { href, sorted, title } = link;
  return html`<th scope="col"${attributes}${sorted && SORTED[sorted]}><a href="${href}"${attribute('title', title)}>${label}</a></th>`;
}

/** One attribute; nothing without a value. */
function attribute(name: string, value: string | undefined): Html | null {
  return value === undefined ? null : trustedHtml(` ${name}="${escapeHtml(value)}"`);
}

const HEADING = trustedHtml('<th scope="row">');
const HEADING_END = trustedHtml('</th>\n');
const CELL_END = trustedHtml('</td>\n');

function drawRow<Row>(
  row: Row,
  at: number,
  columns: readonly BoundColumn<Row>[],
  { tick }: TableOptions<Row>,
  language: Language,
): Html {
  const id = tick?.headingId?.(at);
  const ticking = tick && html`<td class="tick">${tick.draw(row, at)}</td>\n`;
  const cells = columns.map(({ tag, link, cell, behind }) => {
    if (tag !== null && link === undefined && behind === undefined)
      return html`${tag}${cell(row, language)}</td>\n`;
    const opened = tag ?? (id === undefined ? HEADING : html`<th scope="row" id="${id}">`);
    const closed = tag === null ? HEADING_END : CELL_END;
    const href = link?.(row) ?? null;
    const rest = behind?.(row);
    return href === null
      ? html`${opened}${cell(row, language)}${rest}${closed}`
      : html`${opened}<a href="${href}">${cell(row, language)}</a>${rest}${closed}`;
  });
  return html`<tr>
${ticking}${cells}</tr>
`;
}
