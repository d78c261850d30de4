/**
 * The stores of the site: the framework's sessions and receipts, in the application's tables. The user of a session
 * is read with it, so a new name or role counts from the next request.
 *
 * A decision that depends on a session, or ends sessions, first locks the row of the account, as the store does for
 * a log-in and a new id. So it sees both rows of a session that is being renewed, or neither.
 */
import { createStores } from 'seeother/database';
import type { FileStore } from 'seeother/files';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import { toRole } from '../site/role.ts';
import type { SessionUser } from '../site/session-user.ts';
import { deleteNotices } from './account-notice.ts';
import { isCurrent } from './account-version.ts';

export type Stores = ReturnType<typeof openStores>;
export type Sessions = Stores['sessions'];

/** Told of files that cannot be removed. */
export type StoreReport = (entry: { readonly message: string; readonly error?: unknown }) => void;

export function openStores(
  { door, write }: Pick<Database, 'door' | 'write'>,
  fileStore?: FileStore,
  report?: StoreReport,
) {
  return createStores<SessionUser, KyselyTransaction>(
    { ...door, write },
    {
      receipts: 'receipts',
      ...(fileStore === undefined ? {} : { fileStore }),
      ...(report === undefined ? {} : { report }),
      sessions: {
        table: 'sessions',
        userId: 'account_id',
        users: 'accounts',
        columns: ['id', 'username', 'role', 'password_expires_at', 'display_name', 'list_view'],
        toUser({ id, username, role, password_expires_at, display_name, list_view }) {
          const names = display_name === null ? {} : { displayName: String(display_name) };
          const chosen = list_view === '' ? {} : { listView: String(list_view) };
          const account = { id: Number(id), name: String(username), role: toRole(String(role)) };
          const user = { ...account, ...names, ...chosen };
          return password_expires_at === null ? user : { ...user, mustChangePassword: true };
        },
        async admit(transaction, { user }) {
          const { id, version, notices = [] } = user;
          if (version !== undefined && !(await isCurrent(transaction, id, version))) return false;
          await deleteNotices(transaction, id, notices);
          return true;
        },
      },
    },
  );
}

/** Ends the sessions of an account, except the one under `exceptKey`. */
export async function deleteSessionsOf(
  transaction: KyselyTransaction,
  accountId: number,
  exceptKey: string | null,
): Promise<void> {
  const sessions = transaction.deleteFrom('sessions').where('account_id', '=', accountId);
  await (exceptKey === null ? sessions : sessions.where('key', '!=', exceptKey)).execute();
}

/** Whether the session exists and is not superseded. */
export async function isOpenSession(
  transaction: KyselyTransaction,
  accountId: number,
  key: string,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('sessions')
    .select('key')
    .where('key', '=', key)
    .where('account_id', '=', accountId)
    .where('superseded', '=', 0)
    .executeTakeFirst();
  return row !== undefined;
}
