/**
 * Finds the encoding of a text file from all its bytes, before it is read: UTF-8, UTF-16 with a byte order mark, which
 * Excel writes as “Unicode text”, or else one of an older program, which is guessed from the words that have bytes
 * above ASCII. People see these words, and can choose another encoding.
 */
import { BYTES_AS_CHARACTERS, type Encoding } from './encodings.ts';
import { guessEncoding } from './guess-encoding.ts';
import { ImportRefused } from './import-refused.ts';

/** What was found of a file that is not in UTF-8 or UTF-16. */
export interface OldEncoding {
  readonly name: Encoding;
  readonly isSure: boolean;
  /** The first words with bytes above ASCII, which are characters: see encodings.ts. */
  readonly words: readonly string[];
}

export interface FoundEncoding {
  /** As TextDecoder names it. */
  readonly decoder: string;
  /** Null for UTF-8 and UTF-16. */
  readonly old: OldEncoding | null;
}

/** `read` starts at the first byte with each call. Rejects with an `ImportRefused`. */
export async function findEncoding(read: () => AsyncIterable<Uint8Array>): Promise<FoundEncoding> {
  const decoder = await readMark(read());
  if (await canDecode(read(), decoder)) return { decoder, old: null };
  if (decoder !== 'utf-8')
    throw new ImportRefused('The file is damaged: it is not text in UTF-16.');
  const { words, utf8 } = await readWords(read());
  const { encoding, plausibility, isSure } = guessEncoding(words);
  if (utf8 > 1 / 3 && plausibility < 1)
    throw new ImportRefused(
      'The file is damaged: most of it is in UTF-8, and some of it is not. Save it as “CSV UTF-8” again.',
    );
  const old = { name: encoding, isSure, words: words.slice(0, MAX_SHOWN) };
  return { decoder: BYTES_AS_CHARACTERS, old };
}

export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

async function readMark(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let start = Buffer.alloc(0);
  for await (const chunk of chunks) {
    start = Buffer.concat([start, chunk]);
    if (start.length >= 2) break;
  }
  const mark = start.toString('hex', 0, 2);
  return mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
}

async function canDecode(chunks: AsyncIterable<Uint8Array>, encoding: string): Promise<boolean> {
  try {
    for await (const _ of decodeText(chunks, encoding));
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Different words that are judged, the characters of one, and the words that a page shows. */
const MAX_WORDS = 500;
const MAX_WORD = 40;
const MAX_SHOWN = 8;

/** The second byte of a character in Shift_JIS may be one of `@` to `~`. */
const WORD = /[@-~\uf780-\uf7ff]*[\uf780-\uf7ff][@-~\uf780-\uf7ff]*/g;
/** A character of several bytes in UTF-8 begins so. */
const UTF8 = /[\uf7c2-\uf7f4][\uf780-\uf7bf]/g;

/** Different words with bytes above ASCII, and the share of these bytes that begin a character of UTF-8. */
async function readWords(chunks: AsyncIterable<Uint8Array>) {
  const words = new Set<string>();
  let pairs = 0;
  let high = 0;
  let rest = '';
  const take = (text: string) => {
    pairs += text.match(UTF8)?.length ?? 0;
    high += text.match(/[\uf780-\uf7ff]/g)?.length ?? 0;
    for (const [word] of text.matchAll(WORD)) {
      if (words.size === MAX_WORDS) break;
      words.add(word.slice(0, MAX_WORD));
    }
  };
  for await (const piece of decodeText(chunks, BYTES_AS_CHARACTERS)) {
    if (piece.includes('\0')) throw new ImportRefused(`The file is not text. ${HOW_TO_SAVE}`);
    const text = rest + piece;
    // A word may go on in the next piece.
    const end =
      text.length > 10_000
        ? text.length
        : text.length - (/[@-~\uf780-\uf7ff]*$/.exec(text)?.[0].length ?? 0);
    take(text.slice(0, end));
    rest = text.slice(end);
  }
  take(rest);
  return { words: [...words], utf8: pairs / Math.max(high, 1) };
}

/** For a file that is no text. */
export const HOW_TO_SAVE =
  'Save the table as CSV: in Excel, choose “File”, “Save As” and “CSV UTF-8”; in LibreOffice, “File”, “Save As” and “Text CSV”; in Numbers, “File”, “Export To” and “CSV”; in Google Sheets, “File”, “Download” and “Comma-separated values”.';
