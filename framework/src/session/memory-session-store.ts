/** Each operation is synchronous, and so atomic: no request sees half of another one's change. */
import type { Session, SessionUser } from './session.ts';
import type { SessionStore } from './session-store.ts';

/** Sessions in the memory of this process, for tests and examples. They end with it. */
export function createMemorySessionStore<
  User extends SessionUser = SessionUser,
>(): SessionStore<User> {
  const sessions = new Map<string, Session<User>>();
  return {
    find: (key) => sessions.get(key) ?? null,
    create(session, replaced) {
      for (const [key, { endsAt }] of sessions) {
        if (endsAt <= session.startedAt) sessions.delete(key);
      }
      if (replaced !== null) sessions.delete(replaced);
      sessions.set(session.key, session);
      return true;
    },
    update(key, change) {
      const session = sessions.get(key);
      if (session === undefined) return null;
      const changed = change(session);
      if (changed.key !== key) sessions.delete(key);
      sessions.set(changed.key, changed);
      return changed;
    },
    renew(key, change) {
      const session = sessions.get(key);
      if (session === undefined) return null;
      const { renewed, superseded } = change(session);
      sessions.set(key, superseded);
      sessions.set(renewed.key, renewed);
      return renewed;
    },
    delete(key) {
      sessions.delete(key);
    },
    deleteAll(userId, exceptKey) {
      for (const { key, user } of sessions.values()) {
        if (user.id === userId && key !== exceptKey) sessions.delete(key);
      }
    },
    list: (userId, now) =>
      [...sessions.values()]
        .filter(({ superseded }) => !superseded)
        .filter(({ user, endsAt }) => user.id === userId && endsAt > now)
        .sort((one, other) => other.seenAt.getTime() - one.seenAt.getTime()),
  };
}
