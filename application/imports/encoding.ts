/**
 * Finds the encoding of a text file from all its bytes, before it is read: UTF-8, UTF-16 with a byte order mark, which
 * Excel writes as “Unicode text”, or else Windows-1252 or Mac Roman. All bytes are valid in these two, so the one in
 * which the file has the more plausible letters wins, and people are told which letters were read.
 */
import { ImportRefused } from './import-refused.ts';

export interface Encoding {
  /** As TextDecoder names it. */
  readonly name: string;
  /** What people have to check; null if the file leaves no doubt. */
  readonly notice: string | null;
}

/** `read` starts at the first byte with each call. Rejects with an `ImportRefused`. */
export async function findEncoding(read: () => AsyncIterable<Uint8Array>): Promise<Encoding> {
  const name = await readMark(read());
  if (await canDecode(read(), name)) return { name, notice: null };
  if (name !== 'utf-8') throw new ImportRefused('The file is damaged: it is not text in UTF-16.');
  const high = await countHighBytes(read());
  return ENCODINGS.map((one) => judge(one, high)).reduce((best, one) =>
    one.plausibility > best.plausibility ? one : best,
  );
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

const ENCODINGS = [
  { name: 'windows-1252', title: 'Windows-1252' },
  { name: 'macintosh', title: 'Mac Roman' },
];

/** What stands beside a byte, as far as it tells whether the byte is a letter. */
type Neighbour = (typeof NEIGHBOURS)[number];
const NEIGHBOURS = ['other', 'small', 'capital', 'high'] as const;
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte > 0x7f) return 3;
  const character = String.fromCharCode(byte);
  return /[a-z]/.test(character) ? 1 : /[A-Z]/.test(character) ? 2 : 0;
});

interface HighByte {
  readonly byte: number;
  readonly before: Neighbour;
  readonly after: Neighbour;
  readonly count: number;
}

/** How often each byte above ASCII stands beside what. */
async function countHighBytes(chunks: AsyncIterable<Uint8Array>): Promise<readonly HighByte[]> {
  const counts = new Uint32Array(256 * 16);
  let before = 0;
  let byte = 0;
  /** Characters of several bytes in UTF-8, by their first two. */
  let utf8 = 0;
  let high = 0;
  const add = (after: number) => {
    if (byte > 0x7f) {
      high++;
      if (byte >= 0xc2 && byte < 0xf5 && after >= 0x80 && after < 0xc0) utf8++;
      const at = byte * 16 + before * 4 + (KINDS[after] ?? 0);
      counts[at] = (counts[at] ?? 0) + 1;
    }
    before = KINDS[byte] ?? 0;
    byte = after;
  };
  for await (const chunk of chunks) {
    if (chunk.includes(0)) throw new ImportRefused(`The file is not text. ${HOW_TO_SAVE}`);
    for (const after of chunk) add(after);
  }
  add(0);
  if (utf8 * 3 > high)
    throw new ImportRefused(
      'The file is damaged: most of it is in UTF-8, and some of it is not. Save it as “CSV UTF-8” again.',
    );
  return [...counts].flatMap((count, at) => {
    if (count === 0) return [];
    const [one = 'other', other = 'other'] = [NEIGHBOURS[(at >> 2) & 3], NEIGHBOURS[at & 3]];
    return [{ byte: at >> 4, before: one, after: other, count }];
  });
}

/** For a file that is no text. */
export const HOW_TO_SAVE =
  'Save the table as CSV: in Excel, choose “File”, “Save As” and “CSV UTF-8”; in LibreOffice, “File”, “Save As” and “Text CSV”; in Numbers, “File”, “Export To” and “CSV”; in Google Sheets, “File”, “Download” and “Comma-separated values”.';

/** Characters that a notice shows. */
const MAX_SHOWN = 8;

function judge({ name, title }: (typeof ENCODINGS)[number], high: readonly HighByte[]) {
  const decoder = new TextDecoder(name);
  const shown = new Map<string, number>();
  let plausibility = 0;
  for (const { byte, before, after, count } of high) {
    const character = decoder.decode(Uint8Array.of(byte));
    plausibility += count * isPlausible(character, before, after);
    shown.set(character, (shown.get(character) ?? 0) + count);
  }
  const often = [...shown]
    .filter(([one]) => /[^\p{C}\p{Z}]/u.test(one))
    .sort((a, b) => b[1] - a[1]);
  const list = often
    .slice(0, MAX_SHOWN)
    .map(([one]) => `“${one}”`)
    .join(', ');
  const more = often.length > MAX_SHOWN ? ' …' : '';
  const letters = list === '' ? '' : `: ${list}${more}`;
  const notice = `The file is not in UTF-8. It was read as ${title}${letters}`;
  return { name, notice, plausibility };
}

/** Letters and signs of western European languages, as far as they are common. */
const COMMON_LETTERS = /[äöüßáàâåæãçéèêëíîïñóôòõøœúûùÄÖÜÁÀÂÅÆÇÉÈÊÍÎÑÓÔØŒÚÛ]/u;
const COMMON_SIGNS = /[€§°²³½¼¾×µ·«»±®™–—‘’‚“”„…\u00a0]/u;

/** From -2 to 2. */
function isPlausible(character: string, before: Neighbour, after: Neighbour): number {
  const isWithin = before !== 'other' && after !== 'other';
  if (COMMON_LETTERS.test(character)) {
    if (/\p{Ll}/u.test(character)) return before === 'capital' && after === 'capital' ? -1 : 2;
    if (before === 'small') return -2;
    return before === 'capital' || after !== 'other' ? 2 : 0;
  }
  if (character === '’' && isWithin) return 2;
  if (isWithin) return -2;
  return COMMON_SIGNS.test(character) && after !== 'small' ? 1 : -1;
}
