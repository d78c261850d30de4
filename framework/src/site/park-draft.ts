/**
 * Carries a form through the log-in, whatever pages that has: the text is parked as its files are, under a key that is
 * in the address of the form's page. The log-in leads there by `next`, and the text moves to the session. Whoever has
 * the key gets the text, so it is a secret, and it is in no address that stays in the history.
 */

import { hash, randomBytes } from 'node:crypto';
import type { Context, Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { readDraft, serializeDraft } from '../form/carry-draft.ts';
import { toPageAddress } from '../form/form-address.ts';
import { formOfRequest } from '../form/form-of.ts';
import { type Href, localPath } from '../http/href.ts';
import { isSafe } from '../http/request.ts';
import { seeOther, withSession } from '../http/response.ts';
import type { PathParams } from '../router/pattern.ts';
import { logInPathSlot } from '../session/require-session.ts';
import type { Draft, SessionContext } from '../session/session.ts';
import { keepDraft } from '../session/session-change.ts';
import { VISITOR_PARKED } from '../upload/parking.ts';
import { requireUploads } from '../upload/upload-limits.ts';
import type { StoresContext } from './stores.ts';

const NAME = '_draft';

export interface LogIn {
  /** The log-in form, which leads to the page of the refused form. */
  readonly path: Href;
  /** Whether that page is filled then. */
  readonly isFilled: boolean;
}

/** Parks the form of a request that needs a log-in. Without a place for it, the page of the form is empty. */
export async function parkDraft(context: Context): Promise<LogIn> {
  const { request, stores } = context as Context & StoresContext<unknown>;
  const draft = await readDraft(context);
  const place = draft === null ? null : await takePlace(context, serializeDraft(draft).length);
  let next = draft?.path ?? pageOf(context);
  let isFilled = false;
  if (draft !== null && place?.isTaken === true) {
    const key = randomBytes(16).toString('base64url');
    const expiresAt = new Date(Date.now() + VISITOR_PARKED);
    try {
      await stores.values.put(toId(key), draft, expiresAt);
      next += `${next.includes('?') ? '&' : '?'}${NAME}=${key}`;
      isFilled = true;
    } catch {
      place.giveBack();
    }
  }
  const path = localPath(`${logInPathSlot.of(request)}?next=${encodeURIComponent(next)}`);
  return { path, isFilled };
}

function pageOf(context: Context): string {
  const { request } = context;
  const { params } = context as { readonly params?: PathParams };
  const form = formOfRequest(context);
  return isSafe(request) || form === null
    ? request.target
    : toPageAddress(form, request.target, params);
}

async function takePlace({ request }: Context, length: number) {
  const { parking } = requireUploads(request, 'park a draft');
  const toPlace = await parking.open({ request, owner: null, isRefused: true });
  const place = toPlace();
  place.take(length);
  parking.settle(place);
  return place;
}

/** Moves a parked draft to the session, and leads to the page without its key. It stands behind the session. */
export const claimDraft: Middleware<Pick<SessionContext, 'session'> & StoresContext<unknown>> =
  describeMiddleware(
    function claimDraft(context, next) {
      const { request, session, stores } = context;
      // Most requests have no such query, which is not parsed for it.
      if (!request.search.includes(`${NAME}=`) || !isSafe(request) || !session)
        return next(context);
      const kept = new URLSearchParams(request.query);
      const key = kept.get(NAME) ?? '';
      kept.delete(NAME);
      const [path = '/'] = request.target.split('?');
      const page = seeOther(localPath(kept.size === 0 ? path : `${path}?${kept}`));
      return stores.values
        .find(toId(key))
        .then((draft) => (draft === null ? page : withSession(page, keepDraft(draft as Draft))));
    },
    { needs: ['session', 'stores'], adds: [] },
  );

function toId(key: string): string {
  return `draft:${hash('sha256', key, 'base64url')}`;
}
