/** The texts of the pages and mails of accounts, in the language of the request. */
import type { Request } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import type { AccountText } from '../language/account-texts.ts';

/** `values` are written in place of `{name}`. */
export type Say = (text: AccountText, values?: Readonly<Record<string, string>>) => string;

export function sayIn(request: Pick<Request, 'slots'>): Say {
  const { translate } = languageOf(request);
  return (text, values = {}) =>
    translate(text).replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** A text in a form, which its page translates. It exists so that a text without a translation does not compile. */
export function text<Text extends AccountText>(text: Text): Text {
  return text;
}
