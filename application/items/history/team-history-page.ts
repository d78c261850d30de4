/** The history of all items: a filter, and below the heading of each day what was done. */
import { type Html, html, trustedHtml } from 'seeother';
import { batchHref, countsHref, historyPageHref, href } from '../../links.ts';
import { clockElement, formatDate, formatDayHeading, fromDay, toDay } from '../../site/format.ts';
import { layout, mayChangeItems, type Viewer } from '../../site/layout.ts';
import { undoBatchForm, undoneText } from '../events/batch-form.ts';
import { describeOperation } from '../events/batch-text.ts';
import { type Batch, countItems } from '../events/batches.ts';
import { eventRecord } from '../events/event-list.ts';
import { HISTORY_KINDS } from './history-kinds.ts';
import { olderLink } from './history-page.ts';
import { type HistoryQuery, readItemNumber, WHOLE_HISTORY } from './history-query.ts';
import type { HistoryLine, HistoryLines } from './team-history.ts';

export interface TeamHistoryView {
  readonly viewer: Viewer;
  readonly page: HistoryLines;
  readonly query: HistoryQuery;
  /** Everybody with an account, also those who were removed. */
  readonly people: readonly { readonly id: number; readonly name: string }[];
  /** Whether more items match the words than the page looks at. */
  readonly hasMoreItems: boolean;
  readonly now: Date;
}

export function teamHistoryPage(view: TeamHistoryView): Html {
  const { viewer, page, query, hasMoreItems, now } = view;
  const mayChange = mayChangeItems(viewer);
  const filters = filtersOf(view);
  return layout({
    title: 'History – Items',
    viewer,
    section: 'history',
    main: html`<h1>History</h1>
<p><a href="${href('/items/held')}">Who has what</a> · <a href="${countsHref()}">Counts</a>${mayChange ? html` · <a href="${href('/items/bin')}">Bin</a>` : null}</p>
${filterForm(view, filters.length > 0)}
${filterLinks(filters)}
${hasMoreItems ? html`<p>Many items match. Only the changes of the first ones are shown: enter more of the name, or a number.</p>` : null}
${page.lines.length > 0 ? dayLists(page.lines, viewer, now) : html`<p class="empty">${filters.length === 0 ? NOTHING_DONE : html`Nothing matches. <a href="${href('/items/history')}">Show everything</a>.`}</p>`}
${olderLink(page, ({ at, id }) => historyPageHref(query, `${at}_${id}`))}`,
  });
}

const NOTHING_DONE = html`Nothing was done yet. What anybody changes in the <a href="${href('/items')}">list</a> stands here, with an Undo.`;

interface Filter {
  readonly label: string;
  readonly text: string;
  readonly without: HistoryQuery;
}

function filtersOf({ query, people }: TeamHistoryView): readonly Filter[] {
  const { person, kind, item, from, to } = query;
  const named = people.find(({ id }) => id === person);
  const number = readItemNumber(query);
  const filters: readonly Filter[] = [
    {
      label: 'Person',
      text: person === null ? '' : (named?.name ?? 'unknown'),
      without: { ...query, person: null },
    },
    {
      label: 'What',
      text: kind === null ? '' : HISTORY_KINDS[kind],
      without: { ...query, kind: null },
    },
    {
      label: 'Item',
      text: number === null ? item : `No. ${number}`,
      without: { ...query, item: '' },
    },
    { label: 'From', text: dayText(from), without: { ...query, from: '' } },
    { label: 'To', text: dayText(to), without: { ...query, to: '' } },
  ];
  return filters.filter(({ text }) => text !== '');
}

function dayText(day: string): string {
  return day === '' ? '' : formatDate(fromDay(day));
}

function filterForm({ query, people }: TeamHistoryView, isOpen: boolean): Html {
  const { person, kind, item, from, to } = query;
  return html`<form class="search" role="search" aria-label="History" action="${href('/items/history')}">
<details${isOpen ? trustedHtml(' open') : null}>
<summary>Filter</summary>
<div class="search-fields">
<div><label for="person">Person</label><select id="person" name="person">
<option value="">Everybody</option>
${people.map(({ id, name }) => option(String(id), name, id === person))}</select></div>
<div><label for="kind">What</label><select id="kind" name="kind">
<option value="">Everything</option>
${Object.entries(HISTORY_KINDS).map(([name, label]) => option(name, label, name === kind))}</select></div>
<div><label for="item">Item: name or number</label><input type="search" id="item" name="item" value="${item}" autocomplete="off"></div>
<div><label for="from">From</label><input type="date" id="from" name="from" value="${from}"></div>
<div><label for="to">To</label><input type="date" id="to" name="to" value="${to}"></div>
<button class="quiet">Show</button>
</div>
</details>
</form>`;
}

function option(value: string, label: string, isChosen: boolean): Html {
  return html`<option value="${value}"${isChosen ? trustedHtml(' selected') : null}>${label}</option>\n`;
}

function filterLinks(filters: readonly Filter[]): Html | null {
  if (filters.length === 0) return null;
  return html`<ul class="filters" aria-label="Filters">
${filters.map(
  ({ label, text, without }) =>
    html`<li><a href="${historyPageHref(without)}"><span class="visually-hidden">Remove </span>${label}: <strong>${text}</strong></a></li>\n`,
)}${filters.length === 1 ? null : html`<li><a class="all" href="${historyPageHref(WHOLE_HISTORY)}">Remove all filters</a></li>\n`}</ul>`;
}

function dayLists(lines: readonly HistoryLine[], viewer: Viewer, now: Date): Html {
  const canUndo = mayChangeItems(viewer);
  const days = [...Map.groupBy(lines, ({ at }) => toDay(at))];
  return html`${days.map(
    ([
      day,
      ofDay,
    ]) => html`<h2 class="day" id="day-${day}">${formatDayHeading(fromDay(day), now)}</h2>
<ul class="records history" aria-labelledby="day-${day}">
${ofDay.map((line) => ('batch' in line ? batchRecord(line.batch, viewer) : eventRecord(line.event, { canUndo, viewer, showsItem: true, isBelowDay: true })))}</ul>
`,
  )}`;
}

function batchRecord(batch: Batch, viewer: Viewer): Html {
  const { id, at, by, operation, events, undone } = batch;
  return html`<li>
<div>
<p id="batch-${id}"><strong>${by ?? 'Somebody'}</strong> <a href="${batchHref(id)}">${describeOperation(operation, countItems(batch))}</a></p>
<p class="details">${clockElement(at)}${undoneText(batch)}</p>
</div>
${mayChangeItems(viewer) && undone < events ? undoBatchForm(batch, viewer) : null}
</li>
`;
}
