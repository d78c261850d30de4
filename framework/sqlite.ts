/** SQLite in one file. */
export {
  type Connection,
  type Database,
  DatabaseUnavailable,
  type OpenOptions,
  type Outcome,
  type Result,
  type Value,
} from './src/database/database.ts';
export { explainSqlite, isDamage, isLocked } from './src/sqlite/errors.ts';
export { openSqlite, type SqliteOptions } from './src/sqlite/open-sqlite.ts';
