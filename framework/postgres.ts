/** PostgreSQL, through the package `pg`. */
export {
  type Connection,
  type Database,
  DatabaseUnavailable,
  type OpenOptions,
  type Outcome,
  type Result,
  type Value,
} from './src/database/database.ts';
export { explainPostgres, isAway } from './src/postgres/errors.ts';
export { CONNECTIONS, openPostgres } from './src/postgres/open-postgres.ts';
export { describeAddress, type PostgresAddress, parsePostgresUrl } from './src/postgres/url.ts';
