/**
 * The parts of the page of a list: the form of its filters, links that remove them, the number of rows, the table, and
 * the form over its ticks. The checkboxes belong to that form by their attribute `form`, so a row may have forms of its
 * own.
 */
import { writeAttributes } from '../field/attributes.ts';
import { isButton } from '../field/button-field.ts';
import type { FieldText } from '../field/field.ts';
import { isTicks } from '../field/ticks-field.ts';
import { type BoundPart, bindForm } from '../form/bound-part.ts';
import { CHANGE, toChange } from '../form/change-form.ts';
import type { FilledForm } from '../form/define-form.ts';
import type { Fields } from '../form/field-set.ts';
import { errorSummary, formField, formTag } from '../form/form-markup.ts';
import type { Href } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import type { Request } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import type { Language } from '../language/language.ts';
import { toPath } from '../session/draft.ts';
import type { AnyList } from './define-list.ts';
import { type ToAddress, toSortText } from './list-address.ts';
import { labelOf, listTable, type SortLink, type TableOptions } from './list-table.ts';
import type { ReadQuery } from './read-query.ts';

/** For a layout of your own. */
export interface DrawnList {
  /** All of the following, one below the other. */
  readonly listHtml: Html;
  /** The form of the filters; null for a list without any. */
  readonly filterHtml: Html | null;
  /** Links, each of which removes a filter; null if none is set. */
  readonly filtersHtml: Html | null;
  /** Null for a page without rows. */
  readonly tableHtml: Html | null;
  /** The links to the other pages; null without any. */
  readonly nav: Html | null;
}

/** A link, such as to the form that adds a row. */
export interface ListLink {
  readonly label: string;
  readonly path: Href;
}

/** The form over the ticks as its page shows it. */
export interface Ticking {
  readonly form: FilledForm<Fields>;
  readonly button: string | null;
}

interface Drawing {
  readonly list: AnyList;
  readonly request: Request;
  readonly asked: ReadQuery<unknown>;
  readonly toAddress: ToAddress;
  readonly shown: {
    readonly rows: readonly unknown[];
    readonly count: number | null;
    readonly nav: Html | null;
    readonly add: ListLink | null;
    readonly empty: Html | string | undefined;
    readonly csv: boolean;
    readonly ticking: Ticking | null;
    readonly hasFlash: boolean;
  };
}

export function drawList(drawing: Drawing): DrawnList {
  const { request, asked, shown } = drawing;
  const { rows, nav, ticking } = shown;
  const language = languageOf(request);
  const active = activeFilters(asked.form, language);
  const isFiltered = active.length > 0 || (asked.form.errors ?? []).length > 0;
  const isEmpty = rows.length === 0;
  const filterHtml = isEmpty && !isFiltered ? null : drawFilters(drawing, language);
  const filtersHtml = drawActive(drawing, active, language);
  const tableHtml = isEmpty ? null : drawTable(drawing, language);
  const listHtml = html`${ticking && errorSummary(ticking.form)}${drawTools(drawing, isFiltered, language)}${filterHtml}${filtersHtml}${drawCount(drawing, isFiltered, language)}${ticking && tickError(ticking.form, language)}${tableHtml}
${ticking && !isEmpty ? drawTicking(ticking, language) : null}${nav}`;
  return { listHtml, filterHtml, filtersHtml, tableHtml, nav };
}

interface ActiveFilter {
  readonly one: BoundPart;
  readonly text: string;
}

/** The filters that are applied. */
function activeFilters(form: FilledForm<Fields>, language: Language): readonly ActiveFilter[] {
  return bindForm(form)
    .all()
    .flatMap((one) => {
      if (one.part.part !== 'field' || one.error !== null || one.text.length === 0) return [];
      const text = one.part.show(one.text as FieldText, { language });
      return text === '' ? [] : [{ one, text }];
    });
}

function drawFilters(
  { list: { filter, order: own }, request, asked, shown: { hasFlash, ticking } }: Drawing,
  { words }: Language,
): Html | null {
  if (filter.names.length === 0) return null;
  const { form, order } = asked;
  const { errors = [], focus } = ticking?.form ?? {};
  // A page has one focus: the message of a form, or the errors of the ticks, come first.
  const isFocused = !hasFlash && errors.length === 0 && focus === undefined;
  const sort = toSortText(order, own);
  const kept = sort === null ? null : html`<input type="hidden" name="sort" value="${sort}">\n`;
  return html`${errorSummary(isFocused ? form : { ...form, focus: null })}<form class="list-filter" method="get" action="${toPath(request.target)}" role="search" aria-label="${words.filters}" novalidate>
${kept}${Array.from(form, (part) => html`${formField(form, part)}\n`)}<button class="quiet">${words.applyFilters}</button>
</form>
`;
}

function drawActive(
  { toAddress, list: { filter } }: Drawing,
  active: readonly ActiveFilter[],
  { words }: Language,
): Html | null {
  if (active.length === 0) return null;
  const all =
    active.length === 1
      ? null
      : html`<li><a class="all" href="${toAddress({ without: filter.names })}">${words.removeFilters}</a></li>\n`;
  return html`<ul class="filters" aria-label="${words.filters}">
${active.map(({ one: { path, label }, text }) => html`<li><a href="${toAddress({ without: [path] })}"><span class="visually-hidden">${words.remove} </span>${label}: <strong>${text}</strong></a></li>\n`)}${all}</ul>
`;
}

