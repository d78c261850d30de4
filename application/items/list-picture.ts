/** The picture of an item in a list: square, 40 pixels, beside its name, which says what it is. */
import { type Html, html } from 'seeother';
import { fileHref } from '../links.ts';
import { NO_PICTURE, parsePicture } from './item-files.ts';

interface Pictured {
  readonly number: number;
  readonly name: string;
  /** See item-files.ts. */
  readonly picture: string | null;
}

/** Without such an item in it, a list has no place for pictures. */
export function hasPicture({ picture }: Pictured): boolean {
  return picture !== null && picture !== NO_PICTURE;
}

export function nameWithPicture(item: Pictured): Html {
  return html`${smallPicture(item)}${item.name}`;
}

/** An even place if there is none. */
export function smallPicture({ number, picture }: Pictured): Html {
  const parsed = parsePicture(picture);
  return parsed === null || typeof parsed === 'string'
    ? html`<span class="no-photo"></span>`
    : html`<img src="${fileHref(number, parsed.file, parsed.hash)}" alt="" width="40" height="40" loading="lazy">`;
}
