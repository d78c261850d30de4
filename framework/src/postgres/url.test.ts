import assert from 'node:assert/strict';
import test from 'node:test';
import { describeAddress, parsePostgresUrl } from './url.ts';

const SECRET = 'hunter2';

test('an address names user, password, host, port and database', () => {
  const { hosts, user, password, database, ssl } = parsePostgresUrl(
    'postgres://ada:p%40ss@db.example:6543/things',
  );
  assert.deepEqual(hosts, [{ host: 'db.example', port: 6543 }]);
  assert.deepEqual([user, password, database, ssl], ['ada', 'p@ss', 'things', false]);
});

test('an address may have several hosts, ports and IPv6 addresses', () => {
  const url = 'postgresql://a,b:5433,[::1]:5434/things?target_session_attrs=read-write';
  assert.deepEqual(parsePostgresUrl(url).hosts, [
    { host: 'a', port: 5432 },
    { host: 'b', port: 5433 },
    { host: '::1', port: 5434 },
  ]);
});

test('sslmode determines how the server is authenticated', () => {
  const sslOf = (query: string) => parsePostgresUrl(`postgres://a/b?${query}`).ssl;
  assert.equal(sslOf('sslmode=disable'), false);
  assert.deepEqual(sslOf('sslmode=require'), { rejectUnauthorized: false });
  assert.deepEqual(sslOf('sslmode=verify-full'), { rejectUnauthorized: true });
  assert.throws(() => sslOf('sslmode=require&sslrootcert=/ca.crt'), /needs sslmode=verify-full/);
});

test('the displayed address has neither user nor password', () => {
  const address = parsePostgresUrl(`postgres://ada:${SECRET}@a:1,b:2/things`);
  assert.equal(describeAddress(address), 'postgres://a:1,b:2/things');
});

test('the error for an unusable address does not quote it', () => {
  for (const url of [
    `postgres://ada:${SECRET}/x@host/things`,
    `postgres://ada:12/${SECRET}@host/things`,
    `postgres://ada:${SECRET}@x@host/things`,
    `postgres://ada:${SECRET}?x@host/things`,
    `postgres://ada:${SECRET}#x@host/things`,
    `postgres://ada:${SECRET}%zz@host/things`,
    `postgres://${SECRET}:${SECRET}`,
    `postgres://host/things?password=${SECRET}`,
    `postgres://host/things?sslmode=${SECRET}`,
    `postgres://host/things?sslmode=verify-full&sslrootcert=/${SECRET}`,
    `postgres://host/things?target_session_attrs=${SECRET}`,
    `postgres://host/things?pooler=${SECRET}`,
    `postgres://ada:${SECRET}@host:0/things`,
    `postgres://ada:${SECRET}@host:70000/things`,
    `postgres://ada:${SECRET}@ho st/things`,
  ]) {
    assert.throws(
      () => parsePostgresUrl(url),
      (error) => error instanceof Error && !String(error.stack).includes(SECRET),
      url,
    );
  }
});
