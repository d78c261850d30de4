/** Parts of a quantity, lent to several people: a row for each loan. What was lent is lent as a whole. */
import { type Kysely, sql } from 'kysely';
import { columnTypes, runAll } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  const whole = sql`case when quantity > 1 then quantity else 1 end`;
  await runAll(database, [
    sql`create table loans (
      item ${integer} not null references items (number) on delete cascade,
      at ${text} not null,
      borrower ${text} not null,
      until ${text},
      quantity ${integer} not null,
      constraint loans_pk primary key (item, at),
      constraint loans_borrower check (length(borrower) between 1 and 120),
      constraint loans_quantity check (quantity between 1 and 1000000))`,
    sql`insert into loans (item, at, borrower, until, quantity)
      select number, coalesce(lent_at, ''), lent_to, lent_until, ${whole}
      from items where lent_to is not null`,
    sql`create index loans_by_borrower on loans (borrower)`,
    sql`create index loans_by_until on loans (until) where until is not null`,
    // How many are lent, and the first day on which one is due: of an item that is not lent, in no index.
    sql`alter table items add column lent ${integer} not null default 0`,
    sql`alter table items add column due ${text}`,
    sql`update items set lent = ${whole}, due = lent_until where lent_to is not null`,
    sql`drop index items_by_lent`,
    sql`drop index items_by_lent_until`,
    sql`create index items_by_lent on items (number) where lent > 0`,
    sql`create index items_by_due on items (due, number) where due is not null`,
    sql`alter table items drop column lent_to`,
    sql`alter table items drop column lent_until`,
    sql`alter table items drop column lent_at`,
  ]);
}
