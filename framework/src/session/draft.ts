/**
 * A draft: what was typed into a form that was sent without a session. It is kept whole in the
 * session that the log-in starts, and shown on its page, until that form is carried out.
 */
import { isSafe, type Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import type { Draft } from './session.ts';

/**
 * Whether the answer says that the form of the draft was carried out: then nobody needs it any more.
 * Its key tells it from another form that was sent to the same place, from another tab.
 */
export function isCarriedOut(draft: Draft | null, request: Request, answer: Response): boolean {
  if (draft === null || isSafe(request) || answer.status !== 303) return false;
  if (draft.action !== toPath(request.target)) return false;
  return draft.once === null || draft.once === request.state.formKey;
}

/** The path of a request's target, without the query, as it was sent. */
export function toPath(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}
