import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { createTestFolder } from '../testing/open-test-database.ts';
import { type Environment, inspectConfig, readConfig } from './config.ts';

const SECRET = 'q3P8sVn1Yx0Jc5Zt7Rk2Wb4Mh6Gd9Lf+';
const OLD = 'old-'.repeat(8);
const COMPANY = { OPENID_ISSUER: 'https://id.example', OPENID_CLIENT_ID: 'things' };

const read = (environment: Environment) => readConfig(environment).signIn;

function assertRefused(environment: Environment, why: RegExp): void {
  assert.throws(() => readConfig(environment), why, JSON.stringify(environment));
  assert.throws(() => readConfig(environment), /^StartError: \P{Cc}+$/u);
}

test('without settings there are passwords and passkeys', () => {
  assert.deepEqual(read({}), {
    secrets: [],
    oneTimeCodes: false,
    passkeys: true,
    secondFactorFor: [],
    breachedPasswords: null,
    company: null,
  });
});

test('SECRETS are some secrets of 32 characters, and switch one-time codes on', () => {
  assert.partialDeepStrictEqual(read({ SECRETS: SECRET }), {
    secrets: [SECRET],
    oneTimeCodes: true,
  });
  assert.deepEqual(read({ SECRETS: ` ${SECRET}  ${OLD} ` }).secrets, [SECRET, OLD]);
  assert.equal(read({ SECRETS: SECRET, ONE_TIME_CODES: '0' }).oneTimeCodes, false);
  for (const bad of ['short', `${SECRET} short`, `${SECRET} ${'x'.repeat(31)}`])
    assertRefused({ SECRETS: bad }, /^StartError: .*SECRETS=…: .*at least 32 .*openssl rand/);
  assertRefused({ ONE_TIME_CODES: '1' }, /ONE_TIME_CODES=1: set SECRETS, too/);
  assertRefused({ ONE_TIME_CODES: 'yes', SECRETS: SECRET }, /must be 1 \(yes\) or 0/);
});

test('a file has one secret a line, the newest first', (t) => {
  const file = join(createTestFolder(t), 'secrets');
  writeFileSync(file, `${SECRET}\n${OLD}\n`);
  assert.deepEqual(read({ SECRETS_FILE: file }).secrets, [SECRET, OLD]);
  writeFileSync(file, `${SECRET}\n`);
  const environment = { ...COMPANY, OPENID_CLIENT_SECRET_FILE: file };
  assert.equal(read(environment).company?.clientSecret, SECRET);
});

test('no secret of a sign-in is shown, also not a wrong one', () => {
  for (const environment of [
    { SECRETS: `${SECRET} ${OLD}` },
    { SECRETS: `hunter2 ${SECRET}` },
    { ...COMPANY, OPENID_CLIENT_SECRET: 'hunter2' },
    { ...COMPANY, OPENID_CLIENT_SECRET: 'hunter2\n' },
    { ...COMPANY, OPENID_ISSUER: 'https://ada:hunter2@id.example' },
  ]) {
    const { settings } = inspectConfig(environment);
    assert.doesNotMatch(JSON.stringify(settings), /hunter2|q3P8|old-/, JSON.stringify(environment));
    const shown = settings.filter((one) => !one.isDefault).map((one) => one.shown);
    assert.ok(shown.includes('…'));
  }
});

test('PASSKEYS are on where browsers have them: over https and on this machine, at a name', () => {
  for (const origin of ['https://things.example', 'http://localhost:8000', 'http://a.localhost'])
    assert.equal(read({ PUBLIC_ORIGIN: origin }).passkeys, true, origin);
  for (const PUBLIC_ORIGIN of [
    'http://things.example',
    'https://192.0.2.7',
    'https://[2001:db8::1]',
    'http://127.0.0.1',
  ]) {
    assert.equal(read({ PUBLIC_ORIGIN }).passkeys, false, PUBLIC_ORIGIN);
    assertRefused({ PUBLIC_ORIGIN, PASSKEYS: '1' }, /PASSKEYS=1: browsers have no passkeys at /);
  }
  assert.equal(read({ PASSKEYS: '0' }).passkeys, false);
  assertRefused({ PASSKEYS: 'on' }, /must be 1 \(yes\) or 0/);
});

