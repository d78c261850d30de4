/**
 * The files of one form: those that it has brought, and the parked ones that it refers to.
 *
 * One rule decides about them. A file that was brought ends with its request, unless the action keeps it, or something
 * that outlives the request refers to it: the page that shows the form again, the draft of a log-in, the button that
 * sends the form again, the answers of a form in steps. They say so with `park`; the site calls `end` when the response
 * is made. A parked file stays until it expires, unless the page that showed it is shown again without it.
 */
import { parseFileText, toFileText } from '../field/file-text.ts';
import type { Receive } from '../field/received-form.ts';
import type { AnySet } from '../form/field-set.ts';
import { errorSlot, HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import type { Entry } from '../http/urlencoded.ts';
import { sessionOf } from '../session/session.ts';
import { detectType } from './detect-type.ts';
import { ParkingPlace } from './parking.ts';
import type { BodyPart } from './receive-parts.ts';
import { type AnyFileField, countFiles } from './receiving-field.ts';
import { SeveralFiles } from './several-files.ts';
import type { Uploads } from './upload-limits.ts';
import type { ReceivedFile } from './uploaded-file.ts';

/** Bytes of files that are read and dropped, for the sake of the other fields. */
export const MAX_DROPPED: number = 64 * 1_048_576;

interface FileEntry extends Entry {
  readonly file: ReceivedFile;
  /** Of a file that the form has brought. */
  readonly place?: ParkingPlace;
}

export class ReceivedFiles {
  readonly #request: Request;
  readonly #uploads: Uploads;
  /** A file that cannot be stored refuses its form, and no file of a form that is refused is stored. */
  readonly #form: { refusal: unknown };
  readonly #refused: Parameters<Receive>[1];
  /** The id of the user; null for a visitor. */
  readonly #owner: string | null;
  readonly #all: ReceivedFile[] = [];
  readonly #brought: FileEntry[] = [];
  readonly #referring: FileEntry[] = [];
  readonly #several = new SeveralFiles();
  /** The keys of the files that something refers to; null if nothing refers to the form. */
  #parked: Set<string | null> | null = null;
  #takePlace: () => ParkingPlace = () => new ParkingPlace([]);
  #count = 0;
  readonly #max: number;
  #droppable = MAX_DROPPED;
  readonly #budget: { left: number };

  constructor(
    request: Request,
    uploads: Uploads,
    form: { refusal: unknown; readonly definition: AnySet },
    refused: Parameters<Receive>[1],
  ) {
    this.#request = request;
    this.#max = Math.max(uploads.limits.count, countFiles(form.definition));
    this.#uploads = uploads;
    this.#form = form;
    this.#refused = refused;
    const id = sessionOf(request)?.user.id;
    this.#owner = id === undefined ? null : String(id);
    this.#budget = { left: uploads.limits.total };
  }

  get areTooMany(): boolean {
    return this.#count > this.#max;
  }

  /**
   * Before the first one. Of a form that is refused, nothing is stored that its page cannot refer to. A client whose
   * share is taken sends no more than `textSize` bytes, as it could as text.
   */
  async open(textSize: number): Promise<void> {
    const isRefused = this.#refused !== undefined;
    if (isRefused && (!this.#refused.parks || this.#isAway())) return;
    const client = { request: this.#request, owner: this.#owner, isRefused };
    this.#takePlace = await this.#uploads.parking.open(client);
    if (!isRefused) return;
    const place = this.#takePlace();
    place.giveBack();
    if (!place.isTaken) this.#droppable = textSize;
  }

  /** A parked file that the page has shown, by its text. Null for one that a field with several names twice. */
  async refer(field: AnyFileField, entry: Entry): Promise<Entry | null> {
    const { key, name: fileName } = parseFileText(entry.text);
    if (this.#several.isNamed(field, entry.name, key)) return null;
    if (this.#several.isBeyond(field, entry.name)) return { ...entry, text: fileName };
    if (key === null) return this.#several.lose(entry);
    const file = await this.#uploads.files.resume(key, this.#owner).catch((failure) => {
      this.#form.refusal ??= failure;
    });
    if (file === undefined) return entry;
    // Without the key, the page says to choose the file again. A visitor may be its owner, who has to log in again:
    // the draft keeps the key.
    if (file === null)
      return this.#several.lose(this.#owner === null ? entry : { ...entry, text: fileName });
    const referring = { ...entry, file: file.joinForm(this.#all) };
    this.#referring.push(referring);
    return referring;
  }

  /** A file that was chosen. Null if none was. One that cannot be stored has its name alone. */
  async bring(
    field: AnyFileField,
    { name, fileName, contentType, chunks }: BodyPart & { readonly fileName: string },
  ): Promise<Entry | null> {
    const content = await peek(chunks);
    if (content === null && fileName === '') return null;
    const tooMany = () => new HttpError(413, ({ words }) => words.tooManyFiles(this.#max));
    if (this.#several.isBeyond(field, name)) {
      await this.#drop(content ?? NOTHING, tooMany());
      return { name, text: fileName, flaw: null };
    }
    this.#count += 1;
    if (this.areTooMany) this.#form.refusal ??= tooMany();
    const place = this.#takePlace();
    const sent = { name: fileName, type: contentType };
    const file = await this.#store(field, sent, content, place);
    if (file === null) {
      place.giveBack();
      await this.#drop(content ?? NOTHING);
    }
    if (file === null || file.failure !== null) return { name, text: fileName, flaw: null };
    // No page offers to send again what the field refuses.
    const { types } = field;
    const isRefused = file.size === 0 || (types !== null && !types.includes(file.type));
    const text = isRefused ? file.name : toFileText(file.text);
    const entry: FileEntry = { name, text, flaw: null, file: file.joinForm(this.#all), place };
    this.#brought.push(entry);
    return entry;
  }

  /** Null if it is not to be stored. */
  async #store(
    { maxSize, types }: AnyFileField,
    sent: { readonly name: string; readonly type: string },
    content: AsyncIterable<Uint8Array> | null,
    place: ParkingPlace,
  ): Promise<ReceivedFile | null> {
    const mustPark = this.#refused !== undefined;
    if (this.#form.refusal !== null || (mustPark && !place.isTaken)) return null;
    const { files, parking } = this.#uploads;
    const file = await files.receive(sent, content ?? NOTHING, {
      owner: this.#owner,
      maxSize,
      budget: this.#budget,
      place,
      mustPark,
      detectType: types === null ? null : detectType,
    });
    this.#form.refusal ??= file.failure;
    if (file.isParked) parking.settle(place);
    else place.giveBack();
    return file;
  }

  /** Reads what is not stored. Throws if it is too much: then what came before is all that the page has. */
  async #drop(
    chunks: AsyncIterable<Uint8Array>,
    tooMuch: Error = new Error('No place is left to park the files.'),
  ): Promise<void> {
    for await (const chunk of chunks) {
      this.#droppable -= chunk.byteLength;
      if (this.#droppable < 0) throw this.#form.refusal ?? tooMuch;
    }
  }

  /**
   * A newly chosen file replaces the parked one, unless it was too large to be stored. It is added to several, and
   * stands for one of its name that was to be chosen again.
   */
  replace(entry: Entry): readonly Entry[] {
    const ofName = ({ name }: Entry) => name === entry.name;
    const brought = this.#brought.filter(ofName);
    if (brought.length === 0) return [entry];
    if (this.#several.has(entry)) {
      const chosen = brought.map(({ file }) => file.name);
      return this.#several.isChosenAgain(entry, chosen) ? [] : [entry];
    }
    const own = brought.find((one) => one === entry);
    if (own === undefined) return [];
    if (own.file.excess === null) return [entry];
    return [{ ...entry, text: this.#referring.find(ofName)?.text ?? entry.text }];
  }

  /** The texts refer to some of the files: these stay, and the time of those that were parked already starts again. */
  async park(texts: readonly string[]): Promise<void> {
    const keys = texts.map((text) => parseFileText(text).key);
    this.#parked = new Set([...(this.#parked ?? []), ...keys]);
    if (this.#isAway()) return;
    const parked = this.#referring.filter((one) => this.#isParked(one));
    // If it fails, they expire earlier.
    await Promise.allSettled(parked.map(({ file }) => this.#uploads.files.park(file, this.#owner)));
  }

  /** The response is made. */
  async end(): Promise<void> {
    // A repeat of a form that is carried out refers to its parked files again.
    const files = this.#parked === null ? this.#brought : [...this.#brought, ...this.#referring];
    const ended = files.filter((one) => !this.#isParked(one));
    for (const { place } of ended) place?.giveBack();
    if (!this.#isAway()) await this.#uploads.files.discardUnkept(ended.map(({ file }) => file));
  }

  #isParked({ file }: FileEntry): boolean {
    return this.#parked?.has(file.record.key) ?? false;
  }

  /** Whether the form was refused because its database is away: then no record of a file can be written. */
  #isAway(): boolean {
    const error = errorSlot.of(this.#request);
    return (
      error instanceof Error &&
      error.cause instanceof Error &&
      error.cause.name === 'DatabaseUnavailable'
    );
  }
}

/** The same chunks; null if there is none. */
async function peek(chunks: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array> | null> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return null;
  return (async function* () {
    yield first.value;
    // Not `for await`, which would end the part when its reader stops: the rest of it is read and dropped.
    for (let step = await iterator.next(); step.done !== true; step = await iterator.next())
      yield step.value;
  })();
}

const NOTHING: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} };
