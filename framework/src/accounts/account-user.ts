/** The users of accounts as the site knows them: with the columns of the option `user`. */
import type { Connection, Value, WriteTransaction } from '../database/database.ts';
import type { Table } from '../database/tables.ts';
import type { AccountUser } from './account.ts';
import type { CheckedOptions, ShownPerson } from './account-options.ts';
import { TABLES } from './account-tables.ts';

const COLUMNS = 'id,username,email,role,version,password_expires_at,second_factor'.split(',');

type Row = Readonly<Record<string, Value>>;

export function userColumns({ user }: Pick<CheckedOptions, 'user'>): readonly string[] {
  return [...COLUMNS, ...(user?.columns ?? [])];
}

export function toUser(
  { user: more, secondFactorFor }: Pick<CheckedOptions, 'user' | 'secondFactorFor'>,
  row: Row,
): AccountUser {
  const user = toPlainUser(row, secondFactorFor);
  return { ...user, ...(more?.toUser(row) as object | undefined) };
}

function toPlainUser(row: Row, secondFactorFor: readonly string[]): AccountUser {
  const { username, email, role, version } = row;
  const user = {
    id: Number(row['id']),
    name: String(username),
    email: email === null ? null : String(email),
    role: String(role),
    version: String(version),
    hasSecondFactor: row['second_factor'] === 1,
  };
  if (row['password_expires_at'] !== null) return { ...user, must: 'choose a password' };
  const lacksFactor = !user.hasSecondFactor && secondFactorFor.includes(user.role);
  return lacksFactor ? { ...user, must: 'add a second factor' } : user;
}

export interface People {
  readonly find: (id: number, connection?: Connection) => Promise<ShownPerson | null>;
  /**
   * By username, after the person `from`, or before, the nearest first. With `canLogIn`, those who are disabled are not
   * there, and nothing follows them: an address tells nothing of them.
   */
  readonly list: (place: {
    readonly from: number | null;
    readonly limit: number;
    readonly isBackwards: boolean;
    readonly canLogIn: boolean;
  }) => Promise<readonly ShownPerson[]>;
  /** Those who can log in with the role. */
  readonly withRole: (role: string, limit: number) => Promise<readonly ShownPerson[]>;
}

export function createPeople(
  table: Table<WriteTransaction>,
  options: Pick<CheckedOptions, 'user' | 'secondFactorFor' | 'tables'>,
): People {
  const { accounts } = options.tables ?? TABLES;
  const columns = new Set([...userColumns(options), 'created_at', 'disabled_at']);
  const select = `select ${[...columns].join()} from ${accounts}`;
  const toPerson = (row: Row): ShownPerson => {
    const { id, name: username, email, role } = toPlainUser(row, []);
    const createdAt = new Date(String(row['created_at']));
    const disabledAt = row['disabled_at'] === null ? null : new Date(String(row['disabled_at']));
    return { id, username, email, role, createdAt, disabledAt, user: toUser(options, row) };
  };
  return {
    async find(id, connection) {
      const sql = `${select} where id = ?`;
      const rows =
        connection === undefined
          ? await table.read<Row>(sql, [id])
          : (await connection.run<Row>(sql, [id])).rows;
      return rows[0] === undefined ? null : toPerson(rows[0]);
    },
    async list({ from, limit, isBackwards, canLogIn }) {
      const [sign, order] = isBackwards ? ['<', 'desc'] : ['>', 'asc'];
      const listed = canLogIn ? 'disabled_at is null' : '1 = 1';
      const place = `and username_key ${sign} (select username_key from ${accounts} where id = ? and ${listed})`;
      const rows = await table.read<Row>(
        `${select} where ${listed} ${from === null ? '' : place} order by username_key ${order} limit ?`,
        [...(from === null ? [] : [from]), limit],
      );
      return rows.map(toPerson);
    },
    async withRole(role, limit) {
      const rows = await table.read<Row>(
        `${select} where role = ? and disabled_at is null order by username_key limit ?`,
        [role, limit],
      );
      return rows.map(toPerson);
    },
  };
}
