/** A zip that is chosen for an import: an export of Homebox, or photos and perhaps the table of the things. */
import type { UploadedFile } from 'seeother/files';
import { type FileNames, isHomebox, readHomebox } from './homebox-zip.ts';
import { fileNameOf, openZip, type Zip, ZipError, type ZipSource } from './read-zip.ts';

export interface PhotoZip {
  readonly source: ZipSource;
  readonly read: Zip['read'];
  /** The photos and documents. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** Whether its table alone says what its files are. */
  readonly hasNames: boolean;
  /** What they are called, if their paths do not say it. */
  readonly names: FileNames;
  /** The table in it; null for one without. */
  readonly table: Pick<UploadedFile, 'name' | 'sha256' | 'chunks'> | null;
}

/** Bytes of a table in the zip. */
const MAX_TABLE = 32_000_000;

/** Rejects with a `ZipError`, or with what the file store says. */
export async function openPhotoZip(source: ZipSource): Promise<PhotoZip> {
  const zip = await openZip(source);
  const { read } = zip;
  const { sha256 } = source;
  if (isHomebox(zip)) {
    const { lines, names } = await readHomebox(zip);
    const files = [...names.keys()].flatMap((path) => zip.entries.get(path) ?? []);
    const table = { name: source.name, sha256, chunks: lines };
    return { source, read, files, names, table, hasNames: true };
  }
  const all = [...zip.entries.values()];
  const nested = all.find(({ path }) => /\.(?:zip|7z|rar|tar|tgz|gz)$/i.test(path));
  if (nested !== undefined)
    throw new ZipError(
      `“${nested.path}” in the zip is an archive itself. Unpack it, and put its photos into the zip`,
    );
  const tables = all.filter(({ path }) => /\.(?:csv|tsv)$/i.test(path));
  const [only] = tables.length === 1 ? tables : [];
  if (only !== undefined && only.size > MAX_TABLE)
    throw new ZipError(
      `“${only.path}” in the zip has more than ${MAX_TABLE / 1e6} MB. Make two tables of it`,
    );
  const files = all.filter((file) => file !== only);
  if (files.length === 0 && only === undefined)
    throw new ZipError(`${source.name} is empty. Choose a zip with photos`);
  const table =
    only === undefined
      ? null
      : { name: fileNameOf(only.path), sha256, chunks: () => read(only.path) };
  return { source, read, files, names: new Map(), table, hasNames: false };
}

/** As a browser would guess it by the name. */
export function typeOf(name: string): string {
  return TYPES[/\.(\w{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream';
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp' },
  ...{ heic: 'image/heic', heif: 'image/heif', gif: 'image/gif', pdf: 'application/pdf' },
  ...{ txt: 'text/plain', csv: 'text/csv' },
};
