/**
 * Applies the changes that a response makes to the session. However many there are, the store gets
 * at most one call: create, delete, update or renew.
 *
 * If the session has ended meanwhile, in another tab, the changes are dropped: only a log-in starts a session. Only a
 * log-out clears the cookie, because a log-in in another tab may have set it anew. An error of the store replaces the
 * response only where the session was to start, to end or to get a new id.
 */
import { HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { withAddedFlash, withShownFlashes } from './flash.ts';
import { endOf, type Lifetime } from './lifetime.ts';
import { LOG_IN_CHALLENGE } from './require-session.ts';
import type { Flash, Session } from './session.ts';
import type { KnownChange } from './session-change.ts';
import { tokensOfOthers, withSessionCookie } from './session-cookie.ts';
import type { SessionStore } from './session-store.ts';
import { warnOfStore } from './store-warning.ts';
import { createToken, toTokenKey } from './token.ts';

export interface Saving {
  readonly store: SessionStore;
  readonly lifetimeOf: (session: { readonly remembered: boolean }) => Lifetime;
  readonly now: () => Date;
  readonly onStarted: ((request: Request, session: Session) => void) | undefined;
}

export interface Visit {
  readonly request: Request;
  readonly found: Session | null;
  /** Messages that the response shows. */
  readonly shown: readonly Flash[];
  /** Where the page of messages has led on to; null if it has not. */
  readonly movedTo: string | null;
}

export interface Saved {
  readonly response: Response;
  /** Messages that no session can store: they are for a visitor. */
  readonly unsaved: readonly Flash[];
  /** Messages that are in the session now. */
  readonly awaited: readonly Pick<Flash, 'id'>[];
}

/** What to store, after all changes. */
interface Outcome {
  /** The token of a new cookie; null to leave the cookie as it is. */
  readonly token: string | null;
  /** The new session, when one starts. */
  readonly created: Session | null;
  /** Changes the session of the request; null when it ends. */
  readonly update: ((session: Session) => Session) | null;
  /** The new key of the session of the request; null to leave its key as it is. */
  readonly renewedKey: string | null;
  /** The messages so far that no session gets, and those that a session gets. */
  readonly unsaved: readonly Flash[];
  readonly awaited: readonly Pick<Flash, 'id'>[];
}

/**
 * Milliseconds for which the old id of a renewed session can still read and repeat a form. The
 * response with the new cookie may never arrive.
 */
export const GRACE = 10_000;

export async function saveSession(
  saving: Saving,
  visit: Visit,
  { session, ...response }: Response,
): Promise<Saved> {
  const changes = (session ?? []) as readonly KnownChange[];
  const start: Outcome = {
    token: null,
    created: null,
    update: (session) => withShownFlashes(session, visit.request, visit.shown, visit.movedTo),
    renewedKey: null,
    unsaved: [],
    awaited: [],
  };
  const outcome = changes.reduce(
    (before, change) => applyChange(saving, visit, before, change),
    start,
  );
  const { unsaved, awaited } = outcome;
  const mustWrite =
    visit.movedTo !== null ||
    visit.shown.some(({ isShown = false }) => !isShown) ||
    changes.some(({ kind }) => kind !== 'await');
  const saved = mustWrite ? await saveOutcome(saving, visit, outcome, response) : response;
  return { response: saved, unsaved, awaited };
}

function applyChange(saving: Saving, visit: Visit, before: Outcome, change: KnownChange): Outcome {
  switch (change.kind) {
    case 'start': {
      const token = createToken();
      const session = createSession(saving, visit, token, change);
      // A message that stands before the log-in of the same response is not lost.
      const created = before.unsaved.reduce(withAddedFlash, session);
      const awaited = before.unsaved;
      return { token, created, update: null, renewedKey: null, unsaved: [], awaited };
    }
    case 'end':
      return { ...before, token: null, created: null, update: null, renewedKey: null, awaited: [] };
    case 'renew': {
      const token = createToken();
      const key = toTokenKey(token);
      const { created } = before;
      return created === null
        ? { ...before, token, renewedKey: key }
        : { ...before, token, created: { ...created, key } };
    }
    case 'flash': {
      const { flash, isFallback = false } = change;
      const isForVisitor =
        before.created === null && (visit.found === null || before.update === null);
      return isForVisitor
        ? { ...before, unsaved: [...before.unsaved, flash] }
        : edit(addAwaited(before, flash), (session) =>
            isFallback && session.flashes.some(({ path }) => path === flash.path)
              ? session
              : withAddedFlash(session, flash),
          );
    }
    case 'await':
      return addAwaited(before, change.flash);
    case 'draft':
      return edit(before, (session) => ({ ...session, draft: change.draft }));
  }
}

function addAwaited(before: Outcome, flash: Pick<Flash, 'id'>): Outcome {
  return { ...before, awaited: [...before.awaited, flash] };
}

/** Applies a change to the session that the response leaves, if it leaves one. */
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
  { user, remembered, draft }: KnownChange & { readonly kind: 'start' },
): Session {
  const time = now();
  const times = { startedAt: time, seenAt: time };
  // A user who logs in again, in another tab, keeps the draft.
  const waiting = found?.user.id === user.id ? found.draft : null;
  return {
    key: toTokenKey(token),
    user,
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

/** The browser's name for the user to recognise. The client sent it, so it proves nothing. */
function toAgent(header: string): string {
  return header
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, 200);
}

async function saveOutcome(
  { store, lifetimeOf, now, onStarted }: Saving,
  { request, found }: Visit,
  { token, created, update, renewedKey }: Outcome,
  response: Response,
): Promise<Response> {
  const others =
    token === null && update !== null
      ? []
      : await tokensOfOthers(request, store, found?.key ?? null);
  const withToken = (session: Session, time: Date): Response => {
    if (token === null) return response;
    const maxAge = session.startedAt.getTime() + lifetimeOf(session).absolute - time.getTime();
    return withSessionCookie(response, request, [token, ...others], maxAge);
  };
  if (created !== null) {
    if (!(await store.create(created, found?.key ?? null))) throw refuseStart();
    onStarted?.(request, created);
    return withToken(created, created.startedAt);
  }
  // The cookie may be that of another site on this host.
  if (found === null) return response;
  if (update === null) {
    await store.delete(found.key);
    const maxAge = lifetimeOf({ remembered: true }).absolute;
    return withSessionCookie(response, request, others, maxAge);
  }
  try {
    const updated =
      renewedKey === null
        ? await store.update(found.key, update)
        : await store.renew(found.key, (current) => {
            const renewed = { ...update(current), key: renewedKey, superseded: false };
            return {
              // A session that was superseded already ends soon; the renewed one must not.
              renewed: { ...renewed, endsAt: endOf(renewed, lifetimeOf(renewed)) },
              superseded: supersede(current, now()),
            };
          });
    return updated === null ? response : withToken(updated, now());
  } catch (error) {
    // The handler has changed its data, so its response must be sent. A flash or a draft
    // may be lost; only a new id is worth an error.
    if (token !== null) throw error;
    warnOfStore(error);
    return response;
  }
}

/** The session under its old id. It ends after `GRACE`. */
function supersede(session: Session, time: Date): Session {
  const end = Math.min(session.endsAt.getTime(), time.getTime() + GRACE);
  return { ...session, superseded: true, endsAt: new Date(end), flashes: [], draft: null };
}

/** The store refuses a session when the account changed after the password was checked. */
function refuseStart(): HttpError {
  return new HttpError(401, ({ words }) => words.accountChanged, { headers: LOG_IN_CHALLENGE });
}
