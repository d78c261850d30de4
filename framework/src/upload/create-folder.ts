/**
 * Files in a folder of this machine, each under its key. Nobody else may read it. Several processes can share a
 * folder. The folder is made when the first file is written.
 */
import { createReadStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describeValue } from '../http/check-options.ts';
import type { FileStore } from './file-store.ts';

/** The store of files in a folder, such as `createFolder('/var/lib/bookings/files')`. */
export function createFolder(directory: string): FileStore {
  if (typeof directory !== 'string' || directory === '') {
    throw new TypeError(
      `Cannot store files in ${describeValue(directory)}: pass the path of a folder, createFolder('files').`,
    );
  }
  const folder = resolve(directory);
  const pathOf = (key: string) => {
    if (/^[0-9a-f]{64}$/.test(key)) return join(folder, key);
    throw new TypeError(
      `Cannot use ${JSON.stringify(key)} as the key of a file: it has 64 hexadecimal digits.`,
    );
  };
  const sync = async (path: string) => {
    const handle = await open(path);
    await handle.sync().finally(() => handle.close());
  };
  return {
    async write(key, chunks) {
      const path = pathOf(key);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const handle = await open(path, 'wx', 0o600);
      try {
        for await (const chunk of chunks) await handle.writeFile(chunk);
        await handle.sync();
        // The entry of the file, too.
        await sync(folder);
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
    remove: (key) => rm(pathOf(key), { force: true }),
  };
}
