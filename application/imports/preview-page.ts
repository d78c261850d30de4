/** What an import would do, row by row, with the form that confirms it. */
import { blankForm, formField, formTag, type Html, html } from 'seeother';
import { changeList } from '../items/events/event-text.ts';
import { action, href, itemHref } from '../links.ts';
import { buttonForm } from '../site/flash-message.ts';
import { formatCount, formatNumber, timeElement } from '../site/format.ts';
import { layout, type Viewer } from '../site/layout.ts';
import { confirmForm } from './import-forms.ts';
import type { Import, ImportWithRows } from './import-row.ts';
import type { Preview } from './plan-file.ts';
import type { RefusedRow } from './read-rows.ts';

export interface PreviewView {
  readonly viewer: Viewer;
  readonly plan: ImportWithRows;
  /** When the same file was imported before; null if it was not. */
  readonly importedAt: Date | null;
}

export function previewPage({ viewer, plan, importedAt }: PreviewView): Html {
  const { id, fileName, planned, preview, state } = plan;
  const rows = planned.create + planned.change;
  return layout({
    title: `${fileName} – Import items`,
    viewer,
    section: 'items',
    main: html`<p class="back"><a href="${href('/items/import')}">← Import items</a></p>
<h1>What ${fileName} changes</h1>
<dl class="summary counts">
${count('New items', planned.create)}${count('Changed items', planned.change)}${count('Unchanged', planned.same)}${count('Refused', planned.refuse)}</dl>
${planned.refuse === 0 ? null : html`<p>Refused rows are left out. To import them too, correct the file and <a href="${href('/items/import')}">choose it again</a>.</p>\n`}${
  importedAt === null
    ? null
    : html`<p class="notice">You have imported this file before, ${timeElement(importedAt)}. Rows without a number are added once more.</p>\n`
}${state === 'expired' ? html`<p class="notice">This preview has expired. <a href="${href('/items/import')}">Choose the file again</a>.</p>` : nextStep(plan, rows)}
${refusedSection(preview.refused, planned.refuse)}
${changedSection(preview.changed, planned.change, id)}
${createdSection(preview.created, planned.create)}`,
  });
}

export function count(label: string, value: number): Html {
  return html`<div><dt>${label}</dt><dd>${formatNumber(value)}</dd></div>\n`;
}

function nextStep({ id, planHash }: Import, rows: number): Html {
  if (rows === 0) return html`<p><strong>Nothing to import.</strong></p>`;
  const form = blankForm(confirmForm, { plan: planHash });
  return html`<div class="actions item-actions">
${formTag(form, html`${formField(form, 'plan', [])}<button>Import ${formatCount(rows, 'row', 'rows')}</button>`, { action: action('/items/imports/:id<int>/run', { id }) })}
${stopForm(id, 'Discard')}
</div>`;
}

export function stopForm(id: number, label: string): Html {
  const path = action('/items/imports/:id<int>/stop', { id });
  return formTag(blankForm(buttonForm), html`<button class="quiet">${label}</button>`, {
    action: path,
  });
}

/** Nothing without rows. `all` is how many there are. */
export function refusedSection(rows: readonly RefusedRow[], all: number): Html | null {
  return section('refused', 'Refused', rows, all, ({ line, problem }) => {
    return html`<p>Line ${formatNumber(line)}</p>
<p class="details">${problem}.</p>`;
  });
}

function changedSection(rows: Preview['changed'], all: number, id: number): Html | null {
  return section('changed', 'Changed items', rows, all, ({ line, number, name, changes }) => {
    return html`<p><a href="${itemHref(number)}" id="import-${id}-${number}">${name}</a> <span class="details">No. ${number}, line ${formatNumber(line)}</span></p>
${changeList(changes)}`;
  });
}

function createdSection(rows: Preview['created'], all: number): Html | null {
  return section('created', 'New items', rows, all, ({ line, input }) => {
    const { name, quantity, location, tags } = input;
    const facts = [formatNumber(quantity), location, tags.join(', ')].filter((one) => one !== '');
    return html`<p><strong>${name}</strong></p>
<p class="details">${facts.join(' · ')} · line ${formatNumber(line)}</p>`;
  });
}

function section<Row>(
  id: string,
  heading: string,
  rows: readonly Row[],
  all: number,
  render: (row: Row) => Html,
): Html | null {
  if (all === 0) return null;
  const rest = all - rows.length;
  return html`<section aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${heading} <span class="count">${formatNumber(all)}</span></h2>
<ul class="records">
${rows.map((row) => html`<li><div>${render(row)}</div></li>\n`)}</ul>
${rest === 0 ? null : html`<p>And ${formatNumber(rest)} more.</p>`}
</section>`;
}
