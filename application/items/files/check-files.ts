/** What a form with files refuses, before its transaction: a photo that nobody could show. */
import type { UploadedFile } from 'seeother/files';
import type { Awaitable } from 'seeother/middleware';
import { HEAD_BYTES, type PictureHead, readPictureHead } from '../../pictures/picture-head.ts';
import { MAX_PIXELS } from '../../pictures/picture-task.ts';
import { formatNumber } from '../../site/format.ts';

/** What the beginnings of files said, until the form is carried out: in its transaction nothing is read again. */
const heads = new WeakMap<UploadedFile, PictureHead | null>();

/** Of one item: its page shows all of them. */
export const MAX_FILES_OF_ITEM = 100;

type FileError = { readonly field: 'files'; readonly message: string };

const NONE: readonly FileError[] = [];

/** The `check` of a form with a field `files`. */
export function checkFiles({
  values: { files = [] },
}: {
  readonly values: { readonly files?: readonly UploadedFile[] };
}): Awaitable<readonly FileError[]> {
  return files.length === 0 ? NONE : checkEach(files);
}

async function checkEach(files: readonly UploadedFile[]): Promise<readonly FileError[]> {
  const errors: FileError[] = [];
  for (const file of files) {
    const head = readPictureHead(await readHead(file));
    const message = head && describeRefusal(file.name, head);
    if (message !== null) errors.push({ field: 'files', message });
    heads.set(file, head);
  }
  return errors.slice(0, 1);
}

/** Null for a document. `checkFiles` has seen the file. */
export function headOf(file: UploadedFile): PictureHead | null {
  return heads.get(file) ?? null;
}

async function readHead(file: UploadedFile): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of file.chunks()) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= HEAD_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES);
}

function describeRefusal(name: string, { size, isAnimated }: PictureHead): string | null {
  if (isAnimated) return `${name} is animated. Choose a photo that does not move`;
  if (size === null) return null;
  const { width, height } = size;
  if (width === 0 || height === 0) return `${name} is damaged. Choose another photo`;
  if (width * height <= MAX_PIXELS) return null;
  const shape = `${formatNumber(width)} × ${formatNumber(height)}`;
  return `${name} has ${shape} pixels. Choose a photo of ${MAX_PIXELS / 1_000_000} megapixels or less`;
}

/** The answer to files that an item has no room for. */
export function tooManyFiles({ room }: { readonly room: number }) {
  const most = `An item can have ${MAX_FILES_OF_ITEM} photos and documents`;
  const message =
    room === 0
      ? `${most}, and has them already. Remove some first`
      : `${most}. Choose ${room} or fewer`;
  return { errors: [{ field: 'files', message }], status: 409 } as const;
}