test('SECOND_FACTOR_FOR lists roles, which must be able to have one', () => {
  const both = { SECOND_FACTOR_FOR: 'administrator, member' };
  assert.deepEqual(read(both).secondFactorFor, ['administrator', 'member']);
  assert.deepEqual(read({ ...both, PASSKEYS: '0', SECRETS: SECRET }).secondFactorFor.length, 2);
  assertRefused({ SECOND_FACTOR_FOR: 'admin' }, /"admin" is no role; .*reader, member, admin/);
  assertRefused({ ...both, PASSKEYS: '0' }, /SECOND_FACTOR_FOR=.*: there is no second factor/);
  const codesOff = { PASSKEYS: '0', SECRETS: SECRET, ONE_TIME_CODES: '0' };
  assertRefused({ ...both, ...codesOff }, /there is no second factor/);
  assertRefused({ ...both, PUBLIC_ORIGIN: 'http://things.example' }, /there is no second factor/);
});

test('a company has an issuer and an id, and more if it says so', () => {
  assert.deepEqual(read(COMPANY).company, {
    issuer: 'https://id.example',
    clientId: 'things',
    clientSecret: null,
    name: 'id.example',
    scopes: ['email', 'profile'],
    register: false,
    roles: null,
    twoFactors: false,
  });
  const more = {
    OPENID_CLIENT_SECRET: 'hunter2',
    OPENID_NAME: 'Workshop East',
    OPENID_SCOPES: 'email groups',
    OPENID_REGISTER: '1',
    OPENID_ROLES: 'groups: it-admins=administrator, staff=member',
    OPENID_TWO_FACTORS: '1',
  };
  assert.partialDeepStrictEqual(read({ ...COMPANY, ...more }).company, {
    clientSecret: 'hunter2',
    name: 'Workshop East',
    scopes: ['email', 'groups'],
    register: true,
    roles: { claim: 'groups', roles: { 'it-admins': 'administrator', staff: 'member' } },
    twoFactors: true,
  });
  assert.equal(read({ ...more, OPENID_CLIENT_ID: 'things' }).company, null);
});

test('an issuer is an https address, or one of this machine', () => {
  const withIssuer = (issuer: string) => ({ ...COMPANY, OPENID_ISSUER: issuer });
  for (const issuer of ['https://id.example/realms/a', 'http://localhost:1', 'http://127.0.0.1:1'])
    assert.equal(read(withIssuer(issuer)).company?.issuer, issuer);
  for (const bad of [
    'id.example',
    'http://id.example',
    'https://id.example?a=b',
    'ftp://localhost',
  ])
    assertRefused(withIssuer(bad), /OPENID_ISSUER=…: it must be the https address/);
  assertRefused({ OPENID_ISSUER: 'https://id.example' }, /set OPENID_CLIENT_ID, too/);
});

test('OPENID_ROLES name a claim and the roles of its values, which may have spaces and signs', () => {
  const roles = (OPENID_ROLES: string) => read({ ...COMPANY, OPENID_ROLES }).company?.roles;
  assert.deepEqual(roles('https://a.example/roles: IT & Co = administrator,a=b:c=member,'), {
    claim: 'https://a.example/roles',
    roles: { 'IT & Co': 'administrator', 'a=b:c': 'member' },
  });
  for (const bad of [
    'groups',
    'groups:',
    'groups: ',
    'it=administrator',
    'groups: it',
    'groups: =member',
  ])
    assertRefused(
      { ...COMPANY, OPENID_ROLES: bad },
      /a claim and what its values mean, for example/,
    );
  assertRefused({ ...COMPANY, OPENID_ROLES: 'groups: it=admin' }, /"admin" is no role/);
});
