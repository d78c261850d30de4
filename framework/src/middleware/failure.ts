/** What went wrong, in words that the error pages of all sites share; the layout is the site's own. */
import { randomUUID } from 'node:crypto';
import type { Context } from '../chain/context.ts';
import { formOfRequest } from '../form/form-of.ts';
import { HttpError } from '../http/http-error.ts';
import type { StatusTexts, Words } from '../language/words.ts';

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
  /**
   * Whether the page of a form may repeat what was typed. False if another site may have filled in the form
   * or may be meant to get it, if somebody guesses passwords, or if files would be received only to be refused.
   */
  readonly returnsTyped: boolean;
  /** Words for the operator, which are in the log, and belong on no page for visitors; or null. */
  readonly reason: string | null;
  /** The reference of the error in the log. */
  readonly id: string;
  /** Whether the log says more than the page, which should then show the reference. */
  readonly isInLog: boolean;
}

const RETURNS_NOTHING: ReadonlySet<number> = new Set([403, 421]);

export function toFailure(thrown: unknown, context: Context): Failure {
  const { language } = context.request.state;
  const { words } = language;
  const isRefusal = thrown instanceof HttpError;
  const status = isRefusal ? thrown.status : 500;
  const mayBeSaved = isRefusal ? thrown.mayBeSaved : true;
  const reason = isRefusal ? thrown.reason : null;
  return {
    status,
    title: textFor(status, words.titles),
    message: isRefusal ? thrown.messageIn(language) : null,
    outcome: outcomeOf(words, status, mayBeSaved),
    mayBeSaved,
    returnsTyped:
      !RETURNS_NOTHING.has(status) &&
      context.request.state.mismatch === null &&
      !mayBeGuess(status, context) &&
      !isUnreadUpload(status, context),
    reason,
    id: randomUUID(),
    isInLog: status >= 500 || reason !== null,
  };
}

/** Too many forms with a password. */
function mayBeGuess(status: number, context: Context): boolean {
  return status === 429 && (formOfRequest(context)?.definition.hasSecret ?? false);
}

/** A form with files that a limit has refused before it was read, to save what it takes to receive them. */
function isUnreadUpload(status: number, context: Context): boolean {
  if ((status !== 429 && status !== 503) || context.request.state.form !== null) return false;
  const receive = formOfRequest(context)?.definition.receive ?? null;
  return receive !== null;
}

/** The text for the status, or else the one for all others. */
export function textFor(status: number, texts: StatusTexts): string {
  return (texts as Readonly<Record<number, string>>)[status] ?? texts.other;
}

function outcomeOf(words: Words, status: number, mayBeSaved: boolean): string {
  if (!mayBeSaved) return words.nothingSaved;
  return status === 503 ? words.unknownIfSaved : words.checkIfSaved;
}
