/**
 * Extends sessions with columns for their list, drafts and flashes. Adds invitations and devices.
 * Changes receipts to store a path, also for visitors. Adds the limits of the item form as check
 * constraints.
 *
 * SQLite cannot add a check constraint to a table, and dropping a table deletes the rows that refer
 * to it. So items and tags are copied together to new tables, which are then renamed.
 */
import { type Kysely, sql } from 'kysely';
import { columnTypes, isSqlite } from './migration-sql.ts';

/** Later than the end of any session, in the text order of times. */
const FAR = '9999-12-31T23:59:59.999Z';

export async function up(database: Kysely<unknown>): Promise<void> {
  await extendSessions(database);
  await createInvitationsAndDevices(database);
  await checkItems(database);
  await rebuildReceipts(database);
}

async function extendSessions(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  const { text } = columnTypes(database);
  for (const name of ['agent', 'address', 'flashes', 'draft']) {
    await schema
      .alterTable('sessions')
      .addColumn(name, text, (column) => column.notNull().defaultTo(''))
      .execute();
  }
  await schema
    .alterTable('sessions')
    .addColumn('ends_at', text, (column) => column.notNull().defaultTo(FAR))
    .execute();
  await schema.dropIndex('sessions_by_start').execute();
  await schema.createIndex('sessions_by_end').on('sessions').column('ends_at').execute();
}

async function createInvitationsAndDevices(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  const { integer, text } = columnTypes(database);
  await schema
    .createTable('invitations')
    .addColumn('key', text, (column) => column.primaryKey())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('created_by', integer, (column) =>
      column.references('accounts.id').onDelete('cascade'),
    )
    .addColumn('ends_at', text, (column) => column.notNull())
    .execute();
  await schema
    .createTable('devices')
    .addColumn('key', text, (column) => column.primaryKey())
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('seen_at', text, (column) => column.notNull())
    .execute();
  await schema
    .createIndex('devices_by_account')
    .on('devices')
    .columns(['account_id', 'seen_at'])
    .execute();
}

async function checkItems(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  const { integer, text } = columnTypes(database);
  await dropKey(database, 'item_tags', 'item_tags_key');
  await schema
    .createTable('new_items')
    .addColumn('number', integer, (column) => column.primaryKey())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('description', text, (column) => column.notNull())
    .addColumn('quantity', integer, (column) => column.notNull())
    .addColumn('location', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('created_by', integer, (column) => column.references('accounts.id'))
    .addColumn('updated_at', text, (column) => column.notNull())
    .addColumn('updated_by', integer, (column) => column.references('accounts.id'))
    .addColumn('version', integer, (column) => column.notNull())
    .addCheckConstraint('items_number', sql`number >= 1`)
    .addCheckConstraint('items_name', sql`length(name) between 1 and 120`)
    .addCheckConstraint('items_description', sql`length(description) <= 10000`)
    .addCheckConstraint('items_quantity', sql`quantity between 0 and 1000000`)
    .addCheckConstraint('items_location', sql`length(location) <= 120`)
    .execute();
  await schema
    .createTable('new_item_tags')
    .addColumn('item_number', integer, (column) =>
      column.notNull().references('new_items.number').onDelete('cascade'),
    )
    .addColumn('position', integer, (column) => column.notNull())
    .addColumn('tag', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('item_tags_key', ['item_number', 'position'])
    .addCheckConstraint('item_tags_position', sql`position between 0 and 19`)
    .addCheckConstraint('item_tags_tag', sql`length(tag) between 1 and 40`)
    .execute();
  await sql`insert into new_items select number, name, description, quantity, location,
    created_at, created_by, updated_at, updated_by, version from items`.execute(database);
  await sql`insert into new_item_tags select item_number, position, tag from item_tags`.execute(
    database,
  );
  await schema.dropTable('item_tags').execute();
  await schema.dropTable('items').execute();
  await schema.alterTable('new_items').renameTo('items').execute();
  await schema.alterTable('new_item_tags').renameTo('item_tags').execute();
  await schema
    .createIndex('item_tags_by_tag')
    .on('item_tags')
    .columns(['tag', 'item_number'])
    .execute();
}

/** Replaces the item number in receipts by the path that the form redirected to. */
async function rebuildReceipts(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  const { integer, text } = columnTypes(database);
  await dropKey(database, 'receipts', 'receipts_key');
  await schema
    .createTable('new_receipts')
    .addColumn('owner', integer, (column) => column.notNull())
    .addColumn('once', text, (column) => column.notNull())
    .addColumn('digest', text, (column) => column.notNull())
    .addColumn('path', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('receipts_key', ['owner', 'once', 'digest'])
    .execute();
  await sql`insert into new_receipts
    select account_id, once, digest, '/items/' || result, created_at from receipts`.execute(
    database,
  );
  await schema.dropTable('receipts').execute();
  await schema.alterTable('new_receipts').renameTo('receipts').execute();
  await schema.createIndex('receipts_by_time').on('receipts').column('created_at').execute();
}

/** In PostgreSQL two tables cannot both have a key of that name: the old table loses it. */
async function dropKey(database: Kysely<unknown>, table: string, name: string): Promise<void> {
  if (isSqlite(database)) return;
  await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(database);
}
