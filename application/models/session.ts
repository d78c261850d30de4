/**
 * Sessions in the database, in the shape that the framework's session store has. The cookie's token
 * never gets here: a session is kept under its SHA-256.
 */
import type { Database } from '../database/database.ts';
import type { Account } from './account.ts';

export interface StoredSession {
  readonly key: string;
  readonly user: Account;
  readonly startedAt: Date;
  readonly seenAt: Date;
  readonly remembered: boolean;
}

export interface Sessions {
  readonly find: (key: string) => Promise<StoredSession | null>;
  readonly create: (session: StoredSession, replaced: string | null) => Promise<void>;
  readonly touch: (key: string, seenAt: Date) => Promise<void>;
  readonly delete: (key: string) => Promise<void>;
}

/** `longest` is the longest life of a session in milliseconds: older rows are removed at each log-in. */
export function createSessions(database: Database, longest: number): Sessions {
  return {
    async find(key) {
      const row = await database.read
        .selectFrom('sessions')
        .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
        .select(['started_at', 'seen_at', 'remembered', 'accounts.id', 'accounts.username'])
        .where('key', '=', key)
        .executeTakeFirst();
      if (row === undefined) return null;
      return {
        key,
        user: { id: row.id, username: row.username },
        startedAt: new Date(row.started_at),
        seenAt: new Date(row.seen_at),
        remembered: row.remembered === 1,
      };
    },
    create: (session, replaced) =>
      database.write(async (transaction) => {
        const now = session.startedAt.toISOString();
        await transaction.deleteFrom('sessions').where('ends_at', '<', now).execute();
        if (replaced !== null)
          await transaction.deleteFrom('sessions').where('key', '=', replaced).execute();
        await transaction
          .insertInto('sessions')
          .values({
            key: session.key,
            account_id: session.user.id,
            started_at: session.startedAt.toISOString(),
            seen_at: session.seenAt.toISOString(),
            ends_at: new Date(session.startedAt.getTime() + longest).toISOString(),
            remembered: session.remembered ? 1 : 0,
          })
          .execute();
      }),
    touch: (key, seenAt) =>
      database.write(async (transaction) => {
        await transaction
          .updateTable('sessions')
          .set({ seen_at: seenAt.toISOString() })
          .where('key', '=', key)
          .execute();
      }),
    delete: (key) =>
      database.write(async (transaction) => {
        await transaction.deleteFrom('sessions').where('key', '=', key).execute();
      }),
  };
}
