/** SQLite in one file. */
export { explainSqlite, isDamage, isLocked } from './src/sqlite/errors.ts';
export { syncPath } from './src/sqlite/log.ts';
export { openSqlite, type SqliteOptions } from './src/sqlite/open-sqlite.ts';
