/** The progress of a running import, and the result of an ended one. */
import { type Html, html } from 'seeother';
import type { DatabaseUnavailable } from 'seeother/database';
import { batchHref, href, importHref, listHref } from '../links.ts';
import { formatCount, formatNumber } from '../site/format.ts';
import { layout, type Viewer } from '../site/layout.ts';
import type { Import } from './import-row.ts';
import { nameDefinitions, stopForm } from './page-parts.ts';
import { formatPhotos, photoResult } from './photo-parts.ts';
import {
  askedSection,
  countList,
  doubledSection,
  hasTable,
  knownSection,
  leftOutNote,
  refusedSection,
  toReasons,
} from './preview-page.ts';

const WAITS = {
  full: 'the server can’t save anything, because its disk is full',
  fails: 'the server can’t save anything, because its disk does not work',
  away: 'the database can’t be used right now',
};

export interface ProgressView {
  readonly viewer: Viewer;
  readonly running: Import;
  /** Whether the page reloads by itself. */
  readonly refreshes: boolean;
  /** Why its next step has failed; null if it goes on. */
  readonly waitsFor: DatabaseUnavailable | null;
}

export function progressPage({ viewer, running, refreshes, waitsFor }: ProgressView): Html {
  const { id, fileName, rows, done, photos } = running;
  const all = rows + (photos?.planned ?? 0);
  const value = done.rows + (photos === null ? 0 : photos.added + photos.there + photos.failed);
  const percent = all === 0 ? 0 : Math.floor((value / all) * 100);
  const isAtPhotos = photos !== null && done.rows >= rows;
  const [count, of] = isAtPhotos
    ? [value - rows, formatPhotos(photos.planned)]
    : [done.rows, formatCount(rows, 'row', 'rows')];
  return layout({
    title: `${percent} % of ${fileName} – Import items`,
    viewer,
    section: 'items',
    main: html`<p class="back"><a href="${href('/items/import')}">← Import items</a></p>
<h1>Importing ${fileName}</h1>
<p id="progress-text" role="status">${formatNumber(count)} of ${of} imported</p>
<progress aria-labelledby="progress-text" max="${Math.max(all, 1)}" value="${value}">${percent} %</progress>
${waitsFor === null ? null : html`<p class="notice">The import waits: ${WAITS[waitsFor.disk ?? 'away']}. It continues by itself as soon as it can.</p>\n`}<p>You can leave this page${waitsFor === null ? ': the import continues' : ''}. ${
      refreshes
        ? html`The page reloads by itself. <a href="${importHref(id, { still: true })}">Stop reloading</a>`
        : html`<a href="${importHref(id)}">Reload by itself</a>`
    }</p>
${stopForm(id, 'Stop the import', viewer)}`,
  });
}

export interface ResultView {
  readonly viewer: Viewer;
  readonly ended: Import;
}

export function resultPage({ viewer, ended }: ResultView): Html {
  const { id, fileName, planned, done, preview, refusals, problem, state, batch } = ended;
  const wasRun = batch !== null;
  const refused = planned.refuse + done.left;
  const { leftOut, rows, choices } = ended;
  const rest = rows - done.rows;
  const { photos } = ended;
  const added = photos?.added ?? 0;
  const { fields, kinds } = ended.definitions;
  const isMade = ({ id }: { readonly id: number | null }) => id !== null;
  const made = nameDefinitions(
    { fields: fields.filter(isMade), kinds: kinds.filter(isMade) },
    false,
  );
  return layout({
    title: `${fileName} – Import items`,
    viewer,
    section: 'items',
    main: html`<p class="back"><a href="${href('/items/import')}">← Import items</a></p>
<h1>${fileName} ${state === 'done' ? 'was imported' : wasRun ? 'was imported in part' : 'was not imported'}</h1>
${problem === '' ? null : html`<p class="notice">${problem} ${wasRun ? `${formatCount(done.rows, 'row was', 'rows were')} imported before, and ${done.rows === 1 ? 'stays' : 'stay'}.` : 'Nothing was saved.'}</p>\n`}
${countList([
  ['New items', done.created, hasTable(ended)],
  ['Changed items', done.changed],
  ['Left out', leftOut],
  ['Unchanged', planned.same + done.rows - done.created - done.changed - done.left - leftOut],
  ['Refused', refused],
  ['Not imported', rest],
  ['Photos added', added, photos !== null],
  ['Photos already here', photos?.there ?? 0],
  ['Photos not added', (photos?.planned ?? 0) - added - (photos?.there ?? 0)],
])}
<ul>
${done.created === 0 ? null : html`<li>Look at the new items in the <a href="${listHref({})}">list</a>.</li>\n`}${done.created + done.changed + added === 0 || batch === null ? null : html`<li>Look at <a href="${batchHref(batch)}">what was imported</a>, and undo it there.</li>\n`}<li><a href="${href('/items/import')}">Import another file</a>.</li>
</ul>
${made.map((one) => html`<p>The import made ${one}.</p>\n`)}${leftOutNote(id, leftOut + refused + rest)}
${wasRun ? photoResult(ended) : null}
${refusedSection([...toReasons(refusals), ...preview.refused], refused)}
${wasRun && choices.asked === 'leave' ? askedSection(ended) : null}
${wasRun && choices.here === 'leave' ? knownSection(preview.known, planned.here) : null}
${wasRun && choices.here !== 'add' ? doubledSection(preview.doubled, planned.doubled) : null}`,
  });
}
