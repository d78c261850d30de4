/**
 * Creates a database and deletes it: SQLite in a temporary folder, or PostgreSQL on the server of the
 * tests. Programs use it too, so it does not load `node:test`, which would report at their end.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../database/kysely.ts';
import { openDatabase } from '../database/open-database.ts';
import { createPostgresDatabase } from './postgres/cluster.ts';

/** The engine of tests without a fixed one. */
export const ENGINE: Database['engine'] =
  process.env['TEST_DATABASE'] === 'postgres' ? 'postgres' : 'sqlite';

/** A database with all tables for an application; `drop` deletes it. */
export async function createTestDatabase(
  engine = ENGINE,
): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  if (engine === 'postgres') return createPostgresDatabase();
  const folder = makeFolder();
  const file = join(folder, 'application.db');
  template ??= makeTemplate();
  writeFileSync(file, await template);
  return { url: `sqlite:${file}`, drop: async () => removeFolder(folder) };
}

/**
 * The bytes of a file with all tables: writing them is ten times as fast as creating the tables.
 */
let template: Promise<Buffer> | undefined;

async function makeTemplate(): Promise<Buffer> {
  const folder = makeFolder();
  const file = join(folder, 'application.db');
  await (await openDatabase(`sqlite:${file}`)).close();
  const content = readFileSync(file);
  removeFolder(folder);
  return content;
}

/** Empty if the database is not a file. */
export function fileOf(url: string): string {
  return url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : '';
}

export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'seeother-'));
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
