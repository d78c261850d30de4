import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { createTestFolder } from '../testing/open-test-database.ts';
import { type Environment, readConfig } from './config.ts';
import { requireSafeProduction } from './require-safe-production.ts';
import { StartError } from './start-error.ts';

const HTTPS = { PUBLIC_ORIGIN: 'https://things.example' };

/** Why production refuses the environment; empty when it does not. */
function refusalOf(settings: Environment, mode = 'production'): string {
  const environment = { NODE_ENV: mode, DATABASE_URL: 'sqlite:nowhere/a.db', ...settings };
  try {
    requireSafeProduction(readConfig(environment), environment);
    return '';
  } catch (error) {
    assert.ok(error instanceof StartError);
    assert.match(error.message, /^Cannot start in production: \P{Cc}+\.$/u);
    return error.message;
  }
}

test('production requires a setting for https', () => {
  assert.match(refusalOf({}), /no setting says that users connect over https.* ALLOW_HTTP=1 if/);
  assert.match(refusalOf({ HOST: '0.0.0.0' }), /no setting says that users connect over https/);
  const plain = { PUBLIC_ORIGIN: 'http://things.example', TRUST_PROXY: '10.0.0.1' };
  assert.match(refusalOf(plain), /PUBLIC_ORIGIN=http:\/\/things\.example is not https/);
  for (const told of [HTTPS, { TRUST_PROXY: '10.0.0.1' }, { ALLOW_HTTP: '1' }]) {
    assert.equal(refusalOf(told), '');
  }
  assert.equal(refusalOf({ ...plain, ALLOW_HTTP: '1' }), '');
});

test('production accepts trusted proxies, but not all addresses', () => {
  for (const TRUST_PROXY of ['0.0.0.0/0', '::/0', '10.0.0.1, 0.0.0.0/0', '0.0.0.0/00,::1']) {
    assert.match(refusalOf({ ...HTTPS, TRUST_PROXY }), /TRUST_PROXY=\S+\/0+ trusts every address/);
  }
  assert.equal(refusalOf({ ...HTTPS, TRUST_PROXY: '10.0.0.0/8,::1,192.0.2.0/30' }), '');
});

test('production refuses a database that every user of the machine may write to', {
  skip: process.platform === 'win32',
}, (t) => {
  const folder = createTestFolder(t);
  const file = join(folder, 'application.db');
  const settings = { ...HTTPS, DATABASE_URL: `sqlite:${file}` };
  writeFileSync(file, '');
  assert.equal(refusalOf(settings), '');
  chmodSync(folder, 0o777);
  assert.match(refusalOf(settings), new RegExp(`chmod o-w ${folder}"`));
  chmodSync(folder, 0o700);
  chmodSync(file, 0o666);
  assert.match(refusalOf(settings), new RegExp(`chmod o-w ${file}"`));
});

test('production does not send everything unencrypted to another machine unasked', () => {
  const onPostgres = (places: string) =>
    refusalOf({ ...HTTPS, DATABASE_URL: `postgres://seeother:hunter2@${places}` });
  for (const places of [
    'db1.example/things',
    '127.0.0.1,10.0.0.7:5433/things',
    '[2001:db8::1]/a',
  ]) {
    assert.match(onPostgres(places), /DATABASE_URL .* not encrypted.*sslmode=verify-full/);
    assert.doesNotMatch(onPostgres(places), /hunter2/);
    for (const mode of ['verify-full', 'require', 'disable'])
      assert.equal(onPostgres(`${places}?sslmode=${mode}`), '', mode);
  }
  for (const places of [
    '/things',
    'localhost/things',
    '127.0.0.1:6432,[::1]/things?pooler=transaction',
  ])
    assert.equal(onPostgres(places), '');
});

test('safe settings are accepted', () => {
  assert.equal(refusalOf({ ...HTTPS, SAMPLE_ITEMS: '1', REGISTRATION: 'open', HOST: '::' }), '');
});

test('outside production nothing is refused', () => {
  for (const mode of ['', 'development', 'test']) {
    assert.equal(refusalOf({ TRUST_PROXY: '0.0.0.0/0', HOST: '0.0.0.0' }, mode), '');
  }
});
