/**
 * Splits text into search words: runs of letters and digits, and signs such as emoji, each as `foldText` writes it.
 * Items and queries are split in the same way, for both engines; an item also gets other spellings of its words.
 */
import { foldText } from '../site/fold-text.ts';

/** Maximum characters of a word; PostgreSQL stores no word longer than 2,046 bytes. */
const MAX_LENGTH = 60;
/** How these letters are written without them. */
const SPELLED_OUT: Readonly<Record<string, string>> = {
  ...{ Ä: 'AE', Ö: 'OE', Ü: 'UE', Å: 'AA', Ø: 'OE' },
};
const UMLAUTS = /[ÄÖÜÅØ]/gi;
const SPELLED_UMLAUT = /[AOU]E/;
const SPELLED_UMLAUTS = /([AOU])E/g;
const HAS_SPELLINGS = /[ÄÖÜÅØ]|[AOU]E/i;

const BETWEEN = /[-_.'/&]/;
/** C++ and C#: a letter alone is no word of a search, but with its signs it is. */
const SIGNED = /(?<![\p{L}\p{N}])\p{L}(?:\+{1,2}|#)(?![\p{L}\p{N}+#])/v;
/** USB-C: words without a space between them. */
const CHAIN = /[\p{L}\p{N}]+(?:[\-_.'\/\&][\p{L}\p{N}]+)*/v;
/** A flag of two letters, or an emoji or another sign. Those of ASCII are punctuation. */
const SIGN = /\p{RI}{2}|[\p{S}--[\0-\x7f]]/v;
const TOKENS = new RegExp(`${SIGNED.source}|${CHAIN.source}|${SIGN.source}`, 'gv');
const NOT_PLAIN = /[^\0-\x7f]|[+#]/;
/** In plain text, which most text is, these are the same. They take a fraction of the time. */
const PLAIN_TOKENS = /[A-Z0-9]+(?:[-_.'/&][A-Z0-9]+)*/g;
/** Without these, each token is one word, with no other way to write it. */
const HAS_PARTS = /[^\0-\x7f]|[\d+#]|[-_.'/&][A-Z]/;
/** In these words, both are characters that neither engine splits or reads as an operator. */
const SIGNS: Readonly<Record<string, string>> = { '+': '＋', '#': '＃' };

/** Of the words in a chain that are also written as one; an address on the web has more. */
const MAX_CHAIN = 4;
/** Letters of a unit behind a number. */
const MAX_UNIT = 4;
const HAS_DIGIT = /\d/;
const NUMBER = /^\p{N}+$/u;
const UNIT = new RegExp(`^\\p{L}{1,${MAX_UNIT}}$`, 'u');

const ODD = /[-_.'/&+#]/;
/** M8 x 30 is M8X30. */
const BETWEEN_SIZES = /(?<=\d)\s*[X*]\s*(?=\d)/g;

function tokensOf(folded: string): readonly string[] {
  const joined = HAS_DIGIT.test(folded) ? folded.replaceAll(BETWEEN_SIZES, 'X') : folded;
  return joined.match(NOT_PLAIN.test(joined) ? TOKENS : PLAIN_TOKENS) ?? [];
}

/** The words of a token, which are several in a chain. */
function partsOf(token: string): readonly string[] {
  if (!ODD.test(token)) return [shorten(token)];
  if (SIGNED.test(token)) return [token.replaceAll(/[+#]/g, (sign) => SIGNS[sign] ?? sign)];
  return token.split(BETWEEN).map(shorten);
}

/** The words of a chain as one: USBC for “USB-C”. Null for a number such as 3/4, and without a chain. */
function join(parts: readonly string[]): string | null {
  const isJoined = parts.length > 1 && parts.length <= MAX_CHAIN;
  return isJoined && parts.some((part) => /\p{L}/u.test(part)) ? shorten(parts.join('')) : null;
}

function shorten(word: string): string {
  return word.length <= MAX_LENGTH ? word : [...word].slice(0, MAX_LENGTH).join('');
}

/** Each word once. */
export function toWords(text: string): readonly string[] {
  return [...new Set(tokensOf(foldText(text)).flatMap(partsOf))];
}

export interface ItemWords {
  /** The words of the text itself, in which a search finds what is inside a word. */
  readonly own: readonly string[];
  /** Other ways to write some of them. */
  readonly others: readonly string[];
}

/**
 * The words of an item: KUCHE and KUECHE for “Küche”, and also for “Kueche”; USBC for “USB-C”, 10MM for “10 mm”, 10 and
 * MM for “10mm”. So all spellings find each other, and a search needs only one of them. A word can be there twice.
 */
export function toItemWords(text: string): ItemWords {
  const folded = foldText(text);
  const hasParts = HAS_PARTS.test(folded);
  const tokens = tokensOf(folded);
  const own = hasParts ? [] : tokens.map(shorten);
  const others: string[] = [];
  if (hasParts) addTokens(tokens, own, others);
  if (HAS_SPELLINGS.test(text)) {
    const spelled = text.replaceAll(UMLAUTS, (letter) => SPELLED_OUT[letter.toUpperCase()] ?? '');
    if (spelled !== text) own.push(...toWords(spelled));
    for (const word of own.slice())
      if (SPELLED_UMLAUT.test(word)) own.push(word.replaceAll(SPELLED_UMLAUTS, '$1'));
  }
  return { own, others };
}

function addTokens(tokens: readonly string[], own: string[], others: string[]): void {
  let before = '';
  for (const token of tokens) {
    if (ODD.test(token)) addParts(partsOf(token), own, others);
    else addWord(shorten(token), own, others);
    // The unit may belong to a number that a comma follows: then the word is never looked for.
    if (
      token.length <= MAX_UNIT &&
      HAS_DIGIT.test(before) &&
      NUMBER.test(before) &&
      UNIT.test(token)
    )
      others.push(before + token);
    before = token;
  }
}

function addParts(parts: readonly string[], own: string[], others: string[]): void {
  for (const part of parts) addWord(part, own, others);
  const joined = join(parts);
  if (joined !== null) others.push(joined);
}

function addWord(word: string, own: string[], others: string[]): void {
  own.push(word);
  if (HAS_DIGIT.test(word)) others.push(...piecesOf(word));
}

const SIZES = /(?<=\d)X(?=\d)/;
const WITH_UNIT = /^(\p{N}+)(\p{L}+)$/u;
const NUMBERED = /^\p{L}+(\p{N}+)$/u;

/** 10 and MM of 10MM, 30 of M8X30, 3 of USB3. */
function piecesOf(word: string): readonly string[] {
  if (NUMBER.test(word)) return [];
  const sizes = word.split(SIZES);
  const pieces = sizes.flatMap(
    (size) => WITH_UNIT.exec(size)?.slice(1) ?? NUMBERED.exec(size)?.slice(1) ?? [],
  );
  return sizes.length === 1 ? pieces : [...sizes, ...pieces];
}

/** A word of a search. */
export interface SoughtWord {
  readonly word: string;
  /** Whether no longer word matches: a digit or a letter alone begins nearly everything. */
  readonly isWhole: boolean;
  /** What else a matching word may begin with: USBC for both words of “USB-C”. */
  readonly joined: string | null;
}

export interface SearchWords {
  readonly words: readonly SoughtWord[];
  /** Whether words were ignored, because they are too short or too many. */
  readonly isShortened: boolean;
}

/** Maximum words of a search: each word adds a list of items to read. */
export const MAX_WORDS = 6;
/** A character that is a word by itself, so a single one can be searched. */
const ALONE = /^[\p{Script=Han}\p{N}\p{S}]/u;
const BEGINNING_ALONE = /^[\p{Script=Han}\p{S}]/u;

/** The words of a query that count: the first six that are no letter alone. */
export function toSearchWords(search: string): SearchWords {
  const all = new Map<string, SoughtWord>();
  for (const parts of tokensOf(foldText(search)).map(partsOf)) {
    const joined = join(parts);
    for (const word of parts) {
      const isWhole = word.length === 1 && !BEGINNING_ALONE.test(word);
      if (!all.has(word)) all.set(word, { word, isWhole, joined });
    }
  }
  const words = [...all.values()]
    .filter(({ word, joined }) => word.length > 1 || joined !== null || ALONE.test(word))
    .slice(0, MAX_WORDS);
  return { words, isShortened: words.length < all.size };
}
