/**
 * Receives a form with files. Files go to the store as they arrive, text stays in memory. A file that is too large is
 * an error of its field: the rest of it is read and dropped, so that the page can return the text of the other fields.
 * So is a file that cannot be stored, or found, because the store or the database is away.
 *
 * A part without a file name that has the name of a file field refers to a file that is parked already. A newly
 * chosen file replaces it.
 */

import { createHash } from 'node:crypto';
import type { Context } from '../chain/context.ts';
import type { AnyField, Field } from '../field/field.ts';
import { parseFileText, toFileText } from '../field/file-text.ts';
import { type Receive, type ReceivedForm, receivedSlot } from '../field/received-form.ts';
import type { Form } from '../form/define-form.ts';
import { type Fields, sumParts } from '../form/field-set.ts';
import { formLimitOf, formOfRequest, toMaxEntries } from '../form/form-of.ts';
import { notA, requireUncompressed } from '../form/read-form.ts';
import { REFUSED_LIMIT_FACTOR } from '../form/read-refused.ts';
import { findField } from '../form/sent-fields.ts';
import { errorSlot, HttpError } from '../http/http-error.ts';
import { isMultipart } from '../http/media-type.ts';
import type { Request } from '../http/request.ts';
import { decodeText, type Entry } from '../http/urlencoded.ts';
import { sessionOf } from '../session/session.ts';
import { detectType } from './detect-type.ts';
import { ParkingPlace } from './parking.ts';
import { type BodyPart, receiveParts } from './receive-parts.ts';
import { type FileEntry, isAway, ReceivedFiles } from './received-files.ts';
import { requireUploads, type Uploads } from './upload-limits.ts';
import type { ReceivedFile } from './uploaded-file.ts';

/** A `Field` that knows which files to store. */
export interface FileField<T> extends Field<T> {
  readonly control: 'file';
  readonly maxSize: number;
  /** Null if the browser is trusted. */
  readonly types: readonly string[] | null;
}

/** Bytes of files that are read and dropped, for the sake of the other fields. */
const MAX_DROPPED = 64 * 1_048_576;

type Refused = Parameters<Receive>[1];

/** See `Receive`. */
export function receiveForm(context: Context, refused?: Refused): Promise<ReceivedForm> {
  const { request } = context;
  const received = receivedSlot.of(request) ?? receive(context, refused);
  receivedSlot.set(request, received);
  return received;
}

async function receive(context: Context, refused: Refused): Promise<ReceivedForm> {
  const { request } = context;
  requireMultipart(request);
  const uploads = requireUploads(request, 'receive files');
  const form = formOfRequest(context);
  if (form === null) throw new TypeError(`Cannot receive files at ${request.path} without a form.`);
  const receiver = new FormReceiver(
    form.definition,
    formLimitOf(context),
    uploads,
    request,
    refused,
  );
  await receiver.receive(request);
  return receiver;
}

function requireMultipart(request: Request): void {
  const type = request.headers['content-type'];
  if (!isMultipart(type))
    throw notA('multipart/form-data, with enctype="multipart/form-data" on its <form>', type);
  requireUncompressed(request);
}

function isFileField(field: AnyField): field is FileField<unknown> {
  return 'maxSize' in field;
}

class FormReceiver implements ReceivedForm {
  entries: readonly Entry[] = [];
  refusal: unknown = null;
  isWhole = false;
  readonly #definition: Form<Fields, unknown>;
  readonly #textLimit: number;
  readonly #uploads: Uploads;
  /** The id of the user; null for a visitor. */
  readonly #owner: string | null;
  readonly #refused: Refused;
  readonly #files: ReceivedFiles;
  #takePlace: () => ParkingPlace = () => new ParkingPlace([]);
  #textSize = 0;
  /** Whether so much text has arrived that no more is read. */
  #isStopped = false;
  /** Whether a form with too much text is read to its end, as one without files is. */
  #readsOn = false;
  #count = 0;
  #droppable = MAX_DROPPED;
  readonly #budget: { left: number };

  constructor(
    definition: Form<Fields, unknown>,
    textLimit: number,
    uploads: Uploads,
    request: Request,
    refused: Refused,
  ) {
    this.#definition = definition;
    this.#textLimit = textLimit;
    this.#uploads = uploads;
    this.#refused = refused;
    this.#budget = { left: uploads.limits.total };
    const id = sessionOf(request)?.user.id;
    this.#owner = id === undefined ? null : String(id);
    this.#files = new ReceivedFiles(uploads, request, this.#owner);
  }

