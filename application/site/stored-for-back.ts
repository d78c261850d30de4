/**
 * Headers of a page with a form, for Back. A page of `formHandlers` has them already, unless its form has a password.
 * A log-out clears stored pages: see `forgetPages`.
 */
import type { Response } from 'seeother';

const STORED_FOR_BACK = { 'Cache-Control': 'private, no-cache', Vary: 'Cookie' } as const;

/** For a page that no browser may store, such as one with a secret. */
export const NOT_STORED = { 'Cache-Control': 'no-store' } as const;

/** The page gets no entity tag, so a link to it loads a new form with a new key. */
export function storedForBack<R extends Response>(answer: R): R {
  return { ...answer, headers: { ...answer.headers, ...STORED_FOR_BACK } };
}
