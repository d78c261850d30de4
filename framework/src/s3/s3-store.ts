/**
 * Files in a bucket of S3, or of a service that speaks its protocol. Several machines share it. A file is sent in parts
 * as it arrives, so an upload takes the memory of one part, whatever its size.
 *
 * As in a folder, an object is the mark of the place: with another bucket or prefix, nothing is stored, nor taken for
 * removed.
 */
import { describeValue } from '../http/check-options.ts';
import type { FileStore } from '../upload/file-store.ts';
import { parseBucketAddress } from './bucket-address.ts';
import { type Ask, createS3Client, S3Error } from './s3-client.ts';
import type { Credentials } from './sign-request.ts';

const KEY = /^[0-9a-f]{64}$/;
const MARK = 'files-of-this-site.txt';
const MARK_TEXT =
  'The files of a site are beside this object. Leave it here: without it, the site takes the place for another one.\n';
/** Bytes of a part. Services want 5 MiB or more, and 10,000 parts or fewer: 80 GB. */
const PART = 8 * 1_048_576;
/** Milliseconds for which the mark is taken to be there still. */
const FRESH = 10_000;

/**
 * The store of files in a bucket, such as `s3://bucket/prefix?region=eu-central-1`. With `&endpoint=https://…`, it is
 * that of another service. Throws a `TypeError` for an address or keys that cannot be used.
 */
export function createS3Store(address: string, credentials: Credentials): FileStore {
  if (typeof address !== 'string') {
    throw new TypeError(
      `Cannot store files in ${describeValue(address)}: pass the address of a bucket, createS3Store('s3://bucket/prefix?region=eu-central-1', keys).`,
    );
  }
  const place = parseBucketAddress(address);
  for (const name of ['accessKeyId', 'secretAccessKey'] as const) {
    if (/^[\x21-\x7e]+$/.test(credentials?.[name] ?? '')) continue;
    throw new TypeError(`Cannot store files in ${place.name} without ${name}: pass its keys.`);
  }
  const ask = createS3Client(place, credentials);
  let markedAt = Number.NEGATIVE_INFINITY;
  const checked = (key: string) => {
    if (KEY.test(key)) return key;
    throw new TypeError(
      `Cannot use ${JSON.stringify(key)} as the key of a file: it has 64 hexadecimal digits.`,
    );
  };
  const remove = async (key: string) => {
    await drain(await ask({ method: 'DELETE', key, what: 'remove a file' }));
  };
  return {
    async check(isNew) {
      if (performance.now() - markedAt < FRESH) return;
      const what = 'find the mark of the files';
      try {
        await drain(await ask({ method: 'GET', key: MARK, what }));
      } catch (error) {
        if (!(error instanceof S3Error && error.code === 'NoSuchKey')) throw error;
        if (!isNew) {
          throw new Error(
            `Cannot find the files of the site in ${place.name}: it has no ${MARK}. Name the bucket where they are, or restore it. If its files are lost, create an empty ${MARK}.`,
            { cause: error },
          );
        }
        await drain(
          await ask({ method: 'PUT', key: MARK, body: MARK_TEXT, what: 'mark the place' }),
        );
      }
      markedAt = performance.now();
    },
    async write(key, chunks) {
      checked(key);
      const parts = inParts(chunks);
      const first = await parts.next();
      const body = first.done === true ? new Uint8Array(0) : first.value;
      const second = await parts.next();
      try {
        if (second.done !== true) return await sendParts(ask, key, [body, second.value], parts);
        await drain(await ask({ method: 'PUT', key, body, what: 'write a file' }));
      } catch (error) {
        // The answer may have been lost, and the file stored.
        await remove(key).catch(() => {});
        throw error;
      }
    },
    async *read(key, range) {
      const headers: Record<string, string> =
        range === undefined ? {} : { range: `bytes=${range.first}-${range.last}` };
      const answer = await ask({ method: 'GET', key: checked(key), headers, what: 'read a file' });
      if (answer.body !== null) yield* answer.body;
    },
    remove: (key) => remove(checked(key)),
  };
}

/** A file of more than one part. Of one that fails, the service forgets the parts. */
async function sendParts(
  ask: Ask,
  key: string,
  begun: readonly Uint8Array<ArrayBuffer>[],
  rest: AsyncIterable<Uint8Array<ArrayBuffer>>,
): Promise<void> {
  const opened = await ask({ method: 'POST', key, query: { uploads: '' }, what: 'begin a file' });
  const uploadId = /<UploadId>([^<]+)<\/UploadId>/.exec(await opened.text())?.[1];
  if (uploadId === undefined) throw new Error('Cannot begin a file: the service named no upload.');
  const query = { uploadId: uploadId.replaceAll('&amp;', '&') };
  try {
    const tags: string[] = [];
    const send = async (body: Uint8Array<ArrayBuffer>) => {
      const part = { ...query, partNumber: `${tags.length + 1}` };
      const answer = await ask({ method: 'PUT', key, query: part, body, what: 'write a part' });
      await drain(answer);
      tags.push(answer.headers.get('etag') ?? '');
    };
    for (const part of begun) await send(part);
    for await (const part of rest) await send(part);
    const list = tags.map(
      (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapeTag(tag)}</ETag></Part>`,
    );
    const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`;
    const completed = await ask({ method: 'POST', key, query, body, what: 'complete a file' });
    // The service answers before it has finished, so a failure stands in a 200.
    const text = await completed.text();
    if (!text.includes('CompleteMultipartUploadResult'))
      throw new S3Error('complete a file', completed.status, text);
  } catch (error) {
    await ask({ method: 'DELETE', key, query, what: 'end an upload' }).then(drain, () => {});
    throw error;
  }
}

/** The same bytes in parts, all but the last one of the size of a part. */
async function* inParts(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let part = new Uint8Array(PART);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.byteLength; ) {
      const piece = chunk.subarray(at, at + PART - filled);
      part.set(piece, filled);
      filled += piece.byteLength;
      at += piece.byteLength;
      if (filled < PART) continue;
      yield part;
      part = new Uint8Array(PART);
      filled = 0;
    }
  }
  if (filled > 0) yield part.slice(0, filled);
}

function escapeTag(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** A body that is not read would keep its connection. */
async function drain(answer: globalThis.Response): Promise<void> {
  await answer.arrayBuffer();
}
