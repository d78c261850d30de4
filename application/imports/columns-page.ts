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
import { layout, type Viewer } from '../site/layout.ts';
import { nameColumn } from './columns.ts';
import type { FileColumns } from './file-columns.ts';
import type { ColumnsFields } from './import-forms.ts';
import type { Import } from './import-row.ts';
import { noticeList, stopForm } from './page-parts.ts';
import { readLocation } from './read-location.ts';

export interface ColumnsView {
  readonly viewer: Viewer;
  readonly found: Import;
  readonly form: FilledForm<ColumnsFields>;
}

export function columnsPage({ viewer, found, form }: ColumnsView): Html {
  const { id, fileName, state, columns } = found;
  const { header, notices, facts, program } = columns;
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
${noticeList(notices)}
${formTag(
  form,
  html`${columns.old ? formField(form, 'encoding') : null}
${header.map((heading, at) => column(form, facts[at]?.samples ?? [], at, heading))}
${placesField(columns, form)}
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

function column(
  form: FilledForm<ColumnsFields>,
  samples: readonly string[],
  at: number,
  heading: string,
): Html {
  return html`<div class="column">
<p><strong>${nameColumn(heading, at)}</strong>
<span class="details">${samples.length === 0 ? 'No values' : samples.join(' · ')}</span></p>
${formField(form, `columns.${at}.heading`)}${formField(form, `columns.${at}.use`)}
</div>
`;
}
