/**
 * Carries out what a response makes of the session. However many changes there are, the store is
 * asked once: to create, to delete, to update, or to renew.
 *
 * The hard case: the session has ended meanwhile, in another tab. Then the changes are dropped and
 * the cookie is cleared; nothing brings a session back but a log-in. A store that fails takes away
 * the answer of the handler only where a session was to start, to end or to get a new id.
 */
import { HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { withAddedFlash, withReturnedFlashes } from './flash.ts';
import { endOf, type Lifetime } from './lifetime.ts';
import { LOG_IN_CHALLENGE } from './require-session.ts';
import { createToken, type Flash, type Session, toSessionKey } from './session.ts';
import type { KnownChange } from './session-change.ts';
import { withoutSessionCookie, withSessionCookie } from './session-cookie.ts';
import type { SessionStore } from './session-store.ts';
import { warnOfStore } from './store-warning.ts';

export interface Saving {
  readonly store: SessionStore;
  readonly lifetimeOf: (session: { readonly remembered: boolean }) => Lifetime;
  readonly now: () => Date;
}

export interface Visit {
  readonly request: Request;
  readonly found: Session | null;
  /** Whether the request's cookie leads to no session. */
  readonly stale: boolean;
  /** Messages that were taken for this page, and that it has not shown. */
  readonly returned: readonly Flash[];
}

/** What is to be stored, once every change has been looked at. */
interface Outcome {
  /** The token of a new cookie, or null when the old one stays. */
  readonly token: string | null;
  /** A session that starts now. */
  readonly created: Session | null;
  /** What becomes of the session that was found; null when it ends. */
  readonly update: ((session: Session) => Session) | null;
  /** The new key of the session that was found; null when it keeps the old one. */
  readonly renewedKey: string | null;
}

/**
 * Milliseconds that an old id goes on after the session got a new one: for reading, and for the same
 * form again, because the first answer, with the new cookie, may never arrive.
 */
export const GRACE = 10_000;

export function saveSession(
  saving: Saving,
  visit: Visit,
  { session, ...response }: Response,
): Promise<Response> {
  const changes = (session ?? []) as readonly KnownChange[];
  const start: Outcome = {
    token: null,
    created: null,
    update: (session) => withReturnedFlashes(session, visit.returned),
    renewedKey: null,
  };
  const outcome = changes.reduce(
    (before, change) => applyChange(saving, visit, before, change),
    start,
  );
  return store(saving, visit, outcome, response);
}

function applyChange(saving: Saving, visit: Visit, before: Outcome, change: KnownChange): Outcome {
  switch (change.kind) {
    case 'start': {
      const token = createToken();
      const created = createSession(saving, visit, token, change);
      return { token, created, update: null, renewedKey: null };
    }
    case 'end':
      return { token: null, created: null, update: null, renewedKey: null };
    case 'renew': {
      const token = createToken();
      const key = toSessionKey(token);
      const { created } = before;
      return created === null
        ? { ...before, token, renewedKey: key }
        : { ...before, token, created: { ...created, key } };
    }
    case 'flash':
      return edit(before, (session) => withAddedFlash(session, change.flash));
    case 'draft':
      return edit(before, (session) => ({ ...session, draft: change.draft }));
    case 'data':
      return edit(before, (session) => ({
        ...session,
        data: toJson({ ...session.data, ...change.data }),
      }));
  }
}

/** Changes the session that there will be, if there will be one. */
function edit(before: Outcome, change: (session: Session) => Session): Outcome {
  const { created, update } = before;
  return {
    ...before,
    created: created === null ? null : change(created),
    update: update === null ? null : (session) => change(update(session)),
  };
}

function createSession(
  { lifetimeOf, now }: Saving,
  { request, found }: Visit,
  token: string,
  { user, remembered, draft, data }: KnownChange & { readonly kind: 'start' },
): Session {
  const time = now();
  const times = { startedAt: time, seenAt: time };
  // Whoever logs in once more, in another tab, still has what waits to be saved.
  const waiting = found?.user.id === user.id ? found.draft : null;
  return {
    key: toSessionKey(token),
    user,
    data: toJson(data),
    ...times,
    endsAt: endOf(times, lifetimeOf({ remembered })),
    remembered,
    agent: toAgent(request.headers['user-agent'] ?? ''),
    address: request.address,
    flashes: [],
    draft: draft ?? waiting,
    superseded: false,
  };
}

/** As it comes back from a store that keeps text, whatever the store. */
function toJson(data: object): Session['data'] {
  return JSON.parse(JSON.stringify(data));
}

/** Only for people to recognise their browser by; it proves nothing. */
function toAgent(header: string): string {
  return header
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, 200);
}

async function store(
  { store, lifetimeOf, now }: Saving,
  { request, found, stale }: Visit,
  { token, created, update, renewedKey }: Outcome,
  response: Response,
): Promise<Response> {
  const withToken = (session: Session, time: Date): Response => {
    if (token === null) return response;
    const left = session.startedAt.getTime() + lifetimeOf(session).absolute - time.getTime();
    return withSessionCookie(response, request, token, left);
  };
  if (created !== null) {
    if (!(await store.create(created, found?.key ?? null))) throw refuseStart();
    return withToken(created, created.startedAt);
  }
  if (found === null) {
    return stale || update === null ? withoutSessionCookie(response, request) : response;
  }
  if (update === null) {
    await store.delete(found.key);
    return withoutSessionCookie(response, request);
  }
  try {
    const updated =
      renewedKey === null
        ? await store.update(found.key, update)
        : await store.renew(found.key, (current) => {
            const renewed = { ...update(current), key: renewedKey, superseded: false };
            return {
              // The end of a session that was superseded before is that of its old id.
              renewed: { ...renewed, endsAt: endOf(renewed, lifetimeOf(renewed)) },
              superseded: supersede(current, now()),
            };
          });
    return updated === null ? withoutSessionCookie(response, request) : withToken(updated, now());
  } catch (error) {
    // The handler has done its work: only messages and the draft are lost, unless the id was to change.
    if (token !== null) throw error;
    warnOfStore(error);
    return response;
  }
}

/** What is left under the old id, and ends soon. */
function supersede(session: Session, time: Date): Session {
  const end = Math.min(session.endsAt.getTime(), time.getTime() + GRACE);
  return { ...session, superseded: true, endsAt: new Date(end), flashes: [], draft: null };
}

/** The password was right when it was checked. */
function refuseStart(): HttpError {
  return new HttpError(
    401,
    'Your password was changed, or your account was disabled, while you were logging in.',
    { headers: LOG_IN_CHALLENGE },
  );
}
