/**
 * Chooses the language of a request: by what the browser asks for, or by a function of the application. Forms and
 * error pages are written in it, and a handler finds it on its context.
 */

import type { Context, Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { andThen } from '../http/awaitable.ts';
import { describeValue } from '../http/check-options.ts';
import { languageOf, languageSlot } from '../http/request-language.ts';
import { type Response, withVary } from '../http/response.ts';
import { cacheByHeader, readWeights } from '../http/weights.ts';
import type { Language } from '../language/language.ts';

/** What `negotiateLanguage` and `chooseLanguage` add to the context. */
export interface LanguageContext {
  readonly language: Language;
}

/**
 * Chooses one of several languages by `Accept-Language` (RFC 4647 section 3.4): `de-AT` finds `de`. The first language
 * is for browsers that ask for none of them. With several, pages have `Vary`.
 */
export function negotiateLanguage(
  languages: readonly Language[],
): Middleware<unknown, LanguageContext> {
  const [first] = languages ?? [];
  if (first === undefined) {
    throw new TypeError('Cannot choose between no languages. Pass at least one: [english].');
  }
  const wrong = languages.find((one) => one?.words === undefined);
  if (wrong !== undefined) {
    throw new TypeError(
      `Cannot choose between languages with ${describeValue(wrong)} among them: import each from seeother/languages, or make it with createLanguage.`,
    );
  }
  const find = cacheByHeader((header) => findLanguage(readWeights(header), languages) ?? first);
  return describeMiddleware(
    function negotiateLanguage(context, next) {
      const { request } = context;
      const asked = languages.length === 1 ? undefined : request.headers['accept-language'];
      const language = asked === undefined ? first : find(asked);
      languageSlot.set(request, language);
      const response = next({ ...context, language });
      return languages.length === 1 ? response : andThen(response, varyByLanguage);
    },
    { needs: [], adds: ['language'] },
  );
}

/**
 * Chooses by the context, such as by a setting of the user or by the path. If the function returns null, the language
 * stays the one so far: that of `negotiateLanguage`, or English. Put it before what shows pages.
 */
export function chooseLanguage<Needs = unknown>(
  choose: (context: Context & Needs) => Language | null,
): Middleware<Needs, LanguageContext> {
  if (typeof choose !== 'function') {
    throw new TypeError(
      'Cannot choose a language without a function. Pass one: chooseLanguage(({ request }) => german).',
    );
  }
  return function chooseLanguage(context, next) {
    const { request } = context;
    const language = choose(context) ?? languageOf(request);
    languageSlot.set(request, language);
    return next({ ...context, language });
  };
}

/** The language for the range with the largest weight that has one; null for none. */
function findLanguage(
  weights: ReadonlyMap<string, number>,
  languages: readonly Language[],
): Language | null {
  const offered = languages.filter(({ code }) => weights.get(code.toLowerCase()) !== 0);
  const ranges = [...weights]
    .filter(([, weight]) => weight > 0)
    .sort(([, one], [, other]) => other - one);
  for (const [range] of ranges) {
    const found = range === '*' ? offered[0] : lookUp(range, offered);
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * The range, and then what is left of it without its last parts: `de-CH-1996`, `de-CH`, `de`. Each also finds the
 * language of a region (RFC 4647 section 3.3.1): `en`, and so `en-US`, finds `en-GB`. Of several, that in the script of
 * the range comes first: `zh-HK` finds `zh-Hant`.
 */
function lookUp(range: string, languages: readonly Language[]): Language | undefined {
  for (let end = range.length; end > 0; end = range.lastIndexOf('-', end - 1)) {
    const prefix = range.slice(0, end);
    const exact = languages.find(({ code }) => code.toLowerCase() === prefix);
    if (exact !== undefined) return exact;
    const others = languages.filter(({ code }) => code.toLowerCase().startsWith(`${prefix}-`));
    const script = others.length > 1 ? scriptOf(range) : null;
    const [first] = others;
    if (first !== undefined) return others.find(({ code }) => scriptOf(code) === script) ?? first;
  }
  return undefined;
}

/** Null for what is no language. */
function scriptOf(code: string): string | null {
  try {
    return new Intl.Locale(code).maximize().script ?? null;
  } catch {
    return null;
  }
}

/** Also the 304 of a page, which varies by cookie; that of a file does not. */
function varyByLanguage(response: Response): Response {
  const { status, headers } = response;
  const vary = String(headers['Vary'] ?? '');
  const isPage = String(headers['Content-Type'] ?? '').startsWith('text/html');
  if (!isPage && !(status === 304 && vary.includes('Cookie'))) return response;
  return withVary(response, 'Accept-Language');
}
