/** Creates accounts, sessions, items with their tags, receipts, counters and failed log-ins. */
import type { Kysely } from 'kysely';
import { columnTypes } from './migration-sql.ts';

// Migrations do not use the type Schema: it changes later, and they must not.
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  const { integer, text } = columnTypes(database);
  await schema
    .createTable('accounts')
    .addColumn('id', integer, (column) => column.primaryKey())
    .addColumn('username', text, (column) => column.notNull())
    .addColumn('username_key', text, (column) => column.notNull().unique())
    .addColumn('password_hash', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .execute();
  await schema
    .createTable('sessions')
    .addColumn('key', text, (column) => column.primaryKey())
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('started_at', text, (column) => column.notNull())
    .addColumn('seen_at', text, (column) => column.notNull())
    .addColumn('remembered', integer, (column) => column.notNull())
    .execute();
  await schema.createIndex('sessions_by_account').on('sessions').column('account_id').execute();
  await schema.createIndex('sessions_by_start').on('sessions').column('started_at').execute();
  await schema
    .createTable('items')
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
    .execute();
  await schema
    .createTable('item_tags')
    .addColumn('item_number', integer, (column) =>
      column.notNull().references('items.number').onDelete('cascade'),
    )
    .addColumn('position', integer, (column) => column.notNull())
    .addColumn('tag', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('item_tags_key', ['item_number', 'position'])
    .execute();
  await schema
    .createIndex('item_tags_by_tag')
    .on('item_tags')
    .columns(['tag', 'item_number'])
    .execute();
  await schema
    .createTable('receipts')
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('once', text, (column) => column.notNull())
    .addColumn('digest', text, (column) => column.notNull())
    .addColumn('result', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('receipts_key', ['account_id', 'once', 'digest'])
    .execute();
  await schema.createIndex('receipts_by_time').on('receipts').column('created_at').execute();
  await schema
    .createTable('counters')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('value', integer, (column) => column.notNull())
    .execute();
  await schema
    .createTable('failed_log_ins')
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('at', text, (column) => column.notNull())
    .execute();
  await schema
    .createIndex('failed_log_ins_by_subject')
    .on('failed_log_ins')
    .columns(['subject', 'at'])
    .execute();
  await schema.createIndex('failed_log_ins_by_time').on('failed_log_ins').column('at').execute();
}
