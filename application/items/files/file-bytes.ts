/** The bytes of kept files, of a size that fits in memory. */
import type { Stores } from 'seeother/database';
import type { UploadedFile } from 'seeother/files';
import type { KyselyTransaction } from '../../database/kysely.ts';

export type FileBytes = Stores<KyselyTransaction>['files'];

/** Of a kept file; null if there is none, or it is larger. */
export async function readBytes(
  files: FileBytes,
  id: string,
  maxSize: number,
): Promise<Uint8Array | null> {
  const file = await files.find(id);
  if (file === null || file.size > maxSize) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of files.read(id)) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

/** A picture that was made. Unless a transaction keeps it, it expires within a day. */
export function storeJpeg(
  files: FileBytes,
  name: string,
  bytes: Uint8Array,
): Promise<UploadedFile> {
  return files.add({ name, type: 'image/jpeg' }, once(bytes));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
