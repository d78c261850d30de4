/**
 * Where the bytes of files are: a folder, or a service such as S3. It knows nothing but keys: names, sizes and
 * owners are in the records (file-records.ts), and a key is written once and never changed.
 * Every implementation passes the suite in file-store.contract.ts.
 */
import type { ByteRange } from '../http/send-content.ts';

/** A key has 64 hexadecimal digits. */
export interface FileStore {
  /**
   * Stores the bytes of all chunks. When it fulfils, they survive a power cut. When it rejects, also because the
   * chunks do, nothing is stored.
   */
  write(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** The bytes, or those of a range. Its first chunk rejects if there are none under this key. */
  read(key: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Fulfils also if there is nothing under this key. */
  remove(key: string): Promise<void>;
  /**
   * Rejects if this is not the place where the files are, such as a folder whose volume is not mounted. Without it, a
   * place that is gone looks like an empty one. `isNew`: it was not used yet, so that an empty place is right.
   */
  check?(isNew: boolean): Promise<void>;
}
