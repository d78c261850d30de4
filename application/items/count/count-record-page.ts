/** The records of counts: all of them, one with its lines, and its lines as a file. */
import { csv, type Html, html, type Response } from 'seeother';
import {
  batchHref,
  chosenHref,
  countFileHref,
  countHref,
  countRecordHref,
  countsHref,
  href,
  itemHref,
  listHref,
} from '../../links.ts';
import { formatCount, formatNumber, timeElement } from '../../site/format.ts';
import { layout, mayChangeItems, type Viewer } from '../../site/layout.ts';
import type { CountLine, CountRecord } from '../count-records.ts';
import { STATUS_NAMES } from '../item-status.ts';
import { describeResult } from '../last-counted.ts';

export interface CountsView {
  readonly viewer: Viewer;
  readonly counts: readonly CountRecord[];
  readonly nav: Html | null;
}

export function countsPage({ viewer, counts, nav }: CountsView): Html {
  return layout({
    title: 'Counts – Items',
    viewer,
    section: 'history',
    main: html`<p class="back"><a href="${href('/items/history')}">← History</a></p>
<h1>Counts</h1>
${counts.length === 0 ? html`<p class="empty">Nothing was counted yet. <a href="${listHref({})}">Choose a place in the list</a>, then Count.</p>` : html`<ul class="records">\n${counts.map(countItem)}</ul>`}
${nav}`,
  });
}

function countItem(count: CountRecord): Html {
  return html`<li>
<div>
<p><strong>${count.by ?? 'Somebody'}</strong> counted <a href="${countRecordHref(count.id)}">${describePlace(count)}</a></p>
<p class="details">${timeElement(count.at)} · ${formatCount(count.items, 'item', 'items')}, ${describeResult(count)}</p>
</div>
</li>
`;
}

export interface CountRecordView {
  readonly viewer: Viewer;
  readonly record: CountRecord;
  readonly lines: readonly CountLine[];
}

/** Lines on a page. The file has all of them. */
const MAX_LINES = 2_000;

export function countRecordPage({ viewer, record, lines }: CountRecordView): Html {
  const { id, at, by, items, list } = record;
  const shown = lines.slice(0, MAX_LINES);
  const title = `Count of ${describePlace(record)}`;
  const isSame = ({ expected, found }: CountLine) => found === expected;
  const sections = [
    lineTable(
      'What differs',
      shown.filter((line) => line.found !== null && !isSame(line)),
    ),
    lineTable(
      'Not counted',
      shown.filter(({ found }) => found === null),
    ),
    lineTable('As stored', shown.filter(isSame)),
  ];
  return layout({
    title: `${title} – Items`,
    viewer,
    section: 'history',
    main: html`<p class="back"><a href="${countsHref()}">← Counts</a></p>
<h1>${title}</h1>
<p class="details">${by ?? 'Somebody'}, ${timeElement(at)}</p>
<p>${formatCount(items, 'item', 'items')}, <strong>${describeResult(record)}</strong>.</p>
<p class="export"><a href="${countFileHref(id)}" download>Download as CSV</a>${list === null ? null : html` · <a href="${chosenHref(list)}">Show the list</a>${mayChangeItems(viewer) ? html` · <a href="${countHref(list)}">Count again</a>` : null}`}</p>
${lines.length > shown.length ? html`<p>These are the first ${formatNumber(MAX_LINES)} items. The file has all of them.</p>` : null}
${sections}`,
  });
}

function lineTable(heading: string, lines: readonly CountLine[]): Html | null {
  if (lines.length === 0) return null;
  const hasBatch = lines.some(({ batch }) => batch !== null);
  return html`<h2>${heading} <span class="count">${formatNumber(lines.length)}</span></h2>
<table class="printed">
<thead><tr><th scope="col" class="number">No.</th><th scope="col">Name</th><th scope="col" class="number">Stored</th><th scope="col" class="number">Found</th>${hasBatch ? html`<th scope="col">Corrected</th>` : null}</tr></thead>
<tbody>
${lines.map(
  ({ number, name, expected, found, batch, isUndone }) => html`<tr>
<td class="number">${number}</td>
<th scope="row"><a href="${itemHref(number)}">${name === '' ? `No. ${number}` : name}</a></th>
<td class="number">${formatNumber(expected)}</td>
<td class="number">${found === null ? '–' : html`${formatNumber(found)}${difference(found - expected)}`}</td>
${hasBatch ? html`<td>${batch === null ? 'no' : html`<a href="${batchHref(batch)}">${isUndone ? 'undone' : 'yes'}<span class="visually-hidden">, show the change of ${name}</span></a>`}</td>\n` : null}</tr>
`,
)}</tbody>
</table>
`;
}

export function difference(value: number): Html | null {
  if (value === 0) return null;
  return html` <span class="hint">(${value < 0 ? '−' : '+'}${formatNumber(Math.abs(value))})</span>`;
}

export function countCsv(id: number, lines: readonly CountLine[]): Promise<Response<200>> {
  const columns = {
    number: 'number',
    name: 'name',
    stored: 'expected',
    found: 'found',
    corrected: ({ batch, isUndone }: CountLine) =>
      batch === null ? '' : isUndone ? 'undone' : 'yes',
  } as const;
  return csv(lines, columns, { name: `count-${id}.csv` });
}

function describePlace({ list }: CountRecord): string {
  if (list === null) return 'a list whose name was removed';
  const { search = '', tag = '', location = '', show = '', ticked = '', others = '' } = list;
  if (ticked !== '') return 'selected items';
  const texts = [show === '' ? '' : STATUS_NAMES[show], search, tag, location];
  if (others !== '') texts.push('filtered by kind or field');
  return texts.filter((text) => text !== '').join(', ') || 'all items';
}
