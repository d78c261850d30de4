/** The page that adds files to an item, and the page of one file: large, with what can be done with it. */
import {
  errorSummary,
  type FilledForm,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
} from 'seeother';
import {
  addFilesAction,
  fileAction,
  fileHref,
  filePageHref,
  itemHref,
  originalHref,
  removeFileHref,
} from '../../links.ts';
import { draftNotice } from '../../site/draft-notice.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import { type ItemFile, isPhoto } from '../item-files.ts';
import type { AddFilesFields, FileFields } from './file-forms.ts';
import { describeDocument, LARGE_HEIGHT, pagePicture } from './file-markup.ts';

interface Named {
  readonly number: number;
  readonly name: string;
}

export interface AddFilesView {
  readonly viewer: Viewer;
  readonly item: Named;
  readonly form: FilledForm<AddFilesFields>;
  readonly isDraft: boolean;
}

export function addFilesPage({ viewer, item, form, isDraft }: AddFilesView): Html {
  return layout({
    title: formTitle(`Add photos to ${item.name} – Items`, form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${itemHref(item.number)}">← ${item.name}</a></p>
<h1>Add photos or documents</h1>
${isDraft ? draftNotice(viewer) : null}
${formTag(
  form,
  html`${formField(form, 'files')}
<div class="actions"><button>Add photos</button> <a href="${itemHref(item.number)}">Cancel</a></div>
`,
  { action: addFilesAction(item.number), class: 'form' },
)}`,
  });
}

export interface FileView {
  readonly viewer: Viewer;
  readonly item: Named;
  readonly file: ItemFile;
  /** All of the item, in their order. */
  readonly files: readonly ItemFile[];
  /** Null for those who cannot change it. */
  readonly form: FilledForm<FileFields> | null;
  /** Whether it was sent, and refused: from now on the caption that the page shows may be overwritten. */
  readonly isSent: boolean;
  readonly canRemoveForEver: boolean;
}

export function filePage(view: FileView): Html {
  const { viewer, item, file, files, isSent, canRemoveForEver } = view;
  const form =
    view.form === null || !isSent
      ? view.form
      : { ...view.form, text: { ...view.form.text, was: file.caption } };
  const { caption, name, number, id, hash } = file;
  const what = isPhoto(file) ? 'Photo' : 'Document';
  const picture = pagePicture(file, item, { maxHeight: LARGE_HEIGHT });
  const title = `${what} ${caption === '' ? `of ${item.name}` : `“${caption}”`} – Items`;
  return layout({
    title: form === null ? title : formTitle(title, form),
    viewer,
    section: 'items',
    main: html`${form === null ? null : errorSummary(form)}
<div class="item-links">
<p class="back"><a href="${itemHref(number)}">← ${item.name}</a></p>
${beside(file, files)}</div>
<h1>${caption || (isPhoto(file) ? `Photo of ${item.name}` : name)}</h1>
${
  isPhoto(file)
    ? html`<p class="large">${hash === null ? picture : html`<a href="${fileHref(number, id, hash)}">${picture}</a>`}</p>`
    : html`<p><a class="button quiet" href="${fileHref(number, id, hash ?? '')}" download>Download</a> ${name}, ${describeDocument(file)}</p>`
}
${form !== null && file.original !== null ? html`<p><a href="${originalHref(number, id)}" download>Download the original</a>, with everything that the camera has noted, such as the place.</p>` : null}
${form === null ? null : fileActions(file, files, form)}
${canRemoveForEver ? html`<p><a href="${removeFileHref(number, id)}">Remove for ever…</a></p>` : null}`,
  });
}

function fileActions(
  file: ItemFile,
  files: readonly ItemFile[],
  form: FilledForm<FileFields>,
): Html {
  const at = files.findIndex(({ id }) => id === file.id);
  const isFirstPhoto = files.find(isPhoto)?.id === file.id;
  const button = (value: string, label: string, kind = 'quiet') =>
    html`<button class="${kind}" name="button" value="${value}">${label}</button>\n`;
  // Both rows of buttons stand in an element of their own: in view all the time, one would cover the other.
  return formTag(
    form,
    html`${formField(form, 'was')}
${formField(form, 'caption')}
<div>
<div class="actions"><button name="button" value="save">Save caption</button></div>
<div class="actions">${isPhoto(file) && !isFirstPhoto ? button('first', 'Use as the picture') : null}${at > 0 ? button('earlier', 'Move earlier') : null}${at < files.length - 1 ? button('later', 'Move later') : null}${button('remove', 'Remove', 'danger')}</div>
</div>
`,
    { action: fileAction(file.number, file.id), class: 'form' },
  );
}

function beside({ id, number }: ItemFile, files: readonly ItemFile[]): Html | null {
  const at = files.findIndex((one) => one.id === id);
  const [previous, next] = [files[at - 1], files[at + 1]];
  if (previous === undefined && next === undefined) return null;
  return html`<nav aria-label="Files beside this one">
${previous === undefined ? null : html`<a rel="prev" href="${filePageHref(number, previous.id)}">← Previous</a>`}
${next === undefined ? null : html`<a rel="next" href="${filePageHref(number, next.id)}">Next →</a>`}
</nav>
`;
}
