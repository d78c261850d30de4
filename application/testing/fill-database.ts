/**
 * Fills every table of a new database, as after years of use: text of all kinds, accounts,
 * sessions, receipts, and items with tags and a history. The same count creates the same rows.
 */
import { sql } from 'kysely';
import type { Database } from '../database/kysely.ts';
import { writeAllFacetKeys } from '../items/facets.ts';

const AT = '2026-11-20T12:00:00.000Z';
const ACCOUNTS = 20;
/** Rows in one statement: PostgreSQL takes 65,535 parameters, SQLite half as many. */
const BATCH = 1_000;
const NAMES = ['Drill', 'Ä \' " \\ 🔧', 'a\u0308', '', '<b>&amp;</b>'];
const TAGS = ['tools', 'ä', '% _', 'Tools'];

export async function fillDatabase(database: Database, items: number): Promise<void> {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  await database.write(async (transaction) => {
    const insert = async <T>(
      table: Parameters<typeof transaction.insertInto>[0],
      all: readonly number[],
      toRows: (number: number) => readonly T[],
    ) => {
      for (let start = 0; start < all.length; start += BATCH) {
        const rows = all.slice(start, start + BATCH).flatMap(toRows);
        await transaction
          .insertInto(table)
          .values(rows as never)
          .execute();
      }
    };
    const changed = Math.floor(items / 10);
    await insert('counters', [items], (value) => [
      { name: 'items', value },
      { name: 'item events', value: changed },
      { name: 'batches', value: ACCOUNTS },
    ]);
    await insert('accounts', numbers(ACCOUNTS), (id) => [
      { id, username: `Ada ${id}`, username_key: `ada ${id}`, password_hash: 'x', created_at: AT },
    ]);
    await insert('sessions', numbers(items / 100), (number) => [toSession(number)]);
    await insert('devices', numbers(items / 100), (number) => [
      { key: `d${number}`, account_id: accountOf(number), seen_at: AT },
    ]);
    await insert('item_kinds', [1], (id) => [{ id, name: 'Ä 🔧', minimum: 2, position: id }]);
    await insert('own_fields', [1], (id) => [
      { id, kind: 'number', label: 'Weight', unit: 'kg', item_kind: 1, position: id },
    ]);
    await insert('field_changes', [1], (id) => [
      { id, at: AT, account_id: null, kind: 'added', about: '[]', batch: null, undoes: null },
    ]);
    await insert('items', numbers(items), (number) => [toItem(number, number <= changed ? 2 : 1)]);
    await insert('item_tags', numbers(items), (number) =>
      TAGS.slice(number % 4).map((tag, position) => ({ item_number: number, position, tag })),
    );
    await insert('item_values', numbers(items / 50), (number) => [
      {
        ...{ item_number: number * 50, field_id: 1, position: 0 },
        ...{ value: '12.5', key: '12.5', number: 12.5 },
      },
    ]);
    await insert('loans', numbers(items / 50), (at) => [
      {
        ...{ item: at * 50, at: AT, borrower: 'Ä 🔧', quantity: 1 },
        until: at % 2 === 0 ? '2026-12-03' : null,
      },
    ]);
    await insert('places', numbers(ACCOUNTS), (id) => [
      {
        ...{ id, parent: id > 1 ? 1 : null, name: 'Ä 🔧', name_key: 'A', path: `Ä 🔧, ${id}` },
        ...{ key: `Ä 🔧, ${id}`, created_at: AT, created_by: accountOf(id) },
      },
    ]);
    await insert('place_aliases', numbers(ACCOUNTS), (place) => [
      { key: `Ö, ${place}`, path: `ö, ${place}`, place },
    ]);
    await insert('place_changes', numbers(ACCOUNTS), (place) => [
      {
        batch: 1,
        place,
        parent: null,
        path: 'ö',
        key: 'Ö',
        kept: 0,
        merged_into: null,
        version: 2,
      },
    ]);
    await insert('item_files', numbers(ACCOUNTS), (id) => [
      {
        ...{ id, item_number: id, position: 1, kind: 'photo', name: 'Ä 🔧.jpg', caption: 'Ä 🔧' },
        ...{ type: 'image/jpeg', size: 7, sha256: 'a'.repeat(64), file: `f${id}`, width: 3 },
        ...{ added_at: AT, added_by: id, removed_at: id % 2 === 0 ? AT : null },
      },
    ]);
    await insert('item_events', numbers(changed), (number) => [toEvent(number)]);
    await insert('batches', numbers(ACCOUNTS), (id) => [
      {
        ...{ id, at: AT, kind: 'deleted', about: '{}', events: 2, undone: id % 2 },
        account_id: accountOf(id),
        last_event: id % 3 === 0 ? null : id,
        undoes: id % 4 === 0 ? id - 1 : null,
      },
    ]);
    // The triggers count what they see, but fold ASCII letters only.
    await writeAllFacetKeys(transaction);
    await insert('imports', numbers(ACCOUNTS), (id) => [toImport(id)]);
    await insert('import_pieces', numbers(items / 100), (number) => [
      {
        import_id: accountOf(number),
        position: number,
        work: '[{"line":2,"values":{"name":"Ä 🔧"}}]',
      },
    ]);
    await insert('receipts', numbers(items), (number) => [
      {
        owner: accountOf(number),
        once: `form-${number}`,
        digest: number.toString(16).padStart(64, '0'),
        path: `/items/${number}`,
        created_at: AT,
      },
    ]);
    for (const id of numbers(ACCOUNTS)) {
      await sql`insert into seeother_account_tokens (key, kind, account_id, made_by, data, created_at, ends_at)
        values (${`t${id}`}, 'new password', ${id}, ${accountOf(id)}, '{}', ${AT}, ${AT})`.execute(
        transaction,
      );
      await sql`insert into seeother_account_events (at, account_id, kind, detail, address, agent, untold)
        values (${AT}, ${id}, 'role changed', 'Ä 🔧', '192.0.2.1', 'Browser', 1)`.execute(
        transaction,
      );
      await sql`insert into seeother_passkeys (id, account_id, name, public_key, counter, transports, backed_up, created_at)
        values (${`p${id}`}, ${id}, 'Ä 🔧', 'key', ${id}, '[]', 1, ${AT})`.execute(transaction);
      await sql`insert into seeother_identities (provider, subject, account_id, created_at)
        values ('company', ${`s${id}`}, ${id}, ${AT})`.execute(transaction);
    }
    // Rows that are equal in all columns.
    await insert('failed_log_ins', numbers(ACCOUNTS), (id) =>
      [1, 2].map(() => ({ subject: `account:ada ${id}`, at: AT })),
    );
  });
}

