/**
 * Receives a form with files. Files go to the store as they arrive, text stays in memory. A file that is too large is
 * an error of its field: the rest of it is read and dropped, so that the page can return the text of the other fields.
 * So is a file that cannot be stored, or found, because the store or the database is away.
 *
 * A part without a file name that has the name of a file field refers to a file that is parked already. A newly
 * chosen file replaces it.
 */

import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Context } from '../chain/context.ts';
import { type Receive, type ReceivedForm, receivedSlot } from '../field/received-form.ts';
import type { SomeForm } from '../form/define-form.ts';
import { sumParts } from '../form/field-set.ts';
import { formLimitOf, formOfRequest, toMaxEntries } from '../form/form-of.ts';
import { notMultipart, requireUncompressed } from '../form/read-form.ts';
import { REFUSED_LIMIT_FACTOR } from '../form/read-refused.ts';
import { findField } from '../form/sent-fields.ts';
import { HttpError } from '../http/http-error.ts';
import { isFormType, isMultipart } from '../http/media-type.ts';
import type { Request } from '../http/request.ts';
import { decodeText, type Entry } from '../http/urlencoded.ts';
import { type BodyPart, collectChunks, receiveParts } from './receive-parts.ts';
import { receivePlain } from './receive-plain.ts';
import { MAX_DROPPED, ReceivedFiles } from './received-files.ts';
import { isFileField } from './receiving-field.ts';
import { requireUploads, type Uploads } from './upload-limits.ts';

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
  const uploads = requireUploads(request, 'receive files');
  const definition = formOfRequest(context)?.definition ?? null;
  if (definition === null)
    throw new TypeError(`Cannot receive files at ${request.path} without a form.`);
  if (isFormType(request.headers['content-type'])) return receivePlain(context, definition);
  requireMultipart(request);
  const receiver = new FormReceiver(context, definition, uploads, refused);
  await receiver.receive(request, uploads.limits);
  return receiver;
}

function requireMultipart(request: Request): void {
  if (!isMultipart(request.headers['content-type'])) throw notMultipart(request);
  requireUncompressed(request);
}

class FormReceiver implements ReceivedForm {
  entries: readonly Entry[] = [];
  refusal: unknown = null;
  isWhole = false;
  readonly definition: SomeForm;
  readonly #textLimit: number;
  readonly #files: ReceivedFiles;
  #textSize = 0;
  /** Whether so much text has arrived that no more is read. */
  #isStopped = false;
  /** Whether a form with too much text is read to its end, as one without files is. */
  #readsOn = false;

  constructor(context: Context, definition: SomeForm, uploads: Uploads, refused: Refused) {
    this.definition = definition;
    this.#textLimit = formLimitOf(context);
    this.#files = new ReceivedFiles(context.request, uploads, this, refused);
  }

  async receive(request: Request, limits: Uploads['limits']): Promise<void> {
    const textSize = this.#textLimit * REFUSED_LIMIT_FACTOR;
    this.#readsOn = Number(request.headers['content-length']) <= textSize;
    await this.#files.open(textSize);
    const accepted = sumParts(this.definition, (part) =>
      part.part === 'field' && isFileField(part) ? part.maxSize * part.maxFiles : 0,
    );
    const bytes = textSize + Math.min(accepted, limits.total) + MAX_DROPPED;
    const parts = toMaxEntries(this.definition);
    // The place in the list is that of the part, whichever is complete first. Null for one that was not taken.
    const taken: (Entry | null)[] = [];
    const take = async (part: BodyPart) => {
      const at = taken.push(null) - 1;
      taken[at] = await this.#take(part);
      if (this.#isStopped) throw this.refusal;
    };
    try {
      await receiveParts(request, { bytes, parts, ...limits }, take);
      this.isWhole = this.#textSize <= this.#textLimit && !this.#files.areTooMany;
    } catch (error) {
      this.refusal = error;
    }
    this.entries = taken.flatMap((entry) => (entry === null ? [] : this.#files.replace(entry)));
  }

  park(texts: readonly string[]): Promise<void> {
    return this.#files.park(texts);
  }

  end(): Promise<void> {
    return this.#files.end();
  }

  async #take(part: BodyPart): Promise<Entry | null> {
    const { name, fileName, chunks } = part;
    const field = findField(this.definition, name);
    const isFile = field !== null && typeof field !== 'string' && isFileField(field);
    if (isFile && fileName !== undefined) return this.#files.bring(field, { ...part, fileName });
    if (field !== null || name.startsWith('_') || fileName === undefined) {
      const entry = { name, ...decodeText(await this.#collect(chunks)) };
      if (!isFile) return entry;
      // The parser gives no name for a file without one.
      return entry.text === '' ? null : this.#files.refer(field, entry);
    }
    // The file is not stored. Its hash is, because another version may declare the field: see form-digest.ts.
    const hash = createHash('sha256');
    for await (const chunk of chunks) hash.update(chunk);
    return { name, text: fileName, flaw: null, file: { sha256: hash.digest('hex') } };
  }

  /** Of text that is too large, the page returns what has arrived. */
  #collect(chunks: Readable): Promise<Uint8Array> {
    const limit = this.#textLimit;
    return collectChunks(chunks, (size) => {
      this.#textSize += size;
      if (this.#textSize <= limit) return true;
      this.refusal ??= new HttpError(413, ({ words }) => words.textTooLarge(limit));
      this.#isStopped = !this.#readsOn;
      return !this.#isStopped;
    });
  }
}
