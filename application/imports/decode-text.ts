/**
 * Decodes a text file as it is read. It is UTF-8, or UTF-16 with a byte order mark, which Excel writes as
 * “Unicode text”. Anything else is refused: guessing an older encoding would garble names without notice.
 */
import { ImportRefused } from './import-refused.ts';

/** Rejects with an `ImportRefused`. The text may begin with a byte order mark. */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  let start = Buffer.alloc(0);
  try {
    for await (const chunk of chunks) {
      if (decoder !== null) {
        yield decoder.decode(chunk, { stream: true });
        continue;
      }
      start = Buffer.concat([start, chunk]);
      if (start.length < LONGEST_MARK) continue;
      decoder = createDecoder(start);
      yield decoder.decode(start, { stream: true });
    }
    yield decoder === null ? createDecoder(start).decode(start) : decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ImportRefused('The file is not in UTF-8. In Excel, save it as “CSV UTF-8”.');
  }
}

/** Bytes that are enough to recognize the encoding. */
const LONGEST_MARK = 4;

function createDecoder(start: Buffer): TextDecoder {
  if (start.toString('latin1', 0, 4) === 'PK\u{3}\u{4}')
    throw new ImportRefused('The file is a workbook. In Excel, save it as “CSV UTF-8”.');
  const mark = start.toString('hex', 0, 2);
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
}
