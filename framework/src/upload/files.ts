/**
 * The files of a site: the bytes in their store, and their records. A file is parked for a day after its form was last
 * shown, unless the action keeps it. Whatever expires is removed, also after a crash, and by any of several processes.
 */
import { createHash, randomBytes } from 'node:crypto';
import { HttpError } from '../http/http-error.ts';
import type { ByteRange } from '../http/send-content.ts';
import type { FileRecord, FileRecords } from './file-records.ts';
import type { FileStore } from './file-store.ts';
import { guardStore, isHanging } from './guard-store.ts';
import { ParkingPlace, VISITOR_PARKED } from './parking.ts';
import { type Excess, ReceivedFile, type UploadedFile } from './uploaded-file.ts';

/** How long the file of a user is parked after its form was last sent, in milliseconds. */
const PARKED = 86_400_000;
/** Milliseconds between two removals of expired files, and from the start to the first one. */
const SWEEP_INTERVAL = 3_600_000;
const SWEEP_DELAY = 10_000;
/** Characters. */
export const MAX_NAME_LENGTH = 255;
/** Bytes of the start of a file that tell its type. */
const HEAD = 65_536;

/** So many files in a row that cannot be removed, and the others are not tried. */
const MAX_FAILURES = 100;

/** Writes a line of the error log. */
type Report = (entry: { readonly message: string; readonly error: unknown }) => void;

/** What the browser tells of a file. */
interface SentFileInfo {
  readonly name: string;
  readonly type: string;
}

export interface ReceiveOptions {
  /** The id of the user; null for a visitor. */
  readonly owner: string | null;
  /** Bytes of this file. */
  readonly maxSize: number;
  /** Bytes that are left for all files of the form. They may arrive concurrently, so each counts down as it arrives. */
  readonly budget: { left: number };
  /** Its place, if it is to be parked. */
  readonly place: ParkingPlace;
  /** Whether it is of no use if it cannot be parked. */
  readonly mustPark: boolean;
  /** Finds the type by the start of the content; null if the browser is trusted. */
  readonly detectType: ((head: Uint8Array, sent: SentFileInfo) => Promise<string>) | null;
  /** Whether the site has made it, so that it is no file of a visitor. */
  readonly isOwn?: boolean;
}

export class Files<Transaction> {
  readonly bytes: FileStore;
  readonly records: FileRecords<Transaction>;

  readonly #report: Report;
  #isWatched = false;
  #isSweeping = false;
  #isBegun = false;

  /** `report` is told of files that cannot be removed. */
  constructor(bytes: FileStore, records: FileRecords<Transaction>, report: Report = () => {}) {
    this.bytes = guardStore(bytes);
    this.records = records;
    this.#report = report;
  }

  /** Rejects with a 503 if files cannot be stored, such as in a folder whose volume is not mounted. */
  check(): Promise<void> {
    return this.#check(async () => {});
  }

