/**
 * The data layer of all contenders: node:sqlite with prepared statements, WAL and synchronous=FULL, so
 * that an acknowledged commit survives a power loss. The statements are those of the application. Calls
 * block, as with any SQLite driver for Node.
 */
import { createHash } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { ItemInput } from './parse-item.ts';

export interface User {
  readonly id: number;
  readonly username: string;
}

export interface StoredSession {
  readonly user: User;
  readonly endsAt: Date;
}

export interface Item {
  readonly number: number;
  readonly name: string;
  readonly quantity: number;
  readonly location: string;
  readonly tags: readonly string[];
}

export interface ItemPage {
  /** Newest first. */
  readonly items: readonly Item[];
  readonly page: number;
  readonly pageCount: number;
  readonly itemCount: number;
  /** By name. */
  readonly locations: readonly Facet[];
  readonly tags: readonly Facet[];
}

/** Leads to the items with one tag, or with locations that have one beginning. */
export interface Facet {
  readonly name: string;
  readonly count: number;
  readonly address: string;
}

export interface Store {
  readonly findUser: (username: string) => User | null;
  /**
   * By the id in the cookie; the database knows only its SHA-256. Null when there is none or it has
   * ended.
   */
  readonly findSession: (id: string) => StoredSession | null;
  readonly saveSession: (id: string, user: User, endsAt: Date) => void;
  readonly deleteSession: (id: string) => void;
  readonly listItems: (page: number) => ItemPage;
  /** The number of the new item, which is on disk. */
  readonly createItem: (input: ItemInput, author: User) => number;
  readonly close: () => void;
}

const PAGE_SIZE = 20;
/** Milliseconds. */
export const SESSION_LIFE = 14 * 86_400_000;

export function openStore(file: string): Store {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true });
  database.exec('pragma journal_mode = wal; pragma synchronous = full;');
  const prepare = (sql: string) => database.prepare(sql);

  const user = prepare('select id, username from accounts where username = ?');
  const session = prepare(
    `select sessions.*, accounts.username from sessions
     join accounts on accounts.id = sessions.account_id where key = ?`,
  );
  const putSession = prepare(
    `insert into sessions (key, account_id, started_at, seen_at, ends_at) values (?, ?, ?, ?, ?)
     on conflict (key) do update set ends_at = excluded.ends_at`,
  );
  const dropSession = prepare('delete from sessions where key = ?');
  const count = prepare('select count(*) as count from items');
  const items = prepare(
    `select number, name, description, quantity, location, version,
       items.created_at as createdAt, items.updated_at as updatedAt,
       creator.username as createdBy, editor.username as updatedBy
     from items
     left join accounts as creator on creator.id = items.created_by
     left join accounts as editor on editor.id = items.updated_by
     order by number desc limit ${PAGE_SIZE} offset ?`,
  );
  const tags = prepare(
    `select item_number as number, tag from item_tags
     where item_number in (${Array(PAGE_SIZE).fill('?').join(', ')})
     order by item_number, position`,
  );
  const locationCounts = prepare(
    `select rtrim(substr(location, 1, instr(location || ',', ',') - 1)) as name, count(*) as count
     from items where location <> '' group by 1 order by 1`,
  );
  const tagCounts = prepare(
    'select tag as name, count(*) as count from item_tags group by tag order by tag',
  );
  const countFacets = () => ({
    locations: readFacets(locationCounts, 'location'),
    tags: readFacets(tagCounts, 'tag'),
  });
  // Kept until an item changes, as the application keeps them.
  let facets: ReturnType<typeof countFacets> | null = null;
  const nextNumber = prepare(
    `insert into counters (name, value) values ('items', 1)
     on conflict (name) do update set value = value + 1 returning value`,
  );
  const insertItem = prepare('insert into items values (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)');
  const insertTag = prepare('insert into item_tags values (?, ?, ?)');

  const writeItem = ({ name, description, quantity, location, tags }: ItemInput, author: User) => {
    const number = Number(nextNumber.get()?.['value']);
    const now = new Date().toISOString();
    const by = author.id;
    insertItem.run(number, name, description, quantity, location, now, by, now, by);
    tags.forEach((tag, position) => {
      insertTag.run(number, position, tag);
    });
    return number;
  };

  return {
    findUser: (username) => (user.get(username) as User | undefined) ?? null,
    findSession(id) {
      const row = session.get(toKey(id)) as Readonly<Record<string, string>> | undefined;
      if (row === undefined) return null;
      const endsAt = new Date(row['ends_at'] ?? 0);
      if (endsAt.getTime() <= Date.now()) return null;
      return { user: { id: Number(row['account_id']), username: row['username'] ?? '' }, endsAt };
    },
    saveSession(id, { id: account }, endsAt) {
      const now = new Date().toISOString();
      putSession.run(toKey(id), account, now, now, endsAt.toISOString());
    },
    deleteSession(id) {
      dropSession.run(toKey(id));
    },
    listItems(asked) {
      const itemCount = Number(count.get()?.['count']);
      const pageCount = Math.max(1, Math.ceil(itemCount / PAGE_SIZE));
      const page = Math.min(asked, pageCount);
      const rows = items.all((page - 1) * PAGE_SIZE) as unknown as readonly ItemRow[];
      const numbers = rows.map(({ number }) => number);
      const missing = Array<number>(PAGE_SIZE - numbers.length).fill(0);
      const tagRows = tags.all(...numbers, ...missing) as unknown as readonly TagRow[];
      const byItem = Map.groupBy(tagRows, ({ number }) => number);
      const withTags = rows.map((row) => ({
        ...row,
        tags: (byItem.get(row.number) ?? []).map(({ tag }) => tag),
      }));
      facets ??= countFacets();
      return { items: withTags, page, pageCount, itemCount, ...facets };
    },
    createItem(input, author) {
      database.exec('begin immediate');
      try {
        const number = writeItem(input, author);
        database.exec('commit');
        facets = null;
        return number;
      } catch (error) {
        if (database.isTransaction) database.exec('rollback');
        throw error;
      }
    },
    close: () => database.close(),
  };
}

interface ItemRow {
  readonly number: number;
  readonly name: string;
  readonly quantity: number;
  readonly location: string;
}

interface TagRow {
  readonly number: number;
  readonly tag: string;
}

function readFacets(counts: StatementSync, field: string): readonly Facet[] {
  const rows = counts.all() as unknown as readonly Omit<Facet, 'address'>[];
  return rows.map(({ name, count }) => ({
    name,
    count,
    address: `/items?${new URLSearchParams({ [field]: name })}`,
  }));
}

function toKey(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}
