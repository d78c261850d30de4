/** Sessions in memory: for tests and examples. They end with the process. */
import type { Session } from './session.ts';
import type { SessionStore } from './session-store.ts';

export function createMemorySessionStore(): SessionStore {
  const sessions = new Map<string, Session>();
  return {
    find: (key) => sessions.get(key) ?? null,
    create(session, replaced) {
      if (replaced !== null) sessions.delete(replaced);
      sessions.set(session.key, session);
    },
    touch(key, seenAt) {
      const session = sessions.get(key);
      if (session !== undefined) sessions.set(key, { ...session, seenAt });
    },
    delete(key) {
      sessions.delete(key);
    },
  };
}
