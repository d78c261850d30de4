/**
 * Guesses the encoding of words from their letters: a language has few letters above ASCII, they stand beside other
 * letters of it, and capitals stand in front. Nothing is certain: Polish and French have the same bytes for other
 * letters.
 */
import { decodeBytes, type Encoding } from './encodings.ts';

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

export interface Guess {
  readonly encoding: Encoding;
  /** How plausible the text is, from -2 to 2. */
  readonly plausibility: number;
  /** Whether no other encoding with another text is nearly as plausible. */
  readonly isSure: boolean;
}

/** How much less plausible the others have to be. */
const LEAD = 0.7;

/** `words` have bytes as characters. */
export function guessEncoding(words: readonly string[]): Guess {
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
