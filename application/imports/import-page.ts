/** The page to upload a file, with the format of the file and the user's recent imports. */
import {
  errorSummary,
  type FilledForm,
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
import { formatPhotos, photoRule } from './photo-parts.ts';
import { MAX_ZIP } from './zip/read-zip.ts';

export interface ImportView {
  readonly viewer: Viewer;
  readonly form: FilledForm<ImportFields>;
  readonly imports: readonly Import[];
  readonly now: Date;
}

export function importPage({ viewer, form: sent, imports, now }: ImportView): Html {
  // One of its two files is needed.
  const form = { ...sent, marksOptional: false } as const;
  return layout({
    title: formTitle('Import items', form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${href('/items')}">← All items</a></p>
<h1>Import items</h1>
<p>Choose a file with a table of your things, a zip with their photos, or both. The next pages show how it is read, and what it would add and change, before anything is saved.</p>
${formTag(
  form,
  html`${formField(form, 'file')}
${formField(form, 'photos')}
<div class="actions"><button>Read the file</button></div>
`,
  { action: action('/items/import'), class: 'form' },
)}
${imports.length === 0 ? null : importSection(imports, now)}
<section aria-labelledby="zip-heading">
<h2 id="zip-heading">Photos in a zip</h2>
<p>The zip has the photos of the things in the file, or of things that are here. The next page shows which photo is for which thing. For more than ${MAX_ZIP / 1e9} GB, make several zips and import one after the other: no photo is added twice.</p>
${photoRule()}
</section>
<section aria-labelledby="columns-heading">
<h2 id="columns-heading">What the file needs</h2>
<p>A line with headings, and a column with the names of the things. If it is not clear what a column is, the next page asks.</p>
<p>You can choose a file again: a thing with the same name in the same location is not added twice.</p>
<p>To change many items at once, <a href="${exportHref({})}" download>download all items as CSV</a>, edit the file, and choose it here. Its column <code>number</code> says which item a row changes.</p>
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

function describeState({ state, rows, done, photos }: Import): string {
  switch (state) {
    case 'columns':
      return 'Waiting for its columns';
    case 'planned':
      return 'Not imported yet';
    case 'expired':
      return 'Never imported';
    case 'running':
      return `${formatNumber(done.rows)} of ${formatCount(rows, 'row', 'rows')} imported`;
    case 'stopped':
      return `Stopped after ${formatCount(done.rows, 'row', 'rows')}`;
    case 'done': {
      const rest = photos === null ? '' : `, ${formatPhotos(photos.added)}`;
      return `${formatNumber(done.created)} added, ${formatNumber(done.changed)} changed${rest}`;
    }
  }
}
