/**
 * The texts of a form that is stored between requests: short, and in the language of the page that shows them. `1.234`
 * is 1234 on a German page, so a text is stored with the language it was typed in, and shown in another one as that
 * writes the same value.
 */
import { isDeepStrictEqual } from 'node:util';
import { type AnyField, type FieldText, isFile, isTyped, type Parsed } from '../field/field.ts';
import { createLanguage, type Language } from '../language/language.ts';
import { mapTexts } from './build-texts.ts';
import type { AnySet, TextTree } from './field-set.ts';

/** The name under which the code of the language is stored beside the texts. No field can have it. */
export const LANGUAGE = '_language';

/** The texts as another language writes their values. A text that is not valid stays as it was typed. */
export function translateTexts(set: AnySet, texts: TextTree, code: string, to: Language): TextTree {
  if (code === to.code) return texts;
  const from = languageTypedIn(code, to);
  return mapTexts(set, texts, (field, text) => {
    if (!isRewritten(field)) return text;
    const parsed = parse(field, text, from);
    return parsed?.ok === true ? write(field, parsed.value, text, to) : text;
  });
}

/**
 * The texts of a valid form without what its fields ignore, such as spaces around a name. A text that does not count,
 * because it belongs to another choice, is left out unless it is valid too.
 */
export function settleTexts(set: AnySet, texts: TextTree, language: Language): TextTree {
  return mapTexts(set, texts, (field, text) => {
    if (!isRewritten(field)) return text;
    const parsed = parse(field, text, language);
    if (parsed === null) return text;
    if (!parsed.ok) return Array.isArray(text) ? [] : '';
    return write(field, parsed.value, text, language);
  });
}

/** The text as the field would write its value; null for one that is not valid, or cannot be known at once. */
export function settleText(field: AnyField, text: string, language: Language): FieldText | null {
  const parsed = parse(field, text, language);
  return parsed?.ok === true ? write(field, parsed.value, text, language) : null;
}

/** Other texts are those of the page, or the key of a file. */
function isRewritten(field: AnyField): boolean {
  return isTyped(field) && !isFile(field);
}

/** The value as text. A kind of an application may write another text than it reads: then the text stays. */
function write(field: AnyField, value: unknown, text: FieldText, language: Language): FieldText {
  const written = field.toText(value, { language });
  const again = parse(field, written, language);
  return again?.ok === true && isDeepStrictEqual(again.value, value) ? written : text;
}

/** Null for a field whose schema waits for something. */
function parse(field: AnyField, text: FieldText, language: Language): Parsed<unknown> | null {
  const parsed = field.parse(text, { language });
  return parsed instanceof Promise ? null : (parsed as Parsed<unknown>);
}

const languages = new WeakMap<Language, Map<string, Language>>();
/** More than a site has. The code in a draft comes from a browser, and may be any. */
const MAX_LANGUAGES = 100;

/** A language with the numbers and dates of the code and the words of the other one. */
export function languageTypedIn(code: string, words: Language): Language {
  if (code === words.code) return words;
  const made = languages.get(words) ?? new Map<string, Language>();
  const known = made.get(code) ?? createLanguage({ ...words, code });
  if (made.size < MAX_LANGUAGES) made.set(code, known);
  languages.set(words, made);
  return known;
}
