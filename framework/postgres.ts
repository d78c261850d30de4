/** PostgreSQL, through the package `pg`. */
export { explainPostgres, isAway } from './src/postgres/errors.ts';
export { CONNECTIONS, openPostgres } from './src/postgres/open-postgres.ts';
export { describeAddress, type PostgresAddress, parsePostgresUrl } from './src/postgres/url.ts';
