/** The page to upload a file, with the format of the file and the user's recent imports. */
import {
  errorSummary,
  type FilledForm,
  type FormError,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
} from 'seeother';
import { action, exportHref, href, importHref } from '../links.ts';
import { agoElement, formatCount, formatNumber } from '../site/format.ts';
import { layout, type Viewer } from '../site/layout.ts';
import type { ImportFields } from './import-forms.ts';
import type { Import } from './import-row.ts';

export interface ImportView {
  readonly viewer: Viewer;
  readonly form: FilledForm<ImportFields>;
  readonly errors: readonly FormError<ImportFields>[];
  readonly imports: readonly Import[];
  readonly now: Date;
}

const COLUMNS: readonly (readonly [name: string, about: string])[] = [
  ['number', 'The item that the row changes. Leave it empty to add an item.'],
  ['name', 'The only required column.'],
  ['description', 'Up to 10,000 characters.'],
  ['quantity', 'A whole number. If it is missing, a new item gets 1.'],
  ['location', 'Where to look for the item.'],
  ['tags', 'Separated by commas.'],
  ['minimum', 'A whole number, or empty. The item runs low when there are fewer.'],
];

export function importPage({ viewer, form, errors, imports, now }: ImportView): Html {
  return layout({
    title: formTitle('Import items', errors),
    viewer,
    section: 'items',
    main: html`${errorSummary(errors)}
<p class="back"><a href="${href('/items')}">← All items</a></p>
<h1>Import items</h1>
<p>Choose a CSV file. The next page shows what it would add and change, before anything is saved.</p>
${formTag(
  form,
  html`${formField(form, 'file', errors)}
<div class="actions"><button>Show what it changes</button></div>
`,
  { action: action('/items/import'), class: 'form' },
)}
${imports.length === 0 ? null : importSection(imports, now)}
<section aria-labelledby="columns-heading">
<h2 id="columns-heading">Columns</h2>
<p>The first line names the columns, in any order. Items keep the values of columns that are missing. To get a file with all columns, <a href="${exportHref({})}" download>download all items as CSV</a>.</p>
<dl class="summary counts">
${COLUMNS.map(([name, about]) => html`<div><dt><code>${name}</code></dt><dd>${about}</dd></div>\n`)}</dl>
</section>`,
  });
}

function importSection(imports: readonly Import[], now: Date): Html {
  return html`<section aria-labelledby="imports-heading">
<h2 id="imports-heading">Your imports</h2>
<ul class="records">
${imports.map((one) => importRecord(one, now))}</ul>
</section>`;
}

function importRecord(one: Import, now: Date): Html {
  return html`<li>
<div>
<p><a href="${importHref(one.id)}">${one.fileName}</a></p>
<p class="details">${describeState(one)} · ${agoElement(one.at, now)}</p>
</div>
</li>
`;
}

function describeState({ state, planned, done }: Import): string {
  switch (state) {
    case 'planned':
      return 'Not imported yet';
    case 'expired':
      return 'Never imported';
    case 'running':
      return `${formatNumber(done.rows)} of ${formatCount(planned.create + planned.change, 'row', 'rows')} imported`;
    case 'stopped':
      return `Stopped after ${formatCount(done.rows, 'row', 'rows')}`;
    case 'done':
      return `${formatNumber(done.created)} added, ${formatNumber(done.changed)} changed`;
  }
}