  async #check(whenNew: () => Promise<void> | undefined): Promise<void> {
    try {
      await this.bytes.check?.(false);
    } catch (error) {
      if (isHanging(error)) throw error;
      if (await this.records.isNew()) await whenNew();
      // Another file may have been the first one between the two.
      else await this.bytes.check?.(false);
    }
  }

  /** A kept file; null for an id of another kind. */
  find(id: string): Promise<FileRecord | null> {
    return this.records.find(id);
  }

  /** The content of a kept file, or a range of it. Its first chunk rejects if there is none. */
  async *read(id: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const file = await this.find(id);
    if (file === null) throw new Error(`Cannot read the file ${id}: none with this id is kept.`);
    yield* this.bytes.read(file.key, range);
  }

  /**
   * Stores a file that no form has sent, such as a preview of one: keep it within a day. It is called outside of a
   * transaction. Rejects with a 503 if it cannot be stored.
   */
  async add(
    sent: { readonly name: string; readonly type: string },
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<UploadedFile> {
    this.watch();
    const file = await this.receive(sent, chunks, {
      owner: null,
      maxSize: Number.POSITIVE_INFINITY,
      budget: { left: Number.POSITIVE_INFINITY },
      place: new ParkingPlace([]),
      mustPark: false,
      detectType: null,
      isOwn: true,
    });
    if (file.failure !== null) throw file.failure;
    return file;
  }

  /** Ends a kept file, if the transaction commits. Its bytes are removed within an hour. */
  remove(id: string, transaction: Transaction): Promise<void> {
    return this.records.remove(id, transaction);
  }

  /**
   * Reads all chunks, also those of a file that is too large or cannot be stored, for the sake of the fields after it.
   * Rejects if the client fails, and for no other reason.
   */
  async receive(
    sent: SentFileInfo,
    chunks: AsyncIterable<Uint8Array>,
    { owner, maxSize, budget, place, mustPark, detectType, isOwn = false }: ReceiveOptions,
  ): Promise<ReceivedFile> {
    const key = randomBytes(32).toString('hex');
    const named = { key, owner, name: toName(sent.name) };
    const park = (bytes: number) => place.take(bytes) || !mustPark;
    const measured = new MeasuredChunks(chunks, { maxSize, budget, park });
    let isKnown = false;
    try {
      await this.#begin();
      await this.records.add(named, isOwn ? new Date(Date.now() + PARKED) : toExpiry(owner));
      isKnown = true;
      await this.bytes.write(key, measured.read());
      const type = detectType === null ? sent.type : await detectType(measured.head(), sent);
      const content = { type, size: measured.size, sha256: measured.digest() };
      await this.records.complete(key, content);
      return new ReceivedFile(this, { ...named, ...content }, { isParked: place.isTaken });
    } catch (failure) {
      // What cannot be removed now expires. A store that hangs may still write it.
      if (isKnown && !isHanging(failure)) await this.discard(key).catch(() => {});
      const content = { type: sent.type, size: 0, sha256: await measured.drain() };
      const { excess } = measured;
      const why = excess === null ? { failure } : { excess };
      return new ReceivedFile(this, { ...named, ...content }, why);
    }
  }

  /** The file that a page refers to; null if this user has none. */
  async resume(key: string, owner: string | null): Promise<ReceivedFile | null> {
    const record = await this.records.findParked(key, owner);
    return record === null ? null : new ReceivedFile(this, record);
  }

  /** The form is shown again: its user gets a further day, a visitor an hour. */
  park({ record }: ReceivedFile, owner: string | null): Promise<void> {
    return this.records.park(record.key, owner, toExpiry(owner));
  }

  /** Removes those that were not kept. One that cannot be removed now expires: the response does not fail for it. */
  async discardUnkept(files: readonly ReceivedFile[]): Promise<void> {
    const ended = files.filter(({ wasKept }) => !wasKept);
    await Promise.allSettled(ended.map(({ record }) => this.discard(record.key)));
  }

  /** Removes a file that was not kept. */
  async discard(key: string): Promise<void> {
    const id = await this.records.discard(key);
    if (id === null) return;
    await this.#remove(key);
    await this.records.forget(id);
  }

  /**
   * Removes what has expired at this time. It runs by itself, soon after the start and then every hour. A file that
   * cannot be removed keeps no other one, and is tried again the next time.
   */
  async removeExpired(now: Date = new Date()): Promise<void> {
    const expired = await this.records.takeExpired(now);
    const failures: unknown[] = [];
    for (const [at, { id, key, isShared }] of expired.entries()) {
      // The store is away.
      if (failures.length === at && at === MAX_FAILURES) break;
      try {
        if (!isShared) await this.#remove(key);
        await this.records.forget(id);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length === 0) return;
    const message = `Cannot remove ${failures.length} of ${expired.length} files that have expired. The next attempt is in an hour.`;
    const [first] = failures;
    this.#report({ message, error: first instanceof HttpError ? first.cause : first });
  }

  /** Removes what expires from now on. It does not keep the process running, and tries again after a failure. */
  watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    const sweep = async () => {
      if (this.#isSweeping) return;
      this.#isSweeping = true;
      await this.removeExpired().catch(() => {});
      this.#isSweeping = false;
    };
    setTimeout(sweep, SWEEP_DELAY).unref();
    setInterval(sweep, SWEEP_INTERVAL).unref();
  }

  /** In a volume that goes meanwhile, nothing was removed. */
  async #remove(key: string): Promise<void> {
    await this.check();
    await this.bytes.remove(key);
    await this.check();
  }

  /** Before a file is stored. */
  async #begin(): Promise<void> {
    await this.#check(() => this.bytes.check?.(true));
    if (this.#isBegun) return;
    await this.records.begin();
    this.#isBegun = true;
  }
}

interface Measures extends Pick<ReceiveOptions, 'maxSize' | 'budget'> {
  /** Whether these bytes may be stored too. */
  readonly park: (bytes: number) => boolean;
}

/** Counts and hashes the chunks on their way to the store, and stops at a size. */
class MeasuredChunks {
  readonly #iterator: AsyncIterator<Uint8Array>;
  readonly #maxSize: number;
  readonly #budget: { left: number };
  readonly #park: Measures['park'];
  readonly #hash = createHash('sha256');
  #digest: string | null = null;
  readonly #head: Uint8Array[] = [];
  size = 0;
  excess: Excess | null = null;
  /** Of the client. A failure of the store is another one. */
  failure: unknown = null;

  constructor(chunks: AsyncIterable<Uint8Array>, { maxSize, budget, park }: Measures) {
    this.#iterator = chunks[Symbol.asyncIterator]();
    this.#maxSize = maxSize;
    this.#budget = budget;
    this.#park = park;
  }

  async *read(): AsyncGenerator<Uint8Array> {
    for (let chunk = await this.#next(); chunk !== null; chunk = await this.#next()) {
      const isFileTooLarge = this.size > this.#maxSize;
      this.#budget.left -= chunk.byteLength;
      if (isFileTooLarge || this.#budget.left < 0) {
        this.excess = isFileTooLarge ? 'file' : 'form';
        // The file is dropped, so its bytes count no longer: other files of the form may take them.
        this.#budget.left += this.size;
        throw new Error('The file is too large.');
      }
      if (!this.#park(chunk.byteLength)) throw new Error('No place is left to park the file.');
      if (this.size - chunk.byteLength < HEAD) this.#head.push(chunk.subarray(0, HEAD));
      yield chunk;
    }
  }

  async #next(): Promise<Uint8Array | null> {
    try {
      const { done, value } = await this.#iterator.next();
      if (done === true) return null;
      this.size += value.byteLength;
      this.#hash.update(value);
      return value;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  /** Reads the rest. */
  async drain(): Promise<string> {
    if (this.failure !== null) throw this.failure;
    while ((await this.#next()) !== null);
    return this.digest();
  }

  /** Of what was read. What fails after the last chunk asks for it again. */
  digest(): string {
    this.#digest ??= this.#hash.digest('hex');
    return this.#digest;
  }

  head(): Uint8Array {
    return Buffer.concat(this.#head);
  }
}

function toExpiry(owner: string | null): Date {
  return new Date(Date.now() + (owner === null ? VISITOR_PARKED : PARKED));
}

/** Also without the characters that change the direction of the text after them. */
function toName(sent: string): string {
  const name = sent.toWellFormed().replaceAll(/[\p{Cc}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu, '');
  return [...name].slice(0, MAX_NAME_LENGTH).join('');
}
