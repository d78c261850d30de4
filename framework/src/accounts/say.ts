/**
 * The texts of the pages and mails of accounts. They are known on these pages alone: a label "Name" of the site is
 * another text than that of accounts.
 */
import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import type { Request } from '../http/request.ts';
import { languageOf, languageSlot } from '../http/request-language.ts';
import type { AccountText } from '../language/account-texts.ts';
import { createLanguage, type Language } from '../language/language.ts';

/** `values` are written in place of `{name}`. */
export type Say = (text: AccountText, values?: Readonly<Record<string, string>>) => string;

/** In the language of the request. */
export function sayIn(request: Pick<Request, 'slots'>): Say {
  return sayWith(languageOf(request));
}

/** For an `HttpError`, which is given the language. */
export function sayWith(language: Language): Say {
  const { translate } = withAccountTexts(language);
  return (text, values = {}) =>
    translate(text).replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** A text in a form, which its page translates. It exists so that a text without a translation does not compile. */
export function text<Text extends AccountText>(text: Text): Text {
  return text;
}

/** On the routes of accounts: their forms know the texts, too. */
export const speakOfAccounts: Middleware = describeMiddleware(
  function speakOfAccounts(context, next) {
    const { request } = context;
    languageSlot.set(request, withAccountTexts(languageOf(request)));
    return next(context);
  },
  { needs: [], adds: [] },
);

const made = new WeakMap<Language, Language>();

/** A site may say something in its own words: its texts come first. */
export function withAccountTexts(language: Language): Language {
  const { words, texts } = language;
  if (words.accounts === null) return language;
  const known = made.get(language);
  if (known !== undefined) return known;
  const whole = createLanguage({ ...language, texts: { ...words.accounts, ...texts } });
  made.set(language, whole);
  // What has the texts already stays as it is.
  made.set(whole, whole);
  return whole;
}
