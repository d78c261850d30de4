/**
 * Files in a folder of this machine, each under its key. Nobody else may read it. Several processes can share a
 * folder. The folder is made when the first file is written, with a mark: the folder below a volume that is not mounted
 * has none, and nothing must be written there, nor taken for removed.
 */
import { createReadStream } from 'node:fs';
import { mkdir, open, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { describeValue } from '../http/check-options.ts';
import type { FileStore } from './file-store.ts';

const KEY = /^[0-9a-f]{64}$/;
const MARK = 'files-of-this-site.txt';
const MARK_TEXT =
  'The files of a site are in this folder. Leave this file here: without it, the site takes the folder for that of another volume, and stores nothing.\n';

/** The store of files in a folder, such as `createFolder('/var/lib/bookings/files')`. */
export function createFolder(directory: string): FileStore {
  if (typeof directory !== 'string' || directory === '') {
    throw new TypeError(
      `Cannot store files in ${describeValue(directory)}: pass the path of a folder, createFolder('files').`,
    );
  }
  const folder = resolve(directory);
  const pathOf = (key: string) => {
    if (KEY.test(key)) return join(folder, key);
    throw new TypeError(
      `Cannot use ${JSON.stringify(key)} as the key of a file: it has 64 hexadecimal digits.`,
    );
  };
  const sync = async (path: string) => {
    const handle = await open(path);
    await handle.sync().finally(() => handle.close());
  };
  const removeAt = async (path: string) => {
    await rm(path, { force: true });
    // Otherwise a power cut may bring the file back, when nothing knows of it any more.
    if (await exists(folder)) await sync(folder);
  };
  const mark = join(folder, MARK);
  let isMarked = false;
  const make = async () => {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (made === undefined) return;
    // A new folder is an entry of the one above it, which a power cut may take back.
    const last = dirname(resolve(made));
    for (let above = dirname(folder); ; above = dirname(above)) {
      await sync(above);
      if (above === last || above === dirname(above)) return;
    }
  };
  return {
    async check(isNew) {
      if (await exists(mark)) {
        isMarked = true;
        return;
      }
      if (!isNew) {
        throw new Error(
          `Cannot find the files of the site in ${folder}: it has no ${MARK}. Mount the volume or restore the folder. If its files are lost, create an empty ${mark}.`,
        );
      }
      await make();
      await writeFile(mark, MARK_TEXT, { mode: 0o600 });
      isMarked = true;
      await sync(folder);
    },
    async write(key, chunks) {
      const path = pathOf(key);
      await make();
      const handle = await open(path, 'wx', 0o600);
      try {
        for await (const chunk of chunks) await handle.writeFile(chunk);
        await handle.sync();
        // The entry of the file, too.
        await sync(folder);
        // In this order, a volume that has gone or come meanwhile is noticed.
        if (isMarked) await stat(mark);
        await stat(path);
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      } finally {
        await handle.close();
      }
    },
    async *read(key, range) {
      const part = range === undefined ? {} : { start: range.first, end: range.last };
      yield* createReadStream(pathOf(key), part);
    },
    remove: (key) => removeAt(pathOf(key)),
  };
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
