/** Files in the memory of this process, for tests and first tries. They end with it. */
import type { FileStore } from './file-store.ts';

export function createMemoryFileStore(): FileStore {
  const files = new Map<string, Uint8Array>();
  return {
    async write(key, chunks) {
      const collected: Uint8Array[] = [];
      for await (const chunk of chunks) collected.push(chunk);
      files.set(key, Buffer.concat(collected));
    },
    async *read(key, range) {
      const bytes = files.get(key);
      if (bytes === undefined) throw new Error(`Cannot read the file ${key}: it is not stored.`);
      yield range === undefined ? bytes : bytes.subarray(range.first, range.last + 1);
    },
    async remove(key) {
      files.delete(key);
    },
  };
}
