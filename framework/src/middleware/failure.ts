/** What went wrong, in words that the error pages of all sites share; the layout is the site's own. */

import { randomUUID } from 'node:crypto';
import type { Context } from '../chain/context.ts';
import { formOfRequest } from '../form/form-of.ts';
import { HttpError } from '../http/http-error.ts';
import { languageOf } from '../http/request-language.ts';
import type { StatusTexts, Words } from '../language/words.ts';
import { ownKeySlot } from '../session/form-key.ts';
import { mismatchSlot } from './refuse-cross-origin.ts';

/** The data of an error page. */
export interface Failure {
  readonly status: number;
  /** What the status means to the user: a heading. */
  readonly title: string;
  /** What happened, for the user to read; null for an unexpected error. */
  readonly message: string | null;
  /** What became of a form that was sent. */
  readonly outcome: string;
  /** Whether the form may have been saved despite the error. True for every unexpected error. */
  readonly mayBeSaved: boolean;
  /** Whether another site seems to have sent the request: then no form of yours may hold what it sent. */
  readonly isCrossOrigin: boolean;
  /**
   * Whether the page of a form may repeat what was typed. False if another site may have filled in the form
   * or may be meant to get it, or if somebody guesses passwords.
   */
  readonly returnsTyped: boolean;
  /** Whether the page of a form may offer to send it again, with `readAgain` and `againForm`. */
  readonly mayHelpAgain: boolean;
  /** Words for the operator, which are in the log, and belong on no page for visitors; or null. */
  readonly reason: string | null;
  /** The reference of the error in the log. */
  readonly id: string;
  /** Whether the log says more than the page, which should then show the reference. */
  readonly isInLog: boolean;
}

/** It may help to wait. A form of another account has a key of its own with which the user may send it. */
const AGAIN: ReadonlySet<number> = new Set([429, 503]);

export function toFailure(thrown: unknown, context: Context): Failure {
  const language = languageOf(context.request);
  const { words } = language;
  const isRefusal = thrown instanceof HttpError;
  const status = isRefusal ? thrown.status : 500;
  const mayBeSaved = isRefusal ? thrown.mayBeSaved : true;
  const reason = isRefusal ? thrown.reason : null;
  const isCrossOrigin = mismatchSlot.of(context.request) !== null;
  const returnsTyped = status !== 421 && !isCrossOrigin && !mayBeGuess(status, context);
  return {
    status,
    title: isCrossOrigin && status === 403 ? words.crossOriginTitle : textFor(status, words.titles),
    message: isRefusal ? thrown.messageIn(language) : null,
    outcome: outcomeOf(words, status, mayBeSaved),
    mayBeSaved,
    isCrossOrigin,
    returnsTyped,
    mayHelpAgain: returnsTyped && (AGAIN.has(status) || ownKeySlot.of(context.request) !== null),
    reason,
    id: randomUUID(),
    isInLog: status >= 500 || reason !== null,
  };
}

/** Too many forms with a password. */
function mayBeGuess(status: number, context: Context): boolean {
  return status === 429 && (formOfRequest(context)?.definition?.hasSecret ?? false);
}

/** The text for the status, or else the one for all others. */
export function textFor(status: number, texts: StatusTexts): string {
  return (texts as Readonly<Record<number, string>>)[status] ?? texts.other;
}

function outcomeOf(words: Words, status: number, mayBeSaved: boolean): string {
  if (!mayBeSaved) return words.nothingSaved;
  return status === 503 ? words.unknownIfSaved : words.checkIfSaved;
}
