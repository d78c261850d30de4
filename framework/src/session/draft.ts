/**
 * A draft: the text of a form that was sent without a session. The log-in stores it in the new
 * session. The page of the form shows it until the form is carried out.
 */
import { isSafe, type Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { formKeySlot, withoutMark } from './form-key.ts';
import type { Draft } from './session.ts';

/**
 * Whether this response carried out the form of the draft, so that the draft can be dropped. The
 * idempotency key tells the form from another one that another tab sent to the same path.
 */
export function isCarriedOut(draft: Draft | null, request: Request, answer: Response): boolean {
  if (draft === null || isSafe(request) || answer.status !== 303) return false;
  if (draft.action !== toPath(request.target)) return false;
  return (
    draft.once === null || withoutMark(draft.once) === withoutMark(formKeySlot.of(request) ?? '')
  );
}

/** The path of a request's target, as sent (not decoded), without the query. */
export function toPath(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}
