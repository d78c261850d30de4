/**
 * A file that a form has sent. Its bytes are in the file store; unless it is kept, it ends with the form, or a day
 * later.
 */

import { open } from 'node:fs/promises';
import type { FileText } from '../field/file-text.ts';
import { HttpError } from '../http/http-error.ts';
import type { ByteRange } from '../http/send-content.ts';
import type { FileRecord, FileRecords } from './file-records.ts';
import type { FileStore } from './file-store.ts';

/** The value of a field with a file. */
export interface UploadedFile {
  /**
   * The name that the browser has sent, at most 255 characters: without folders and control characters. It
   * is for people. Never use it as a path.
   */
  readonly name: string;
  /** With `types` of the field, the media type of the content. Without, what the browser has guessed by the name. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** SHA-256 of the content, in hexadecimal. */
  readonly sha256: string;
  /** The content, or the bytes of a range. It can be read until the response has been made. */
  readonly chunks: (range?: ByteRange) => AsyncIterable<Uint8Array>;
  /** Writes the content to a new file. Rejects if the path exists. */
  readonly saveTo: (path: string) => Promise<void>;
  /**
   * Keeps the file if the transaction commits. Returns its id, for `sendFile` and `stores.files.remove`: store it with
   * what belongs to it.
   */
  readonly keep: (transaction: unknown) => Promise<string>;
}

/** Why nothing of a file is stored: it is larger than its field allows, or all files of the form are. */
export type Excess = 'file' | 'form';

interface Stores {
  readonly bytes: FileStore;
  readonly records: Pick<FileRecords<unknown>, 'keep' | 'lock'>;
}

export class ReceivedFile implements UploadedFile {
  readonly record: FileRecord;
  readonly excess: Excess | null;
  /** Why it could not be stored, such as an unavailable database; null if it was, and for one that is too large. */
  readonly failure: unknown;
  /** Whether a page may refer to it. False if too many files are parked. */
  readonly isParked: boolean;
  /** Whether its own bytes were kept. The transaction may have been committed or not. */
  wasKept = false;
  readonly #stores: Stores;
  #form: readonly ReceivedFile[] = [this];

  constructor(
    stores: Stores,
    record: FileRecord,
    {
      excess = null,
      failure = null,
      isParked = true,
    }: {
      readonly excess?: Excess | null;
      readonly failure?: unknown;
      readonly isParked?: boolean;
    } = {},
  ) {
    this.#stores = stores;
    this.record = record;
    this.excess = excess;
    this.failure = failure;
    this.isParked = isParked && excess === null && failure === null;
  }

  /** Adds it to the files of its form. */
  joinForm(files: ReceivedFile[]): this {
    files.push(this);
    this.#form = files;
    return this;
  }

  /** For the page that shows it as chosen. */
  get text(): FileText {
    const { key, size, name } = this.record;
    return { key: this.isParked ? key : null, size, name };
  }

  get name(): string {
    return this.record.name;
  }

  get type(): string {
    return this.record.type;
  }

  get size(): number {
    return this.record.size;
  }

  get sha256(): string {
    return this.record.sha256;
  }

  chunks(range?: ByteRange): AsyncIterable<Uint8Array> {
    return this.#stores.bytes.read(this.record.key, range);
  }

  async saveTo(path: string): Promise<void> {
    const target = await open(path, 'wx', 0o600);
    try {
      for await (const chunk of this.chunks()) await target.writeFile(chunk);
    } finally {
      await target.close();
    }
  }

  async keep(transaction: unknown): Promise<string> {
    const { records } = this.#stores;
    const contents = this.#form.map(({ sha256 }) => sha256);
    await records.lock(contents, transaction);
    const kept = await records.keep(this.record.key, transaction);
    if (kept?.isShared === false) this.wasKept = true;
    if (kept !== null) return kept.id;
    throw new HttpError(409, ({ words }) => words.fileExpired(this.name));
  }
}
