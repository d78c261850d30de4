/**
 * Serves a kept file. Its content comes from a user, so no browser may take it for a page of the site: it is saved
 * under its name, or shown without scripts in an origin of its own. Who may see it is for the handler to decide.
 */
import type { Context } from '../chain/context.ts';
import {
  checkOptions,
  describeValue,
  FLAG,
  type OptionKinds,
  TEXT,
} from '../http/check-options.ts';
import type { Request } from '../http/request.ts';
import { notFound, type Response } from '../http/response.ts';
import { type ByteRange, sendContent } from '../http/send-content.ts';
import type { FileRecord } from './file-records.ts';
import { requireUploads } from './upload-limits.ts';

export interface SendOptions {
  /**
   * Whether a browser shows it instead of saving it. Only pictures, sound, video and plain text are shown: other types
   * could have scripts.
   */
  readonly inline?: boolean;
  /**
   * The SHA-256 that the address has, in hexadecimal, or its first 16 digits or more. A browser need not ask again for
   * such an address, so it is stored there for a year. Another hash than that of the content is a 404.
   */
  readonly sha256?: string;
}

const SEND_KINDS = { inline: FLAG, sha256: TEXT } satisfies OptionKinds<SendOptions>;
/** Digits of a hash in an address: 64 bits. */
const MIN_DIGITS = 16;

/**
 * The answer with the file of this id, which `keep` has returned; a 404 if there is none. It serves ranges, and a 304
 * to a browser that has it. Rejects with a 503 if its content cannot be read. Check first that the user may see it.
 */
export async function sendFile(
  { request }: Pick<Context, 'request'>,
  id: string,
  options: SendOptions = {},
): Promise<Response> {
  checkOptions('sendFile', options, SEND_KINDS);
  if (typeof id !== 'string') {
    throw new TypeError(
      `Cannot send the file ${describeValue(id)}: pass the id that keep has returned.`,
    );
  }
  const { files } = requireUploads(request, 'send a file');
  const file = await files.find(id);
  return file === null ? notFound() : sendRecord(request, file, options);
}

/** The same for a file that is kept, or that a form has sent and answers refer to. */
export async function sendRecord(
  request: Request,
  { key, name, type, size, sha256 }: FileRecord,
  options: SendOptions,
): Promise<Response> {
  const { files } = requireUploads(request, 'send a file');
  const { bytes } = files;
  const content = {
    size,
    etag: `"${sha256}"`,
    modifiedAt: null,
    read: (range: ByteRange | null) => (range === null ? bytes.read(key) : bytes.read(key, range)),
  };
  const { inline = false, sha256: asked } = options;
  if (asked !== undefined && !(sha256.startsWith(asked) && asked.length >= MIN_DIGITS))
    return notFound();
  const isImmutable = asked !== undefined;
  return sendContent(request, content, { name, type, inline, isOwn: false, isImmutable });
}
