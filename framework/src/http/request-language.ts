/** The language of a request. It is known here, because every error is a sentence. */
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import type { Request } from './request.ts';
import { Slot } from './slot.ts';

export const languageSlot: Slot<Language> = new Slot(english);

/**
 * What the forms and error pages of the request are written in: English unless `negotiateLanguage` or `chooseLanguage`
 * has chosen another. An error page asks for it, because its context has no `language`.
 */
export function languageOf(request: Pick<Request, 'slots'>): Language {
  return languageSlot.of(request);
}
