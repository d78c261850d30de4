/** Compares the lists of the guide to accounts with the tables and the routes that the code makes. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { FORM_PAGES, OTHER_ROUTES } from '../framework/src/accounts/account-routes.ts';
import { accountStatements, TABLES } from '../framework/src/accounts/account-tables.ts';
import { readText } from './project-files.ts';

const GUIDE = readText('docs/guides/accounts.md');

test('the tables of a site of its own have the columns of those of the framework', () => {
  const database = new DatabaseSync(':memory:');
  for (const sql of accountStatements('sqlite')) database.exec(sql);
  for (const [sql] of GUIDE.matchAll(/^ {2}`create table if not exists (?:people|logins)[^`]*`/gm))
    database.exec(sql.trim().slice(1, -1));
  const columnsOf = (table: string) =>
    database
      .prepare(
        'select name, type, "notnull", dflt_value, pk from pragma_table_info(?) order by cid',
      )
      .all(table)
      .map((column) => ({ ...column }))
      .filter(({ name }) => name !== 'called');
  assert.deepEqual(columnsOf('people'), columnsOf(TABLES.accounts));
  assert.deepEqual(columnsOf('logins'), columnsOf(TABLES.sessions));
  database.close();
});

test('the table of pages has every address that links know', () => {
  const [, table = ''] = /\n## The pages[^\n]*\n+((?:\|.*\n)+)/.exec(GUIDE) ?? [];
  const named = [...table.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\/[^`]*)`/g)].map(([, path]) => path ?? ''),
  );
  const known = [...FORM_PAGES, ...OTHER_ROUTES.map((route) => route.replace(/^\w+ /, ''))]
    .map((path) => path.replace('<int>', ''))
    .toSorted();
  // Each provider has its own.
  const ours = named.filter((path) => !path.includes('/company'));
  assert.deepEqual(ours.toSorted(), known);
});
