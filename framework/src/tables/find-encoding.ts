/**
 * Finds the encoding of a text file from all its bytes, before it is read: UTF-8, UTF-16 with a byte order mark, which
 * Excel writes as “Unicode text”, or else one of an older program. That one is guessed from the letters of the words
 * that have bytes above ASCII: a language has few such letters, they stand beside other letters of it, and capitals
 * stand in front. Nothing is certain, so people see the words, and can choose another encoding.
 */
import type { TableWords } from '../language/words.ts';
import { BYTES_AS_CHARACTERS, decodeBytes, decodeText, type Encoding } from './encodings.ts';
import { TableError } from './table-error.ts';

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

/** `read` starts at the first byte with each call. Rejects with a `TableError`. */
export async function findEncoding(
  read: () => AsyncIterable<Uint8Array>,
  words: TableWords,
): Promise<FoundEncoding> {
  const mark = await readFirstBytes(read(), 2);
  const decoder = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
  if (await canDecode(read(), decoder)) return { decoder, old: null };
  if (decoder !== 'utf-8') throw new TableError(words.brokenUtf16);
  const found = await readWords(read());
  if (found === null) throw new TableError(words.notText);
  const { encoding, plausibility, isSure } = guessEncoding(found.words);
  if (found.utf8 > 1 / 3 && plausibility < 1) throw new TableError(words.brokenUtf8);
  const old = { name: encoding, isSure, words: found.words.slice(0, MAX_SHOWN) };
  return { decoder: BYTES_AS_CHARACTERS, old };
}

