/** Where sessions are kept. Every implementation passes the suite in session-store.contract.ts. */
import type { Awaitable } from '../http/awaitable.ts';
import type { Session, SessionUser } from './session.ts';

/** Its types reach the handlers: `loadSession({ store })` adds a `Session<User, Data>`. */
export interface SessionStore<User extends SessionUser = SessionUser, Data = unknown> {
  /** The session under the key, ended by its time or not: `loadSession` decides by its times. */
  find(key: string): Awaitable<Session<User, Data> | null>;
  /**
   * Keeps a new session. When `replaced` is given, the session under that key ends in the same step.
   * Sessions whose `endsAt` passed before this one starts may be removed. A store that lasts does so
   * late, because the clock may be wrong and set right again. False, and nothing is changed, when the
   * user may not log in any more, or has another `version` than the one given.
   */
  create(session: Session<User, Data>, replaced: string | null): Awaitable<boolean>;
  /**
   * The only way to change a stored session: reads it, applies `change` and writes the result, in
   * one step that no other request's change can fall into. What comes back is the session as it is
   * now, or null when there is none under the key: then nothing is written. `change` may run more
   * than once, and only its last result counts. It may give the session another key; user and start
   * stay.
   */
  update(
    key: string,
    change: (session: Session<User, Data>) => Session<User, Data>,
  ): Awaitable<Session<User, Data> | null>;
  /**
   * Like `update`, but afterwards there are two sessions: `renewed` under its own key, which comes
   * back, and `superseded` under the old key. When all sessions of the user end, both do.
   */
  renew(
    key: string,
    change: (session: Session<User, Data>) => {
      readonly renewed: Session<User, Data>;
      readonly superseded: Session<User, Data>;
    },
  ): Awaitable<Session<User, Data> | null>;
  /** Ends a session; nothing happens when there is none. */
  delete(key: string): Awaitable<void>;
  /**
   * Ends every session of the user, superseded ones too, but the one under `exceptKey` when it is
   * given. A session that is being renewed meanwhile ends under both keys.
   */
  deleteAll(userId: User['id'], exceptKey?: string): Awaitable<void>;
  /** The user's sessions that have not ended at `now`, the latest seen first; no superseded ones. */
  list(userId: User['id'], now: Date): Awaitable<readonly Session<User, Data>[]>;
}
