/** Why a change of kinds or fields was not undone, and what to do now. */
import { type Html, html } from 'seeother';
import { fieldChangesHref, fieldHref, fieldsHref, kindHref } from '../../links.ts';
import type { UndoRefused } from '../../own-fields/change-definitions.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import type { BatchRefused } from '../history/undo-batch.ts';

export function undoFieldsRefusedPage(viewer: Viewer, refused: UndoRefused | BatchRefused): Html {
  const changed = 'changed' in refused ? refused.changed : null;
  const link =
    changed === null
      ? null
      : changed.table === 'own_fields'
        ? fieldHref(changed.id)
        : kindHref(changed.id);
  const why =
    'left' in refused
      ? 'The things whose values were merged were changed since.'
      : changed === null
        ? 'It was undone before.'
        : `“${changed.name}” was changed since.`;
  return layout({
    title: 'The change was not undone',
    viewer,
    section: 'items',
    main: html`<h1>The change was not undone</h1>
<p>${why} Nothing was changed.</p>
<h2>What you can do now</h2>
<ul>
${link === null ? null : html`<li>Change <a href="${link}">“${changed?.name}”</a> by hand.</li>\n`}<li>See the <a href="${fieldChangesHref()}">changes of kinds and fields</a>, and undo the newer ones first.</li>
<li>Go to the <a href="${fieldsHref()}">kinds and fields</a>.</li>
</ul>`,
  });
}
