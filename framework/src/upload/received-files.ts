/**
 * The files of one request: those that its form has brought, and the parked ones that it refers to.
 *
 * One rule decides about them. A file that was brought ends with its request, unless the action keeps it, or something
 * that outlives the request refers to it: the page that shows the form again, the draft of a log-in, the button that
 * sends the form again, the answers of a form in steps. They say so with `park`; the site calls `end` when the response
 * is made. A parked file stays until it expires, unless the page that showed it is shown again without it.
 */
import { parseFileText } from '../field/file-text.ts';
import { errorSlot } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import type { Entry } from '../http/urlencoded.ts';
import type { ParkingPlace } from './parking.ts';
import type { Uploads } from './upload-limits.ts';
import type { ReceivedFile } from './uploaded-file.ts';

/** A field with a file. */
export interface FileEntry extends Entry {
  readonly file: ReceivedFile;
  /** Of a file that the form has brought. */
  readonly place?: ParkingPlace;
}

export class ReceivedFiles {
  readonly brought: FileEntry[] = [];
  /** For files that are parked already. */
  readonly referring: FileEntry[] = [];
  readonly #uploads: Uploads;
  readonly #request: Request;
  /** The id of the user; null for a visitor. */
  readonly #owner: string | null;
  /** The keys of the files that something refers to; null if nothing has the form. */
  #parked: Set<string | null> | null = null;

  constructor(uploads: Uploads, request: Request, owner: string | null) {
    this.#uploads = uploads;
    this.#request = request;
    this.#owner = owner;
  }

  /** A newly chosen file replaces the parked one, unless it was too large to be stored. */
  replace(entry: Entry): readonly Entry[] {
    const ofName = ({ name }: Entry) => name === entry.name;
    const brought = this.brought.filter(ofName);
    if (brought.length === 0) return [entry];
    const own = brought.find((one) => one === entry);
    if (own === undefined) return [];
    if (own.file.excess === null) return [entry];
    return [{ ...entry, text: this.referring.find(ofName)?.text ?? entry.text }];
  }

  /** The texts refer to some of the files: these stay, and the time of those that were parked already starts again. */
  async park(texts: readonly string[]): Promise<void> {
    const keys = texts.map((text) => parseFileText(text).key);
    this.#parked = new Set([...(this.#parked ?? []), ...keys]);
    if (this.#isAway()) return;
    const parked = this.referring.filter((one) => this.#isParked(one));
    // If it fails, they expire earlier.
    await Promise.allSettled(parked.map(({ file }) => this.#uploads.files.park(file, this.#owner)));
  }

  /** The response is made. */
  async end(): Promise<void> {
    // A repeat of a form that is carried out refers to its parked files again.
    const files = this.#parked === null ? this.brought : [...this.brought, ...this.referring];
    const ended = files.filter((one) => !this.#isParked(one));
    for (const { place } of ended) place?.giveBack();
    if (!this.#isAway()) await this.#uploads.files.discardUnkept(ended.map(({ file }) => file));
  }

  #isParked({ file }: FileEntry): boolean {
    return this.#parked?.has(file.record.key) ?? false;
  }

  #isAway(): boolean {
    return isAway(errorSlot.of(this.#request));
  }
}

/** Whether the form was refused because its database is away: then no record of a file can be written. */
export function isAway(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.cause instanceof Error &&
    error.cause.name === 'DatabaseUnavailable'
  );
}
