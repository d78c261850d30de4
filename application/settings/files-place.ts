/** Where uploaded files are: in the folder FILES_FOLDER, or where FILES_URL says, which is stronger. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFolder, type FileStore } from 'seeother/files';
import { type Credentials, createS3Store } from 'seeother/s3';
import { InvalidValue, type Read } from './invalid-value.ts';

export interface FilesPlace {
  /** Not used with a bucket. */
  readonly filesFolder: string;
  readonly filesBucket: { readonly address: string; readonly keys: Credentials } | null;
}

export function readFilesPlace(read: Read, defaultFolder: string): FilesPlace {
  const folder = read('FILES_FOLDER', defaultFolder, parseFolder);
  const keys = {
    accessKeyId: read('AWS_ACCESS_KEY_ID', '', (value) => value),
    secretAccessKey: read('AWS_SECRET_ACCESS_KEY', '', (value) => value),
  };
  return read('FILES_URL', '', (value): FilesPlace => {
    if (value === '') return { filesFolder: folder, filesBucket: null };
    if (value.startsWith('file:')) return { filesFolder: parseFileUrl(value), filesBucket: null };
    if (!value.startsWith('s3:')) {
      throw new InvalidValue(
        'it must be file: and a path, for example file:///var/lib/seeother/files, or the address of a bucket, for example s3://bucket/prefix?region=eu-central-1.',
        '…',
      );
    }
    checkBucket(value, keys);
    return { filesFolder: folder, filesBucket: { address: value, keys } };
  });
}

function parseFolder(value: string): string {
  if (!/\p{Cc}/u.test(value)) return value;
  throw new InvalidValue('it must be the path of a folder.');
}

function parseFileUrl(value: string): string {
  try {
    if (value.startsWith('file:///')) return parseFolder(fileURLToPath(value));
  } catch {}
  throw new InvalidValue('it must be file:/// and the path of a folder.');
}

/** A mistyped address may have the keys in it, so none of it is shown. */
function checkBucket(address: string, keys: Credentials): void {
  if (keys.accessKeyId === '' || keys.secretAccessKey === '')
    throw new InvalidValue('set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, too.', 's3://…');
  try {
    createS3Store(address, keys);
  } catch (error) {
    throw new InvalidValue((error as Error).message, 's3://…');
  }
}

export function openFiles({ filesFolder, filesBucket }: FilesPlace): FileStore {
  return filesBucket === null
    ? createFolder(filesFolder)
    : createS3Store(filesBucket.address, filesBucket.keys);
}

/** For people: the path of the folder, or the bucket without its query. */
export function nameFiles({ filesFolder, filesBucket }: FilesPlace): string {
  return filesBucket === null ? resolve(filesFolder) : filesBucket.address.replace(/\?.*$/, '');
}
