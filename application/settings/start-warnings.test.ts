import assert from 'node:assert/strict';
import test from 'node:test';
import { type Environment, readConfig } from './config.ts';
import { listStartWarnings } from './start-warnings.ts';

const warningsOf = (environment: Environment) => listStartWarnings(readConfig(environment));
const onPostgres = (query: string) => warningsOf({ DATABASE_URL: `postgres://db/things${query}` });

test('a connection to PostgreSQL whose certificate is not checked is a warning', () => {
  const [warning, ...others] = onPostgres('?sslmode=require');
  assert.match(
    warning ?? '',
    /^WARNING: sslmode=require does not verify the certificate.*verify-full/,
  );
  assert.deepEqual(others, []);
  assert.deepEqual(onPostgres('?sslmode=verify-full'), []);
  assert.deepEqual(onPostgres('?sslmode=disable'), []);
  assert.deepEqual(warningsOf({}), []);
});

test('a connection to PostgreSQL on another machine that is not encrypted is a warning', () => {
  const [warning, ...others] = onPostgres('');
  assert.match(warning ?? '', /^WARNING: .* not encrypted.*sslmode=verify-full/);
  assert.deepEqual(others, []);
  assert.deepEqual(warningsOf({ DATABASE_URL: 'postgres://127.0.0.1/things' }), []);
});

test('all warnings are listed', () => {
  const DATABASE_URL = 'postgres://db/things?sslmode=require';
  const warnings = warningsOf({ NODE_ENV: 'production', ALLOW_HTTP: '1', DATABASE_URL });
  assert.equal(warnings.length, 2);
});

test('a production whose users connect over https, and development, have no warning', () => {
  const production = { NODE_ENV: 'production' };
  assert.deepEqual(warningsOf({ ...production, PUBLIC_ORIGIN: 'https://things.example' }), []);
  assert.deepEqual(warningsOf({ ...production, TRUST_PROXY: '10.0.0.1' }), []);
  assert.deepEqual(warningsOf({ NODE_ENV: 'development' }), []);
});
