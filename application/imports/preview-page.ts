/**
 * What an import would do, with the form that confirms it. The counts and the form come first; a few rows of each kind
 * follow, because a page of all rows is read by nobody.
 */
import {
  errorSummary,
  type FilledForm,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
} from 'seeother';
import { changeList } from '../items/events/event-text.ts';
import { action, batchHref, columnsHref, href, itemHref, refusedHref } from '../links.ts';
import { formatCount, formatNumber, timeElement } from '../site/format.ts';
import { layout, type Viewer } from '../site/layout.ts';
import type { ConfirmFields } from './import-forms.ts';
import type { ImportedFile } from './import-model.ts';
import type { Import } from './import-row.ts';
import { andMore, andRest, nameDefinitions, noticeList, section, stopForm } from './page-parts.ts';
import { formatPhotos, photoSection } from './photo-parts.ts';
import type { LeftOut, Preview, Reason, Shown, ShownChange } from './plan-summary.ts';

export interface PreviewView {
  readonly viewer: Viewer;
  readonly plan: Import;
  /** The last import of the same file. */
  readonly before: ImportedFile | null;
  readonly author: number;
  readonly form: FilledForm<ConfirmFields>;
}

export function previewPage(view: PreviewView): Html {
  const { viewer, plan, before, author, form } = view;
  const { id, fileName, planned, preview, state } = plan;
  const { here, asked, doubled, refuse } = planned;
  return layout({
    title: formTitle(`${fileName} – Import items`, form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${href('/items/import')}">← Import items</a></p>
<h1>What ${fileName} changes</h1>
${countList([
  ['New items', planned.create, hasTable(plan)],
  ['Changed items', planned.change],
  ['Other names', asked],
  ['Already here', here],
  ['Twice in the file', doubled],
  ['Unchanged', planned.same],
  ['Refused', refuse],
  ['Photos', plan.photos?.planned ?? 0, plan.photos !== null],
])}
${lentNotice(preview)}${before === null ? null : html`<p class="notice">${before.account === author ? 'You' : 'Somebody else'} imported this file on ${timeElement(before.at)}. <a href="${batchHref(before.batch)}">See what was imported</a>.</p>\n`}${
  state === 'expired'
    ? html`<p class="notice">This preview has expired. <a href="${href('/items/import')}">Choose the file again</a>.</p>`
    : nextStep(view)
}
${definitionsNote(plan)}${photoSection(plan)}
${leftOutNote(id, here + asked + doubled + refuse, here + asked + doubled > 0)}
${askedSection(plan)}
${refusedSection(preview.refused, refuse)}
${noticeSection(plan)}
${namesSection('created', 'New items', preview.created, planned.create)}
${changedSection('changed', 'Changed items', preview.changed, planned.change, id)}
${changedSection('here', 'What an update would change', preview.here, preview.hereChanged, id)}
${knownSection(preview.known, here)}
${doubledSection(preview.doubled, doubled)}`,
  });
}

/** Photos alone may be for things that are here. */
export function hasTable({ columns }: Pick<Import, 'columns'>): boolean {
  return columns.header.length > 0;
}

/** The fields and kinds that do not exist yet. */
function definitionsNote({ definitions }: Import): Html | null {
  const named = nameDefinitions(definitions, true);
  if (named.length === 0) return null;
  const isOne = definitions.fields.length + definitions.kinds.length === 1;
  return html`<p>The import makes ${named.join('. It makes ')}. Undoing the import leaves ${isOne ? 'it' : 'them'} in place.</p>\n`;
}

/** Counts of nothing are left out, unless they are always shown. */
export function countList(
  counts: readonly (readonly [label: string, value: number, isAlways?: boolean])[],
): Html {
  const shown = counts.filter(([, value, isAlways = false]) => isAlways || value > 0);
  return html`<dl class="summary counts">
${shown.map(([label, value]) => html`<div><dt>${label}</dt><dd>${formatNumber(value)}</dd></div>\n`)}</dl>`;
}

/** Lent items in a notice. */
const MAX_LENT = 5;

/** What is lent is not on its shelf to be counted, so a lower number may mean no more than that. */
function lentNotice({ lent, lentCount }: Preview): Html | null {
  if (lentCount === 0) return null;
  const shown = lent.slice(0, MAX_LENT).map(({ line, name, number, who }, at) => {
    return html`${at === 0 ? '' : ', '}<a href="${itemHref(number)}">${name}</a> (line ${formatNumber(line)}: ${who})`;
  });
  const rest = lentCount - shown.length;
  return html`<p class="notice">The file has a lower quantity than is lent of ${formatCount(lentCount, 'item', 'items')}: ${shown}${andRest(rest)}. These stay as they are. Return what is lent first, or correct the file, and choose it again.</p>\n`;
}

function nextStep(view: PreviewView): Html {
  const { id, planned, photos } = view.plan;
  const isNew = planned.create + planned.change + planned.asked + (photos?.planned ?? 0) > 0;
  const hasMore = planned.here + planned.doubled > 0;
  const again = html`${stopForm(id, 'Discard', view.viewer)}${hasTable(view.plan) ? html`\n<a href="${columnsHref(id)}">Change columns</a>` : null}`;
  if (isNew) return confirmation(view, hasMore, again);
  return html`<p><strong>Nothing new to import.</strong></p>
${hasMore ? html`<details>\n<summary>Update the items, or add the rows all the same</summary>\n${confirmation(view, true, null)}\n</details>\n` : null}<div class="actions item-actions">
${again}
</div>`;
}

function confirmation(
  { plan: { id, planned, preview, photos }, form }: PreviewView,
  asks: boolean,
  again: Html | null,
): Html {
  const rows = planned.create + planned.change;
  const updates =
    preview.hereChanged === 0 ? 'nothing' : formatCount(preview.hereChanged, 'item', 'items');
  const hint =
    planned.here === 0 ? 'An update, too, leaves' : `An update would change ${updates}. It leaves`;
  const here = asks
    ? html`${formField(form, 'here')}
<p class="hint">${hint} out rows that are twice in the file.</p>`
    : html`<input type="hidden" name="here" value="leave">`;
  const asked =
    planned.asked > 0
      ? formField(form, 'asked')
      : html`<input type="hidden" name="asked" value="leave">`;
  const parts = [
    ...(rows > 0 || photos === null ? [formatCount(rows, 'row', 'rows')] : []),
    ...(photos === null || photos.planned === 0 ? [] : [formatPhotos(photos.planned)]),
  ];
  const button = asks || planned.asked > 0 ? 'Import' : `Import ${parts.join(' and ')}`;
  return html`${formTag(
    form,
    html`${formField(form, 'plan')}${asked}
${here}
<div class="actions"><button>${button}</button></div>
`,
    { action: action('/items/imports/:id<int>/run', { id }), class: 'form' },
  )}
${again === null ? null : html`<div class="actions item-actions">\n${again}\n</div>`}`;
}

/** Where all rows that are left out can be seen. `all` is how many these are. */
export function leftOutNote(id: number, all: number, canChoose = false): Html | null {
  if (all === 0) return null;
  const rows = formatCount(all, 'row is', 'rows are');
  return html`<p>${rows} left out${canChoose ? ', unless you choose otherwise' : ''}. <a href="${refusedHref(id)}" download>Download ${all === 1 ? 'it' : 'them'} with the reasons</a>. Corrected, that file can be imported.</p>`;
}

/** Rows by whose reference or number an item is meant that has another name. */
export function askedSection({ id, planned, preview }: Import): Html | null {
  return changedSection('asked', 'Other names', preview.asked, planned.asked, id);
}

/** Reasons on a page. */
const MAX_REASONS = 6;

/** Nothing without rows. `all` is how many there are. */
export function refusedSection(reasons: readonly Reason[], all: number): Html | null {
  if (all === 0) return null;
  const shown = reasons.slice(0, MAX_REASONS);
  const rest = all - shown.reduce((sum, { count }) => sum + count, 0);
  return section(
    'refused',
    'Refused',
    all,
    html`<ul class="records">
${shown.map(
  ({
    problem,
    count,
    rows,
  }) => html`<li><div><p>${formatCount(count, 'row', 'rows')}: ${problem}.</p>
<p class="details">${nameRows(rows, count)}</p></div></li>\n`,
)}</ul>
${andMore(rest)}`,
  );
}

/** The reasons of single rows. */
export function toReasons(rows: readonly LeftOut[]): readonly Reason[] {
  return rows.map(({ line, name, problem }) => {
    return { line, problem, count: 1, rows: [{ line, name, cell: '' }] };
  });
}

function nameRows(rows: Reason['rows'], all: number): string {
  const named = rows.map(({ line, name, cell }) => {
    const where = `line ${formatNumber(line)}${cell === '' ? '' : `: “${cell}”`}`;
    return name === '' ? where : `“${name}” (${where})`;
  });
  const rest = all - named.length;
  return `${named.join(', ')}${andRest(rest)}`;
}

/** Columns with notices on a page. */
const MAX_NOTICES = 6;

function noticeSection({ columns, preview: { notices } }: Import): Html | null {
  const own = notices.slice(0, MAX_NOTICES).map(({ column, count, examples, hasMore }) => {
    const read = examples.map(({ cell, message }) => `“${cell}” ${message}`).join(', ');
    return `${column}: ${read}${hasMore ? ' and so on' : ''} (${formatCount(count, 'row', 'rows')})`;
  });
  const { notices: ofFile, program } = columns;
  const from = program ? [`It was read as an export of ${program}`] : [];
  return noticeList([...from, ...ofFile, ...own]);
}

/** Names on a page. */
const MAX_NAMES = 12;

function namesSection(
  id: string,
  heading: string,
  rows: readonly Shown[],
  all: number,
): Html | null {
  const names = rows.slice(0, MAX_NAMES).map(({ name }) => html`${name}`);
  return rowsSection(id, heading, names, all);
}

/** Changed items on a page; the others are folded away. */
const MAX_CHANGED = 3;

function changedSection(
  id: string,
  heading: string,
  rows: readonly ShownChange[],
  all: number,
  importId: number,
): Html | null {
  if (all === 0) return null;
  const list = (some: readonly ShownChange[]) => html`<ul class="records">
${some.map(
  ({
    line,
    number,
    was,
    changes,
  }) => html`<li><div><p><a href="${itemHref(number)}" id="import-${importId}-${number}">${was}</a> <span class="details">No. ${number}, line ${formatNumber(line)}</span></p>
${changeList(changes)}</div></li>\n`,
)}</ul>`;
  const more = rows.slice(MAX_CHANGED);
  return section(
    id,
    heading,
    all,
    html`${list(rows.slice(0, MAX_CHANGED))}
${more.length === 0 ? null : html`<details>\n<summary>Show ${formatNumber(more.length)} more</summary>\n${list(more)}\n${andMore(all - rows.length)}</details>`}`,
  );
}

export function knownSection(rows: Preview['known'], all: number): Html | null {
  const known = rows.slice(0, MAX_NAMES).map(({ line, name, number }) => {
    return html`<a href="${itemHref(number)}">${name}</a> (line ${formatNumber(line)})`;
  });
  return rowsSection('known', 'Already here', known, all);
}

export function doubledSection(rows: Preview['doubled'], all: number): Html | null {
  const doubled = rows.slice(0, MAX_NAMES).map(({ line, name, first }) => {
    return html`“${name}” (line ${formatNumber(line)}, as line ${formatNumber(first)})`;
  });
  return rowsSection('doubled', 'Twice in the file', doubled, all);
}

/** `shown` are the first of the rows. */
function rowsSection(
  id: string,
  heading: string,
  shown: readonly Html[],
  all: number,
): Html | null {
  if (all === 0) return null;
  const rest = all - shown.length;
  const list = shown.map((one, at) => html`${at === 0 ? '' : ', '}${one}`);
  return section(id, heading, all, html`<p>${list}${andRest(rest)}.</p>`);
}
