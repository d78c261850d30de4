/** The stores of a site in one database. */

import type { ValueStore } from '../form/value-store.ts';
import { describeValue } from '../http/check-options.ts';
import { writeReport } from '../middleware/error-report.ts';
import type { ReceiptStore } from '../once/receipt-store.ts';
import type { SessionUser } from '../session/session.ts';
import type { SessionStore, SessionsInTransaction } from '../session/session-store.ts';
import { createFolder } from '../upload/create-folder.ts';
import type { FileStore } from '../upload/file-store.ts';
import { Files } from '../upload/files.ts';
import type { Database, WriteTransaction } from './database.ts';
import { createFileRecords } from './file-records.ts';
import { createReceiptStore } from './receipt-store.ts';
import { createSessionStore, type SessionTable } from './session-store.ts';
import { createValueStore } from './value-store.ts';

/** Tables of your own for the stores of a site, and the place of its files. */
export interface StoreOptions<User extends SessionUser, Transaction> {
  readonly sessions?: SessionTable<User, Transaction>;
  /** Its SQL name. It has the columns of `seeother_receipts`. */
  readonly receipts?: string;
  /** Where the bytes of files are; by default in the folder `files` of the working directory. */
  readonly fileStore?: FileStore;
  /** Told when expired files cannot be removed. By default it writes to standard error. */
  readonly report?: (entry: { readonly message: string; readonly error?: unknown }) => void;
}

/**
 * The stores for `createSite`: sessions, receipts, values and files, in tables that are created when they are first
 * used. What a form writes, its receipt and its message are one transaction.
 */
export function createStores<
  User extends SessionUser = SessionUser,
  Transaction extends WriteTransaction = WriteTransaction,
>(
  database: Database<Transaction>,
  options: StoreOptions<User, Transaction> = {},
): {
  readonly sessions: SessionStore<User> & SessionsInTransaction<Transaction>;
  readonly receipts: ReceiptStore<Transaction>;
  readonly values: ValueStore<Transaction>;
  readonly files: Files<Transaction>;
} {
  if (typeof database?.write !== 'function') {
    throw new TypeError(
      `Cannot make stores of ${describeValue(database)}: pass an open database, createStores(await openSqlite(file)).`,
    );
  }
  return {
    sessions: createSessionStore<User, Transaction>(database, options.sessions ?? null),
    receipts: createReceiptStore(database, options.receipts ?? null),
    values: createValueStore(database),
    files: new Files(
      options.fileStore ?? createFolder('files'),
      createFileRecords(database),
      options.report ?? writeReport,
    ),
  };
}
