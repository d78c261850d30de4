/** The stores of a site in one database. */
import type { SessionsInTransaction } from '../form/only-once.ts';
import type { ReceiptStore } from '../form/receipt-store.ts';
import { describeValue } from '../http/check-options.ts';
import type { SessionUser } from '../session/session.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { Connection, Database, WriteTransaction } from './database.ts';
import { createReceiptStore } from './receipt-store.ts';
import { createSessionStore } from './session-store.ts';

/**
 * The stores for `createSite`: sessions and receipts, in tables that are created when they are first used. What a
 * form writes, its receipt and its message are one transaction.
 */
export function createStores<User extends SessionUser = SessionUser, Data = unknown>(
  database: Database,
): {
  readonly sessions: SessionStore<User, Data> & SessionsInTransaction<Connection>;
  readonly receipts: ReceiptStore<WriteTransaction>;
} {
  if (typeof database?.write !== 'function') {
    throw new TypeError(
      `Cannot make stores of ${describeValue(database)}: pass an open database, createStores(await openSqlite(file)).`,
    );
  }
  return {
    sessions: createSessionStore<User, Data>(database),
    receipts: createReceiptStore(database),
  };
}
