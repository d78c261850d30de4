/** SQL of SQLite. */
import { sql } from 'kysely';
import type { Engine } from './engine.ts';

/** A transaction that writes holds the only lock already. */
const nothing = async () => {};

export const SQLITE: Engine = {
  name: 'sqlite',
  lockRows: async (_transaction, _table, _column, values) => values,
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
  async countFacets(database, field, table, column) {
    const [added, gone] = [`new.${column}`, `old.${column}`];
    const count = `insert into item_facets (field, name, key, items)
      select '${field}', ${added}, upper(${added}), 1 where ${added} <> ''
      on conflict (field, name) do update set items = items + 1;`;
    const forget = `update item_facets set items = items - 1
      where field = '${field}' and name = ${gone};
      delete from item_facets where field = '${field}' and name = ${gone} and items <= 0;`;
    const events = {
      insert: { when: `${added} <> ''`, does: count },
      delete: { when: `${gone} <> ''`, does: forget },
      [`update of ${column}`]: { when: `${gone} <> ${added}`, does: count + forget },
    };
    for (const [event, { when, does }] of Object.entries(events)) {
      const name = `count_${field}_after_${event.replaceAll(' ', '_')}`;
      await sql`create trigger ${sql.ref(name)} after ${sql.raw(event)} on ${sql.table(table)}
        when ${sql.raw(when)} begin ${sql.raw(does)} end`.execute(database);
    }
  },
  switchFacets: nothing,
  async createWordTable(database, table) {
    await sql`create virtual table ${sql.table(table)} using fts5(words, tokenize = 'ascii',
      prefix = '1 2 3 4 5 6 7 8', content = '', contentless_delete = 1, detail = none)`.execute(
      database,
    );
  },
  addsWordsAtEnd: true,
  matchWords(table, beginnings) {
    const name = sql.table(table);
    const query = beginnings.map((word) => `"${word}"*`).join(' ') || '""';
    return sql`select rowid as number from ${name} where ${name} match ${query}`;
  },
  intersect: (_table, queries) => sql.join(queries, sql` intersect `),
  stopsAtLimit: true,
  analyze: nothing,
};
