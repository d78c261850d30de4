/** Languages of forms, error pages, numbers and dates, and how one is chosen for a request. */
export { missingTexts } from './src/form/missing-texts.ts';
export { languageOf } from './src/http/request-language.ts';
export { unifyCharacters } from './src/language/characters.ts';
export { english } from './src/language/english.ts';
export { french } from './src/language/french.ts';
export { german } from './src/language/german.ts';
export { createLanguage, type Language, type LanguageOptions } from './src/language/language.ts';
export type { Words } from './src/language/words.ts';
export {
  chooseLanguage,
  type LanguageContext,
  negotiateLanguage,
} from './src/middleware/choose-language.ts';