  async receive(request: Request): Promise<void> {
    const { limits } = this.#uploads;
    this.#readsOn =
      Number(request.headers['content-length']) <= this.#textLimit * REFUSED_LIMIT_FACTOR;
    await this.#openPlaces(request);
    const accepted = sumParts(this.#definition, (part) =>
      part.part === 'field' && isFileField(part) ? part.maxSize : 0,
    );
    const files = Math.min(accepted, limits.total);
    const bytes = this.#textLimit * REFUSED_LIMIT_FACTOR + files + MAX_DROPPED;
    const parts = toMaxEntries(this.#definition);
    // The place in the list is that of the part, whichever is complete first.
    const taken: Promise<Entry | null>[] = [];
    const take = async (part: BodyPart) => {
      const entry = this.#take(part);
      taken.push(entry);
      await entry;
      if (this.#isStopped) throw this.refusal;
    };
    try {
      await receiveParts(request, { bytes, parts, ...limits }, take);
      this.isWhole = this.#textSize <= this.#textLimit && this.#count <= limits.count;
    } catch (error) {
      this.refusal = error;
    }
    const complete = (await Promise.allSettled(taken)).flatMap((one) =>
      one.status === 'rejected' || one.value === null ? [] : [one.value],
    );
    this.entries = complete.flatMap((entry) => this.#files.replace(entry));
  }

  /** Of a form that is refused, nothing is stored that its page cannot refer to. */
  async #openPlaces(request: Request): Promise<void> {
    const isRefused = this.#refused !== undefined;
    if (isRefused && (!this.#refused.parks || isAway(errorSlot.of(request)))) return;
    const { parking } = this.#uploads;
    this.#takePlace = await parking.open({ request, owner: this.#owner, isRefused });
    // A client whose share is taken sends no more than it could as text.
    if (isRefused && !this.#hasPlace()) this.#droppable = this.#textLimit * REFUSED_LIMIT_FACTOR;
  }

  #hasPlace(): boolean {
    const place = this.#takePlace();
    place.giveBack();
    return place.isTaken;
  }

  park(texts: readonly string[]): Promise<void> {
    return this.#files.park(texts);
  }

  end(): Promise<void> {
    return this.#files.end();
  }

  async #take(part: BodyPart): Promise<Entry | null> {
    const { name, fileName, chunks } = part;
    const field = findField(this.#definition, name);
    if (field !== null && typeof field !== 'string' && isFileField(field)) {
      return fileName === undefined
        ? this.#refer(name, await this.#collect(chunks))
        : this.#receive(field, { ...part, fileName });
    }
    if (field !== null || name.startsWith('_') || fileName === undefined)
      return { name, ...decodeText(await this.#collect(chunks)) };
    // The file is not stored. Its hash is, because another version may declare the field: see form-digest.ts.
    const hash = createHash('sha256');
    for await (const chunk of chunks) hash.update(chunk);
    return { name, text: fileName, flaw: null, file: { sha256: hash.digest('hex') } };
  }

  /** Null for an empty text: the parser gives no name for a file without one. */
  async #refer(name: string, bytes: Uint8Array): Promise<Entry | null> {
    if (bytes.byteLength === 0) return null;
    const entry = { name, ...decodeText(bytes) };
    const { key, name: fileName } = parseFileText(entry.text);
    if (key === null) return entry;
    const file = await this.#uploads.files.resume(key, this.#owner).catch((failure) => {
      this.refusal ??= failure;
    });
    if (file === undefined) return entry;
    // Without the key, the page says to choose the file again. A visitor may be its owner, who has to log in again:
    // the draft keeps the key.
    if (file === null) return this.#owner === null ? entry : { ...entry, text: fileName };
    const referring = { ...entry, file };
    this.#files.referring.push(referring);
    return referring;
  }

  /** Null if no file was chosen. A file that cannot be stored has its name alone. */
  async #receive(
    field: FileField<unknown>,
    { name, fileName, contentType, chunks }: BodyPart & { readonly fileName: string },
  ): Promise<Entry | null> {
    const content = await peek(chunks);
    if (content === null && fileName === '') return null;
    const { count } = this.#uploads.limits;
    if (++this.#count > count)
      this.refusal ??= new HttpError(413, ({ words }) => words.tooManyFiles(count));
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
    const entry: FileEntry = { name, text, flaw: null, file, place };
    this.#files.brought.push(entry);
    return entry;
  }

  /** Null if it is not to be stored. One that cannot be stored refuses the form: then no other file is stored. */
  async #store(
    { maxSize, types }: FileField<unknown>,
    sent: { readonly name: string; readonly type: string },
    content: AsyncIterable<Uint8Array> | null,
    place: ParkingPlace,
  ): Promise<ReceivedFile | null> {
    const mustPark = this.#refused !== undefined;
    if (this.refusal !== null || (mustPark && !place.isTaken)) return null;
    const { files, parking } = this.#uploads;
    const file = await files.receive(sent, content ?? NOTHING, {
      owner: this.#owner,
      maxSize,
      budget: this.#budget,
      place,
      mustPark,
      detectType: types === null ? null : detectType,
    });
    this.refusal ??= file.failure;
    if (file.isParked) parking.settle(place);
    else place.giveBack();
    return file;
  }

  /** Reads what is not stored. Throws if it is too much: then what came before is all that the page has. */
  async #drop(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of chunks) {
      this.#droppable -= chunk.byteLength;
      if (this.#droppable < 0)
        throw this.refusal ?? new Error('No place is left to park the files.');
    }
  }

  /** Of text that is too large, the page returns what has arrived. */
  async #collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
    const limit = this.#textLimit;
    const collected: Uint8Array[] = [];
    for await (const chunk of chunks) {
      this.#textSize += chunk.byteLength;
      collected.push(chunk);
      if (this.#textSize <= limit) continue;
      this.refusal ??= new HttpError(413, ({ words }) => words.textTooLarge(limit));
      this.#isStopped = !this.#readsOn;
      if (this.#isStopped) break;
    }
    return Buffer.concat(collected);
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
