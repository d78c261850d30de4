/**
 * `readForm` for a form with files. Files go to disk as they arrive, text stays in memory. A file that is
 * too large is an error of its field: the rest of it is read and dropped, so that the page can return the
 * text of the other fields.
 */
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import type { Fields, Form, FormValues } from '../form/define-form.ts';
import { formLimitOf, toRouteForm } from '../form/form-of.ts';
import {
  type FormContext,
  notA,
  READ_KINDS,
  type ReadOptions,
  readSent,
  requireUncompressed,
} from '../form/read-form.ts';
import { decodeText, type Entry, MAX_FIELDS } from '../form/urlencoded.ts';
import { checkOptions, type OptionKinds, TEXT } from '../http/check-options.ts';
import { HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import { isFileField } from './file-field.ts';
import { type Part, receiveParts } from './receive-parts.ts';
import { StoredFile } from './uploaded-file.ts';

/** `limit` is that of all text fields together. */
export interface UploadOptions extends ReadOptions {
  /** Where files are stored until the response has been made: by default the system's temporary folder. */
  readonly directory?: string;
}

const UPLOAD_KINDS = { ...READ_KINDS, directory: TEXT } satisfies OptionKinds<UploadOptions>;

/** Bytes of files that are too large which are read and dropped, for the sake of the other fields. */
const MAX_DROPPED = 64 * 1_048_576;

/** Adds what `readForm` adds. Throws a 415 for another type of body, and a 413 for far too much. */
export function readUpload<F extends Fields, V = FormValues<F>>(
  definition: Form<F, V>,
  options: UploadOptions = {},
): Middleware<unknown, FormContext<F, V>> {
  checkOptions('readUpload', options, UPLOAD_KINDS);
  const { directory = tmpdir() } = options;
  const known = toRouteForm(definition, options);
  return describeMiddleware(
    async function readUpload(context, next) {
      const { request } = context;
      request.state.form = known;
      requireMultipart(request);
      const upload = new Upload(definition, formLimitOf(context), directory);
      try {
        await upload.receive(request);
        return await next({ ...context, ...(await readSent(definition, upload.entries, request)) });
      } finally {
        await upload.close();
      }
    },
    { needs: [], adds: ['form', 'validation', 'status'], form: known },
  );
}

function requireMultipart(request: Request): void {
  const type = request.headers['content-type'];
  if (type === undefined || !/^multipart\/form-data[ \t]*;/i.test(type))
    throw notA('multipart/form-data, with enctype="multipart/form-data" on its <form>', type);
  requireUncompressed(request);
}

class Upload<F extends Fields> {
  readonly entries: Entry[] = [];
  readonly #definition: Form<F, unknown>;
  readonly #limit: number;
  readonly #directory: string;
  readonly #files: StoredFile[] = [];
  readonly #seen = new Set<string>();
  #textSize = 0;

  constructor(definition: Form<F, unknown>, limit: number, directory: string) {
    this.#definition = definition;
    this.#limit = limit;
    this.#directory = directory;
  }

  async receive(request: Request): Promise<void> {
    const sizes = this.#definition.names.map((name) => {
      const field = this.#definition.fields[name];
      return isFileField(field) ? field.maxSize : 0;
    });
    const bytes = sizes.reduce((sum, size) => sum + size, this.#limit + MAX_DROPPED);
    await receiveParts(request, { bytes, parts: MAX_FIELDS }, (part) => this.#take(part));
  }

  async close(): Promise<void> {
    await Promise.all(this.#files.map((file) => file.close()));
  }

  async #take(part: Part): Promise<void> {
    const { name, fileName, contentType, chunks } = part;
    const field = this.#definition.fields[name];
    const isDeclared = this.#definition.names.includes(name) || name.startsWith('_');
    const isRepeated = this.#seen.has(name);
    this.#seen.add(name);
    // The place in the list is that of the part, whichever is complete first.
    const at = this.entries.push({ name, text: '', flaw: null }) - 1;
    if (isRepeated) {
      for await (const _ of chunks);
    } else if (isFileField(field) && fileName !== undefined) {
      const { maxSize } = field;
      const named = { name: fileName, type: contentType };
      const file = await StoredFile.receive(named, chunks, { directory: this.#directory, maxSize });
      this.#files.push(file);
      this.entries[at] = { name, text: file.name, flaw: null, file };
    } else if (!isDeclared && fileName !== undefined) {
      // The file is not stored. Its hash is, because another version may declare the field: see form-digest.ts.
      const hash = createHash('sha256');
      for await (const chunk of chunks) hash.update(chunk);
      const file = { sha256: hash.digest('hex') };
      this.entries[at] = { name, text: fileName, flaw: null, file };
    } else {
      this.entries[at] = { name, ...decodeText(await this.#collect(chunks)) };
    }
  }

  async #collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
    const collected: Uint8Array[] = [];
    for await (const chunk of chunks) {
      this.#textSize += chunk.byteLength;
      if (this.#textSize > this.#limit) {
        throw new HttpError(
          413,
          `The text that you sent is larger than the ${this.#limit.toLocaleString('en')} bytes that this site accepts.`,
        );
      }
      collected.push(chunk);
    }
    return Buffer.concat(collected);
  }
}
