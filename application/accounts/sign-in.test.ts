import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { readConfig } from '../settings/config.ts';
import { createTestFolder } from '../testing/open-test-database.ts';
import { hasTwoFactors, openSignIn, toRole } from './sign-in.ts';

const SECRET = 'x'.repeat(32);
const COMPANY = { OPENID_ISSUER: 'https://id.example', OPENID_CLIENT_ID: 'things' };

const open = (environment: Readonly<Record<string, string>>) => openSignIn(readConfig(environment));

test('what the settings do not ask for is not there', async () => {
  assert.deepEqual(await open({ PASSKEYS: '0' }), { secondFactorFor: [] });
});

test('only the packages of the ways that are on are loaded, that of passkeys when one is used', () => {
  const load = (environment: Readonly<Record<string, string>>) => {
    const program = `
      import { registerHooks } from 'node:module';
      const loaded = new Set();
      registerHooks({ resolve: (name, context, next) => (loaded.add(name), next(name, context)) });
      const { readConfig } = await import('./application/settings/config.ts');
      const { openSignIn } = await import('./application/accounts/sign-in.ts');
      const { passkeys } = await openSignIn(readConfig(${JSON.stringify(environment)}));
      await passkeys?.toSignIn({ origin: 'https://things.example' });
      const passkey = ['seeother/passkeys', '@simplewebauthn/server'];
      const packages = ['otpauth', 'qr', ...passkey, 'openid-client', 'jose'];
      process.stdout.write(packages.filter((name) => loaded.has(name)).join());`;
    const cwd = join(import.meta.dirname, '../..');
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { cwd, encoding: 'utf8' },
    );
    assert.equal(stderr, '');
    return stdout;
  };
  assert.equal(load({ PASSKEYS: '0' }), '');
  assert.equal(load({ PASSKEYS: '1' }), 'seeother/passkeys');
  assert.equal(load({ PASSKEYS: '0', SECRETS: SECRET }), 'otpauth,qr');
  assert.equal(load({ PASSKEYS: '0', ...COMPANY }), 'openid-client,jose');
});

test('one-time codes and passkeys have the names and the secrets of the settings', async () => {
  const environment = { SECRETS: SECRET, SECOND_FACTOR_FOR: 'administrator', SITE_NAME: 'East' };
  const { totp, passkeys, secrets, secondFactorFor, providers } = await open(environment);
  assert.equal(totp?.createSecret().length, 32);
  const origin = 'https://things.example';
  const user = { handle: 'AAAA', name: 'ada' };
  const asked = await passkeys?.toAdd({ origin, user, existing: [] });
  assert.equal(JSON.parse(asked?.options ?? '{}').rp.name, 'East');
  assert.deepEqual(secrets, [SECRET]);
  assert.deepEqual(secondFactorFor, ['administrator']);
  assert.equal(providers, undefined);
});

test('a list of breached passwords is read at the start, and refused in one line', async (t) => {
  const folder = join(createTestFolder(t), 'ranges');
  mkdirSync(folder);
  await assert.rejects(open({ BREACHED_PASSWORDS: folder }), {
    name: 'StartError',
    message: /^Cannot start with BREACHED_PASSWORDS=\S+ranges: \P{Cc}+00000\.txt\P{Cc}+$/u,
  });
  for (const range of ['00000', '80000', 'FFFFF'])
    writeFileSync(join(folder, `${range}.txt`), `${'0'.repeat(35)}:3\r\n`);
  const { passwords } = await open({ BREACHED_PASSWORDS: folder });
  assert.deepEqual(passwords, { accepted: { breached: folder } });
});

test('a company is a provider with the name and the rule of registration of the settings', async () => {
  const { providers = [] } = await open({ ...COMPANY, OPENID_NAME: 'East', OPENID_REGISTER: '1' });
  assert.partialDeepStrictEqual(providers, [
    { id: 'company', name: 'East', issuer: 'https://id.example', register: true },
  ]);
  assert.equal((await open(COMPANY)).providers?.[0]?.register, false);
});

test('an issuer that lets in everybody, or is none, is refused in one line', async () => {
  for (const OPENID_ISSUER of [
    'https://login.microsoftonline.com/common/v2.0',
    'https://id.example/.well-known/openid-configuration',
  ])
    await assert.rejects(open({ ...COMPANY, OPENID_ISSUER }), {
      name: 'StartError',
      message: /^Cannot start with OPENID_ISSUER=https:\P{Cc}+\.$/u,
    });
});

test('the highest role of the claim counts, and who has none of its values has the lowest', () => {
  const roles = { it: 'administrator', staff: 'member', guests: 'reader' } as const;
  const roleOf = (groups: unknown) => toRole({ groups }, { claim: 'groups', roles });
  assert.equal(roleOf(['staff', 'it']), 'administrator');
  assert.equal(roleOf('staff'), 'member');
  for (const none of [
    undefined,
    null,
    [],
    ['others'],
    'It',
    'staff,it',
    { it: true },
    ['constructor'],
    7,
  ])
    assert.equal(roleOf(none), 'reader', JSON.stringify(none));
});

test('a second factor of the company counts if it says "mfa"', () => {
  assert.equal(hasTwoFactors({ amr: ['pwd', 'mfa'] }), true);
  for (const amr of [undefined, [], ['pwd'], 'mfa', ['pwd', 'otp']])
    assert.equal(hasTwoFactors({ amr }), false);
});
