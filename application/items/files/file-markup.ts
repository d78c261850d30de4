/** How pages show the files of an item: photos with their captions, and documents with their type and size. */
import { type Href, type Html, html } from 'seeother';
import { addFilesAction, fileHref, filePageHref } from '../../links.ts';
import { formatBytes } from '../../site/format.ts';
import { type ItemFile, isPhoto } from '../item-files.ts';

const IN_MAKING = 'The picture is being made';

/** Pixels of a page: as much of a photo as leaves the rest of the page in sight, and of a large one. */
const PAGE_HEIGHT = 400;
export const LARGE_HEIGHT = 800;

interface Named {
  readonly number: number;
  readonly name: string;
}

interface PictureOptions {
  readonly maxHeight?: number;
  readonly toHref?: (hash: string) => Href;
}

/**
 * The picture of a page. It has the width and height that it is shown with: a style sheet that limited its height would
 * keep it no place until it arrives. While it is being made, its place stays empty.
 */
export function pagePicture(
  file: ItemFile,
  { name }: Pick<Named, 'name'>,
  {
    maxHeight = PAGE_HEIGHT,
    toHref = (hash) => fileHref(file.number, file.id, hash),
  }: PictureOptions = {},
): Html {
  const { page, caption } = file;
  if (page === null) return html`<span class="no-photo page">${IN_MAKING}</span>`;
  const scale = Math.min(1, maxHeight / page.height);
  const [width, height] = [page.width, page.height].map((length) => Math.round(length * scale));
  return html`<img src="${toHref(page.hash)}" alt="${caption || name}" width="${width}" height="${height}">`;
}

/** For a place of 40 or 52 pixels: square. */
function smallPicture({ id, number, listHash, caption }: ItemFile, alt: string): Html {
  return listHash === null
    ? html`<span class="no-photo"></span>`
    : html`<img class="small" src="${fileHref(number, id, listHash)}" alt="${caption || alt}" width="80" height="80" loading="lazy">`;
}

/** All files of an item, on its page. */
export function filesSection(files: readonly ItemFile[], item: Named): Html | null {
  if (files.length === 0) return null;
  const [first, ...others] = files.filter(isPhoto);
  const documents = files.filter((file) => !isPhoto(file));
  return html`<section class="files" aria-labelledby="files-heading">
<h2 id="files-heading" class="visually-hidden">Photos and documents</h2>
${first === undefined ? null : figure(first, item, pagePicture(first, item))}
${
  others.length === 0
    ? null
    : html`<ul class="photos">
${others.map((one, at) => html`<li>${figure(one, item, smallPicture(one, `${item.name}, photo ${at + 2}`))}</li>\n`)}</ul>`
}
${documents.length === 0 ? null : documentList(documents)}
</section>`;
}

/** Two taps on a telephone: the first opens its camera. */
export function addFilesBox(number: number, once: Html): Html {
  return html`<form class="add-files" method="post" enctype="multipart/form-data" action="${addFilesAction(number)}">${once}<label for="files">Photos and documents</label>
<input type="file" id="files" name="files" accept="image/*,*/*" multiple> <button class="quiet">Add photos</button></form>`;
}

function figure({ id, number, caption, page }: ItemFile, { name }: Named, picture: Html): Html {
  const what = caption || name;
  // What is seen in the place of the picture is part of the name that speech control knows.
  const label = page === null ? `${IN_MAKING}: ${what}` : `${what}, large`;
  return html`<figure><a href="${filePageHref(number, id)}" aria-label="${label}">${picture}</a>${caption === '' ? null : html`<figcaption>${caption}</figcaption>`}</figure>`;
}

function documentList(documents: readonly ItemFile[]): Html {
  return html`<ul class="documents">
${documents.map(({ number, id, hash, name, caption, ...file }) => html`<li><a href="${fileHref(number, id, hash ?? '')}" download>${caption || name}</a> <span class="details">${describeDocument({ name, ...file })}</span> <a class="details" href="${filePageHref(number, id)}">Details<span class="visually-hidden"> of ${caption || name}</span></a></li>\n`)}</ul>`;
}

/** "PDF, 2.1 MB". */
export function describeDocument({
  name,
  size,
  kind,
}: Pick<ItemFile, 'name' | 'size' | 'kind'>): string {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toUpperCase();
  const type = ending === undefined ? 'File' : ending;
  const note = kind === 'failed' ? ', cannot be shown as a picture' : '';
  return `${type}, ${formatBytes(size)}${note}`;
}
