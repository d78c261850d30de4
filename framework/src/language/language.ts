/**
 * A language: the texts of the framework, those of the application, and how numbers and dates are written. It is a
 * value that is made once, at start.
 */
import { createDateFormats, type DateFormats } from './dates.ts';
import { cacheFormats } from './formats.ts';
import { createNumberFormats, type NumberFormats } from './numbers.ts';
import type { Words } from './words.ts';

/** What a language is made of. */
export interface LanguageOptions {
  /** By BCP 47, such as `de` or `de-CH`. Numbers and dates follow it. */
  readonly code: string;
  /** The texts of the framework. */
  readonly writeWords: (writing: NumberWords) => Words;
  /**
   * The application's own texts by what stands in its code: labels, hints and messages of forms. One that is missing
   * is shown as it is.
   */
  readonly texts?: Texts;
}

export type Texts = Readonly<Record<string, string>>;

/** How numbers stand in sentences. */
export interface NumberWords extends NumberFormats {
  /** The word that fits the number, without the number: `one` in English for 1, `other` for all others. */
  readonly plural: (
    count: number,
    words: Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }>,
  ) => string;
}

/** What `createLanguage` makes: a language of forms and error pages, and for pages of your own. */
export interface Language extends Required<LanguageOptions>, NumberWords, DateFormats {
  readonly direction: 'ltr' | 'rtl';
  readonly words: Words;
  /** A text of the application in this language; the same text if `texts` lacks it. */
  readonly translate: (text: string) => string;
  /** `a, b and c`; as a disjunction, `a, b or c`. */
  readonly formatList: (items: readonly string[], type?: 'conjunction' | 'disjunction') => string;
}

/**
 * Makes a language. `createLanguage({ ...german, texts })` adds texts to one, and `code: 'de-CH'` gives it the
 * numbers and dates of Switzerland. Throws a `TypeError` for an invalid code.
 */
export function createLanguage({ code, writeWords, texts = {} }: LanguageOptions): Language {
  if (typeof writeWords !== 'function') {
    throw new TypeError(
      `Cannot make the language ${JSON.stringify(code)} without writeWords. Start from one that has it: createLanguage({ ...english, texts }).`,
    );
  }
  if (!isCode(code)) {
    throw new TypeError(
      `Cannot make a language with the code ${JSON.stringify(code)}: write it as in HTML, such as de or de-AT.`,
    );
  }
  const numbers = createNumberFormats(code);
  let rules: Intl.PluralRules | null = null;
  const listsOf = cacheFormats(
    (options: Intl.ListFormatOptions) => new Intl.ListFormat(code, options),
  );
  const writing: NumberWords = {
    ...numbers,
    plural(count, words) {
      rules ??= new Intl.PluralRules(code);
      return words[rules.select(count)] ?? words.other;
    },
  };
  const known = new Map(Object.entries(texts));
  return {
    ...writing,
    ...createDateFormats(code),
    code,
    direction: directionOf(code),
    writeWords,
    words: writeWords(writing),
    texts,
    translate: (text) => known.get(text) ?? text,
    formatList: (items, type = 'conjunction') => listsOf(type, { type }).format(items),
  };
}

/** Whether it is a code of BCP 47. There are more of them than languages. */
export function isCode(code: string): boolean {
  try {
    return Intl.getCanonicalLocales(code).length === 1;
  } catch {
    return false;
  }
}

/** The standard's function, which Node 22 has as a property. The declarations of the package's compiler lack both. */
interface WithTextInfo {
  readonly getTextInfo?: () => TextInfo;
  readonly textInfo?: TextInfo;
}

interface TextInfo {
  readonly direction?: string;
}

function directionOf(code: string): 'ltr' | 'rtl' {
  const locale = new Intl.Locale(code) as Intl.Locale & WithTextInfo;
  const { direction } = locale.getTextInfo?.() ?? locale.textInfo ?? {};
  return direction === 'rtl' ? 'rtl' : 'ltr';
}