/** In hexadecimal; fewer bytes of a shorter file. */
export async function readFirstBytes(
  chunks: AsyncIterable<Uint8Array>,
  count: number,
): Promise<string> {
  let start = Buffer.alloc(0);
  for await (const chunk of chunks) {
    start = Buffer.concat([start, chunk]);
    if (start.length >= count) break;
  }
  return start.toString('hex', 0, count);
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

/**
 * Different words with bytes above ASCII, and the share of these bytes that begin a character of UTF-8. Null for
 * what is no text.
 */
async function readWords(chunks: AsyncIterable<Uint8Array>) {
  const words = new Set<string>();
  let pairs = 0;
  let high = 0;
  // The end of a piece may cut one word of many.
  for await (const piece of decodeText(chunks, BYTES_AS_CHARACTERS)) {
    if (piece.includes('\0')) return null;
    pairs += piece.match(UTF8)?.length ?? 0;
    high += piece.match(/[\uf780-\uf7ff]/g)?.length ?? 0;
    for (const [word] of piece.matchAll(WORD)) {
      if (words.size === MAX_WORDS) break;
      words.add(word.slice(0, MAX_WORD));
    }
  }
  return { words: [...words], utf8: pairs / Math.max(high, 1) };
}

/** Letters of a language, in lower case. */
const GERMAN = 'äöüß';
const FRENCH = 'àâæçéèêëîïôùûüÿœ';
const SPANISH = 'áéíñóúüçàèòï';
const PORTUGUESE = 'áâãàçéêíóôõúü';
const NORDIC = 'åäöæøéü';
const ITALIAN = 'àèéìíòóùú';
const WESTERN = [GERMAN, FRENCH, SPANISH, PORTUGUESE, NORDIC, ITALIAN];
const CENTRAL = ['ąćęłńóśźż', 'áäčďéěíĺľňóôŕřšťúůýž', 'áéíóöőúüű', 'čćđšž', 'ăâîşţ'];

/** In this order, a tie is decided. */
const CANDIDATES: readonly (readonly [Encoding, readonly string[]])[] = [
  ['windows-1252', WESTERN],
  ['windows-1250', CENTRAL],
  ['windows-1254', ['çğıİöşüâîû']],
  ['windows-1251', []],
  ['macintosh', WESTERN],
  ['cp850', WESTERN],
  ['shift_jis', []],
  ['windows-1252', ['áðéíóúýþæö']],
];

interface Guess {
  readonly encoding: Encoding;
  /** How plausible the text is, from -2 to 2. */
  readonly plausibility: number;
  /** Whether no other encoding with another text is nearly as plausible. */
  readonly isSure: boolean;
}

/** How much less plausible the others have to be. */
const LEAD = 0.7;

/** `words` have bytes as characters. */
function guessEncoding(words: readonly string[]): Guess {
  const judged = CANDIDATES.map(([encoding, alphabets]) => {
    const texts = words.map((word) => decodeBytes(word, encoding));
    const judge =
      encoding === 'shift_jis' ? judgeJapanese : encoding === 'windows-1251' ? judgeCyrillic : null;
    const plausibility =
      judge === null
        ? Math.max(...alphabets.map((letters) => average(texts, judgeLatin(letters))))
        : average(texts, judge);
    return { encoding, plausibility, text: texts.join(' ') };
  });
  const best = judged.reduce((one, other) => (other.plausibility > one.plausibility ? other : one));
  const rival = Math.max(
    ...judged.filter(({ text }) => text !== best.text).map(({ plausibility }) => plausibility),
  );
  const { encoding, plausibility } = best;
  return { encoding, plausibility, isSure: plausibility >= 1 && plausibility - rival >= LEAD };
}

type Judge = (character: string, before: string, after: string) => number;

function average(texts: readonly string[], judge: Judge): number {
  let sum = 0;
  let count = 0;
  for (const text of texts)
    for (let at = 0; at < text.length; at++) {
      const character = text[at] ?? '';
      if (character <= '\x7f') continue;
      sum += judge(character, text[at - 1] ?? '', text[at + 1] ?? '');
      count++;
    }
  return sum / Math.max(count, 1);
}

/** Signs that stand beside numbers and words, in the languages of the Latin alphabet. */
const SIGNS = /[€£§°²³½¼¾×µ·«»±®™–—‘’‚“”„…\u00a0]/u;

const isLetter = (text: string) => /\p{L}/u.test(text);
const isSmall = (text: string) => /\p{Ll}/u.test(text);
const isCapital = (text: string) => /\p{Lu}/u.test(text);
const isHigh = (text: string) => text > '\x7f' && isLetter(text);

function judgeLatin(letters: string): Judge {
  return (character, before, after) => {
    const isWithin = isLetter(before) && isLetter(after);
    if (!isLetter(character)) {
      if (character === '’' && isWithin) return 2;
      if (isWithin) return -2;
      return SIGNS.test(character) && !isSmall(after) ? 1 : -1;
    }
    if (isCapital(character) && isSmall(before)) return -2;
    // Such letters stand beside plain ones.
    if (isHigh(before) && isHigh(after)) return -2;
    if (isSmall(character) && isCapital(before) && isCapital(after)) return -1;
    if (![character, character.toLowerCase()].some((one) => letters.includes(one)))
      return WEST.has(character.toLowerCase()) ? 0.5 : -1;
    // A letter alone may be anything.
    return isLetter(before) || isLetter(after) || isSmall(character) ? 2 : 0;
  };
}

const WEST = new Set(WESTERN.join(''));

const judgeCyrillic: Judge = (character, before, after) => {
  if (!isLetter(character)) {
    if (isLetter(before) && isLetter(after)) return -2;
    return /[№«»–—°±§…\u00a0]/u.test(character) ? 1 : -1;
  }
  const isCyrillic = (text: string) => /\p{Script=Cyrillic}/u.test(text);
  const beside = [before, after].filter(isLetter);
  if (!isCyrillic(character) || !beside.every(isCyrillic)) return -2;
  if (isCapital(character) && isSmall(before)) return -2;
  return beside.length === 0 ? 0 : 2;
};

/** The kanji of the first level: those that are common. */
let common: ReadonlySet<string> | null = null;

function readCommonKanji(): ReadonlySet<string> {
  const bytes: number[] = [];
  for (let lead = 0x88; lead < 0x98; lead++)
    for (let trail = 0x40; trail < 0xfd; trail++) if (trail !== 0x7f) bytes.push(lead, trail);
  return new Set(new TextDecoder('shift_jis').decode(Uint8Array.from(bytes)));
}

const judgeJapanese: Judge = (character, before, after) => {
  if (/[ｦ-ﾟ]/u.test(character)) return /[ｦ-ﾟ]/u.test(before + after) ? 1.5 : -2;
  if (/[a-z]/.test(before + after)) return -2;
  if (/[\u3040-\u30ff]/u.test(character)) return 2;
  common ??= readCommonKanji();
  if (common.has(character)) return 2;
  return /[\u3000-\u303f\uff00-\uff5e]/u.test(character) ? 1 : -1;
};
