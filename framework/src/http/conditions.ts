/**
 * The conditions of a request, in the order of RFC 9110 section 13.2.2: one that fails is a 412; a copy of the client
 * that is still current is a 304.
 */
import { isAnyTag, listsStrongTag, listsTag } from './entity-tag.ts';
import { parseHttpDate } from './http-date.ts';
import type { Request } from './request.ts';
import { type PlainText, text } from './response.ts';

/** What tells one version of an answer from another. */
export interface Validators {
  readonly etag: string;
  /** In milliseconds, rounded down to seconds as in HTTP dates; null if it is not known. */
  readonly modifiedAt: number | null;
}

/** Null to send the answer. */
export function checkConditions(request: Request, validators: Validators): 412 | 304 | null {
  if (!isExpected(request, validators)) return 412;
  return isFresh(request, validators) ? 304 : null;
}

/** The answer to a condition that fails. */
export const PRECONDITION_FAILED: PlainText<412> = text(
  'The file is another one than the request expects.\n',
  412,
);

/** Evaluates `If-Match` or, without it, `If-Unmodified-Since`. */
function isExpected({ headers }: Request, { etag, modifiedAt }: Validators): boolean {
  const tags = headers['if-match'];
  if (tags !== undefined) return isAnyTag(tags) || listsStrongTag(tags, etag);
  const time = toTime(headers['if-unmodified-since']);
  return time === null || modifiedAt === null || time >= modifiedAt;
}

/** Evaluates `If-None-Match` or, without it, `If-Modified-Since`. */
function isFresh({ headers }: Request, { etag, modifiedAt }: Validators): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return listsTag(tags, etag) || isAnyTag(tags);
  const time = toTime(headers['if-modified-since']);
  return time !== null && modifiedAt !== null && time <= Date.now() && time >= modifiedAt;
}

function toTime(date: string | undefined): number | null {
  return date === undefined ? null : parseHttpDate(date);
}
