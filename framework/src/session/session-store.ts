/** The store of sessions. Every implementation passes the suite in session-store.contract.ts. */
import type { Awaitable } from '../http/awaitable.ts';
import type { Flash, Session, SessionUser } from './session.ts';

/** A session store that can also write within the transaction of a form: `onlyOnce` then stores the message in it. */
export interface SessionsInTransaction<Transaction> {
  /**
   * Changes the messages of a session within the given transaction, so that no change of another request is lost. Does
   * nothing when the key has no session.
   */
  changeFlashes(
    transaction: Transaction,
    key: string,
    change: (flashes: readonly Flash[]) => readonly Flash[],
  ): Promise<void>;
}

/**
 * Where sessions are stored. An implementation is tested by `describeSessionStore`. `loadSession({ store
 * })` adds a `Session<User>` with the type of the store to the context.
 */
export interface SessionStore<User extends SessionUser = SessionUser> {
  /** Returns expired sessions too: `loadSession` checks the times itself. */
  find(key: string): Awaitable<Session<User> | null>;
  /**
   * Stores a new session and, in the same transaction, deletes the one under the key `replaced`.
   * It may also delete sessions whose `endsAt` is before the start of this one. A persistent store
   * waits longer, because a wrong clock may be corrected. Returns false, and changes nothing, when
   * the user can no longer log in or has another `version` than the session.
   */
  create(session: Session<User>, replaced: string | null): Awaitable<boolean>;
  /**
   * The only way to change a stored session: reads it, applies `change` and writes the result
   * atomically. Returns the changed session, or null when the key has none. `change` may run more
   * than once; the store writes its last result. It may change the key, but not the user or
   * `startedAt`.
   */
  update(
    key: string,
    change: (session: Session<User>) => Session<User>,
  ): Awaitable<Session<User> | null>;
  /**
   * Like `update`, but stores two sessions: `renewed` under its own key, which it returns, and
   * `superseded` under the old key. `deleteAll` ends both.
   */
  renew(
    key: string,
    change: (session: Session<User>) => {
      readonly renewed: Session<User>;
      readonly superseded: Session<User>;
    },
  ): Awaitable<Session<User> | null>;
  /** Ends the session under the key, if there is one. */
  delete(key: string): Awaitable<void>;
  /**
   * Ends every session of the user, superseded ones too, except the one under `exceptKey`. A
   * session that another request renews at the same time ends under both keys.
   */
  deleteAll(userId: User['id'], exceptKey?: string): Awaitable<void>;
  /**
   * The user's sessions that are valid at `now`, most recently seen first, without superseded ones.
   */
  list(userId: User['id'], now: Date): Awaitable<readonly Session<User>[]>;
}