function drawTools(
  { toAddress, shown: { rows, add, csv } }: Drawing,
  isFiltered: boolean,
  { words, translate }: Language,
): Html | null {
  const isEmpty = rows.length === 0;
  const adding =
    add === null || (isEmpty && !isFiltered)
      ? null
      : html`<a class="button" href="${add.path}">${translate(add.label)}</a>\n`;
  const file =
    isEmpty || !csv
      ? null
      : html`<a href="${toAddress({ place: { as: 'csv' } })}" download>${words.downloadCsv}</a>\n`;
  return adding || file ? html`<p class="list-tools">${adding}${file}</p>\n` : null;
}

/** How many rows there are; of none, why, and what to do about it. */
function drawCount(
  { toAddress, list: { filter }, shown: { rows, count, add, empty } }: Drawing,
  isFiltered: boolean,
  { words, translate }: Language,
): Html | null {
  if (rows.length > 0) {
    if (count === null) return null;
    return html`<p class="list-count" role="status">${words.entryCount(count)}</p>\n`;
  }
  if (isFiltered)
    return html`<p class="empty" role="status">${words.noEntries} <a href="${toAddress({ without: filter.names })}">${words.removeFilters}</a></p>\n`;
  const link = add && html` <a href="${add.path}">${translate(add.label)}</a>`;
  const said = typeof empty === 'string' ? translate(empty) : (empty ?? words.listEmpty);
  return html`<p class="empty">${said}${link}</p>\n`;
}

function drawTable(
  { list, toAddress, asked: { order }, shown: { rows, ticking } }: Drawing,
  language: Language,
): Html {
  const { columns } = list;
  const sort = (name: string): SortLink | null => {
    const first = columns[name]?.sort;
    if (first === undefined) return null;
    const sorted = order?.by === name ? order.direction : null;
    const direction = sorted === null ? first : sorted === 'asc' ? 'desc' : 'asc';
    return { href: toAddress({ order: { by: name, direction } }), sorted };
  };
  const label = order === null ? '' : labelOf(columns[order.by] ?? {}, language);
  const tick = ticking === null ? null : tickColumn(list, ticking, language);
  return listTable(columns, rows, {
    ...{ sort, language },
    ...(order === null ? {} : { caption: language.words.sortedBy(label, order.direction) }),
    ...(tick === null ? {} : { tick }),
  });
}

/** The id of the form over ticks. No field has a name with a hyphen. */
const TICKS = 'list-ticks';
/** A change that no form knows: the page shows it again, and nothing has the focus. */
const UNTICK = 'untick';

function ticksOf(form: FilledForm<Fields>): BoundPart {
  const found = bindForm(form).parts.find(({ part }) => isTicks(part));
  if (found !== undefined) return found;
  throw new TypeError(
    `Cannot tick the rows of a list with a form that has ${form.definition.names.join(', ')}: it needs a ticksField.`,
  );
}

function tickColumn(
  { key }: AnyList,
  { form }: Ticking,
  { words }: Language,
): NonNullable<TableOptions<unknown>['tick']> {
  const { path, text, error } = ticksOf(form);
  const isAll = form.focus === path;
  const headingId = (at: number) => `row-${at + 1}`;
  const ticked = new Set(form.focus === null ? [] : (text as readonly string[]));
  return {
    label: words.ticks,
    headingId,
    draw(row, at) {
      const value = String((row as Readonly<Record<string, unknown>>)[key ?? '']);
      const own = { type: 'checkbox', id: at === 0 ? path : false, name: path, value, form: TICKS };
      const described = at === 0 && error !== null ? { 'aria-describedby': `${path}-error` } : {};
      const checked = isAll || ticked.has(value);
      return html`<input${writeAttributes({ ...own, checked, 'aria-labelledby': headingId(at), ...described })}>`;
    },
  };
}

function tickError(form: FilledForm<Fields>, { words }: Language): Html | null {
  const { path, error } = ticksOf(form);
  if (error === null) return null;
  return html`<p class="field-error" id="${path}-error"><span class="visually-hidden">${words.error}</span> ${error}</p>\n`;
}

/** The form over the ticks: buttons that tick all or none, its other fields, and its buttons. */
function drawTicking({ form, button }: Ticking, { words, translate }: Language): Html {
  const ticks = ticksOf(form);
  const tickButton = (value: string, focus: string | null, label: string) => {
    const own = { class: 'quiet', name: CHANGE, value, autofocus: form.focus === focus };
    return html`<button${writeAttributes(own)}>${label}</button>\n`;
  };
  const parts = Array.from(form).filter((part) => part !== ticks);
  const draw = (part: BoundPart) => html`${formField(form, part)}\n`;
  const [fields, buttons] = [false, true].map((is) =>
    parts.filter(({ part }) => isButton(part) === is).map(draw),
  );
  const last = button === null ? null : html`<button>${translate(button)}</button>\n`;
  return formTag(
    form,
    html`<div class="list-ticks-all">
${tickButton(toChange('update', ticks.path), ticks.path, words.tickAll)}${tickButton(UNTICK, null, words.untickAll)}</div>
${fields}<div class="actions">
${buttons}${last}</div>
`,
    { id: TICKS, class: 'list-ticks' },
  );
}
