/** Which errors of PostgreSQL are transient. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { DatabaseUnavailable } from '../database/database.ts';
import { explainPostgres, fromPostgres, isAway, isLost, UnsafeServer } from './errors.ts';

const withCode = (code: string) => Object.assign(new Error('from the server'), { code });

test('a server without disk, memory or connections is unavailable, and connections to a stopping server are closed', () => {
  for (const code of ['53100', '53200', '53300', '55P03', '57014', '57P01', '58030', 'ECONNRESET'])
    assert.ok(fromPostgres(withCode(code)) instanceof DatabaseUnavailable, code);
  for (const code of ['08006', '57P01', '57P03', '58030', '25006', 'EPIPE'])
    assert.ok(isLost(withCode(code)), code);
  for (const code of ['53100', '53200', '55P03', '57014']) assert.ok(!isLost(withCode(code)), code);
});

test('a server whose disk is full or fails says so', () => {
  const diskOf = (code: string) => {
    const error = fromPostgres(withCode(code));
    return error instanceof DatabaseUnavailable && error.disk;
  };
  assert.deepEqual(['53100', '58030', '57P01'].map(diskOf), ['full', 'fails', null]);
});

test('an error in a statement is not unavailability', () => {
  for (const code of ['23505', '23514', '42P01', '22001', '40001']) {
    const error = withCode(code);
    assert.equal(fromPostgres(error), error, code);
    assert.ok(!isLost(error), code);
  }
});

test('a start waits for an unreachable server, but not with a wrong setting', () => {
  const isWaitedFor = (code: string) =>
    isAway(new DatabaseUnavailable('', { cause: Object.assign(new Error('no'), { code }) }));
  for (const code of ['ECONNREFUSED', 'EAI_AGAIN', 'ETIMEDOUT', '57P03', '53300', '55P03'])
    assert.equal(isWaitedFor(code), true, code);
  for (const code of ['ENOTFOUND', 'ERR_TLS_CERT_ALTNAME_INVALID', '28P01', '28000', '3D000'])
    assert.equal(isWaitedFor(code), false, code);
});

test('a start does not wait for an unusable server, and says which server can be used', () => {
  const error = new UnsafeServer('synchronous_commit is off there.');
  assert.equal(isAway(error), false);
  assert.equal(explainPostgres(error), 'synchronous_commit is off there.');
});
