/** Properties that no server in the tests has. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { PostgresAddress } from 'seeother/postgres';
import type { ServerAnswers } from './ask-postgres.ts';
import { describeServer } from './describe-server.ts';

const GOOD: ServerAnswers = {
  version: '18.4',
  isStandby: false,
  isReadOnly: false,
  synchronousCommit: 'on',
  fsync: 'on',
  encoding: 'UTF8',
  clockAhead: 12,
  connections: 97,
  tls: 'TLSv1.3',
  mayMakeTables: true,
  migrations: [],
  knownFiles: null,
  schedules: [],
  accounts: 1,
};
const VERIFIED = { rejectUnauthorized: true };
const CONFIG = { workers: 1, registration: 'first', production: true, mail: null } as const;

function describe(
  answers: Partial<ServerAnswers>,
  ssl: PostgresAddress['ssl'] = VERIFIED,
  host = 'db.example',
) {
  const address = { hosts: [], user: '', password: '', database: '', isPooled: false, ssl };
  return describeServer({ ...GOOD, ...answers }, address, host, CONFIG).map(
    ({ verdict, words }) => `${verdict} ${words}`,
  );
}

function assertHas(lines: readonly string[], expression: RegExp): void {
  assert.ok(
    lines.some((line) => expression.test(line)),
    `${expression}:\n${lines.join('\n')}`,
  );
}

test('a durable server is good', () => {
  for (const value of ['on', 'local', 'remote_write', 'remote_apply']) {
    assertHas(
      describe({ synchronousCommit: value }),
      new RegExp(`^good synchronous_commit ${value}:`),
    );
  }
});

test('an unmaintained version is bad', () => {
  assertHas(describe({ version: '15.0' }), /^good engine PostgreSQL 15\.0: /);
  assertHas(describe({ version: '14.20' }), /^bad engine PostgreSQL 14\.20: .* Upgrade it\.$/);
  assertHas(describe({ version: '9.6.24' }), /^bad engine PostgreSQL 9\.6\.24: /);
});

test('a clock that differs from the local one is a note, ahead or behind', () => {
  assertHas(describe({ clockAhead: 1_900 }), /^good its clock is 1\.9 s from the local one\.$/);
  assertHas(
    describe({ clockAhead: 61_000 }),
    /^note its clock is 61\.0 s ahead of the local one\./,
  );
  assertHas(describe({ clockAhead: -2_500 }), /^note its clock is 2\.5 s behind the local one\./);
});

test('a connection over a network is good if the certificate of the server is verified', () => {
  assertHas(
    describe({}),
    /^good the connection is encrypted \(TLSv1\.3\), and the certificate of the server is verified/,
  );
  assertHas(describe({}, { rejectUnauthorized: false }), /^note .* Use sslmode=verify-full/);
  assertHas(describe({ tls: null }, false), /^note the connection is not encrypted: .*verify-full/);
  for (const host of ['localhost', '127.0.0.1', '::1'])
    assertHas(
      describe({ tls: null }, false, host),
      /^good the connection is not encrypted, but does not leave/,
    );
});
