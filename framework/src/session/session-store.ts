/** Where sessions are kept. Every implementation passes the suite in session-store.contract.ts. */
import type { Awaitable } from '../awaitable.ts';
import type { Session } from './session.ts';

export interface SessionStore {
  /** The session under the key, ended or not: `loadSession` decides by its times. */
  find(key: string): Awaitable<Session | null>;
  /** Keeps a new session. When `replaced` is given, the session under that key ends in the same step. */
  create(session: Session, replaced: string | null): Awaitable<void>;
  /** Notes a later request of the session; nothing happens when it has ended meanwhile. */
  touch(key: string, seenAt: Date): Awaitable<void>;
  /** Ends a session; nothing happens when there is none. */
  delete(key: string): Awaitable<void>;
}