function accountOf(number: number): number {
  return (number % ACCOUNTS) + 1;
}

function toSession(number: number) {
  return {
    key: `s${number}`,
    account_id: accountOf(number),
    started_at: AT,
    seen_at: AT,
    ends_at: AT,
    remembered: number % 2,
    agent: 'Browser',
    address: '192.0.2.1',
    flashes: number % 3 === 0 ? '[{"path":"/","message":"Ä"}]' : '',
    draft: '',
  };
}

function toItem(number: number, version: number) {
  const name = `${NAMES[number % NAMES.length]} ${number}`;
  return {
    number,
    name,
    description: `${name}\n`.repeat(number % 20),
    quantity: number % 1_000,
    location: number % 2 === 0 ? '' : `Shelf ${number % 100}`,
    created_at: AT,
    created_by: number % 7 === 0 ? null : accountOf(number),
    updated_at: AT,
    updated_by: null,
    version,
    lent: number % 50 === 0 ? 1 : 0,
    due: number % 100 === 0 ? '2026-12-03' : null,
    minimum: number % 40 === 0 ? 5 : null,
  };
}

function toImport(id: number) {
  const hashes = { file_hash: `${id}`, plan_hash: `${id}`, batch: id };
  const state = { state: 'running', problem: '', preview: '{}', refusals: '[]' };
  const at = { created_at: AT, updated_at: AT };
  return { id, account_id: id, file_name: 'Ä 🔧.csv', ...hashes, ...state, ...at };
}

function toEvent(number: number) {
  const { name, quantity } = toItem(number, 2);
  return {
    id: number,
    item_number: number,
    item_name: name,
    version: 2,
    at: AT,
    account_id: accountOf(number),
    kind: 'counted',
    reason: number % 2 === 0 ? '' : 'Ä 🔧 “fair”',
    batch: null,
    undoes: null,
    changes: JSON.stringify({ quantity: [quantity + 1, quantity] }),
    snapshot: null,
  };
}
