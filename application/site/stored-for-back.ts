/**
 * Headers of a page with a form that somebody types into. Back shows the form with the typed text and the
 * same key. With `no-store`, Firefox would discard the text, and Chromium would load a new form. A log-out
 * clears stored pages: see `forgetPages`.
 */
import type { Response } from 'seeother';

const STORED_FOR_BACK = { 'Cache-Control': 'private, no-cache', Vary: 'Cookie' } as const;

/** The page gets no entity tag, so a link to it loads a new form with a new key. */
export function storedForBack<R extends Response>(answer: R): R {
  return { ...answer, headers: { ...answer.headers, ...STORED_FOR_BACK } };
}
