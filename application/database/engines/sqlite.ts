/** SQL of SQLite. */
import { sql } from 'kysely';
import type { Engine } from './engine.ts';

/** A transaction that writes holds the only lock already. */
const nothing = async () => {};

export const SQLITE: Engine = {
  name: 'sqlite',
  lockRow: nothing,
  lockRows: nothing,
  lockFor: nothing,
  lockTables: nothing,
  allowPauses: nothing,
  async hasTable(database, name) {
    const query = sql`select 1 from sqlite_master where name = ${name}`;
    return (await query.execute(database)).rows.length > 0;
  },
  integerType: 'integer',
  textType: 'text',
  randomName: sql`lower(hex(randomblob(16)))`,
  dropKey: nothing,
  async afterEveryChange(database, table, events, statement) {
    for (const event of events) {
      const name = `after_${event.replaceAll(' ', '_')}_${table}`;
      await sql`create trigger ${sql.ref(name)} after ${sql.raw(event)}
        on ${sql.table(table)} begin ${statement}; end`.execute(database);
    }
  },
  async afterDelete(database, table, name, statement) {
    await sql`create trigger ${sql.ref(name)} after delete on ${sql.table(table)}
      begin ${sql.raw(statement)}; end`.execute(database);
  },
  async createWordTable(database, table) {
    await sql`create virtual table ${sql.table(table)} using fts5(words, tokenize = 'ascii',
      prefix = '1 2 3 4 5 6 7 8', content = '', contentless_delete = 1, detail = none)`.execute(
      database,
    );
  },
  matchWords(table, beginnings) {
    const name = sql.table(table);
    const query = beginnings.map((word) => `"${word}"*`).join(' ') || '""';
    return sql`select rowid as number from ${name} where ${name} match ${query}`;
  },
  intersect: (_table, queries) => sql.join(queries, sql` intersect `),
  analyze: nothing,
};
