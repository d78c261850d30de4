import assert from 'node:assert/strict';
import { createDecipheriv, hkdfSync } from 'node:crypto';
import test from 'node:test';
import fc from 'fast-check';
import { createSeal } from './seal.ts';

const NEW = 'Pq0nT3vY8xK2mR5wZ7sL1dF4gH6jC9bA';
const OLD = 'aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV';
const OF_ANNA = { account: 7, use: 'totp' };
const TEXT = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test('a sealed text opens, and does not show what it contains', () => {
  const { seal, open } = createSeal(NEW);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), fc.string(), (text, account, use) => {
      const sealed = seal(text, { account, use });
      assert.match(sealed, /^v1\.[A-Za-z0-9_-]{38,}$/);
      assert.equal(open(sealed, { account, use }), text);
    }),
  );
  assert.ok(!seal(TEXT, OF_ANNA).includes(TEXT));
});

test('the same text is never sealed the same way twice', () => {
  const { seal } = createSeal(NEW);
  assert.equal(new Set(Array.from({ length: 1_000 }, () => seal(TEXT, OF_ANNA))).size, 1_000);
});

test('the format stays the same: AES-256-GCM with a key of HKDF-SHA-256', () => {
  const bytes = Buffer.from(createSeal(NEW).seal(TEXT, OF_ANNA).slice(3), 'base64url');
  const key = Buffer.from(hkdfSync('sha256', NEW, '', 'seeother accounts seal v1', 32));
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  decipher.setAAD(Buffer.from('["totp","7"]')).setAuthTag(bytes.subarray(-16));
  const text = decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8');
  assert.equal(text, TEXT);
  // Stored by a former release.
  const stored =
    'v1.fABD7nqUsM-H5T4AT72op0PvYwE02Eo8Nah5hLKHUD2CSM1ay_eAOC-rcIAX2B7s1TZAOeRaslSyUjQK';
  assert.equal(createSeal(NEW).open(stored, OF_ANNA), TEXT);
});

test('a sealed text does not open for another account or another use', () => {
  const { seal, open } = createSeal(NEW);
  const sealed = seal(TEXT, OF_ANNA);
  for (const other of [
    { account: 8, use: 'totp' },
    { account: 7, use: 'openid' },
    { account: 'totp', use: '7' },
    { account: '7","totp', use: '' },
    { account: '', use: 'totp7' },
  ])
    assert.equal(open(sealed, other), null, JSON.stringify(other));
  for (const account of ['7', 7n]) assert.equal(open(sealed, { account, use: 'totp' }), TEXT);
});

test('no part of a sealed text can be changed', () => {
  const { seal, open } = createSeal(NEW);
  const sealed = seal(TEXT, OF_ANNA);
  for (let at = 0; at < sealed.length; at++)
    for (const character of 'AQgw_-.=+ ') {
      const changed = sealed.slice(0, at) + character + sealed.slice(at + 1);
      if (changed !== sealed) assert.equal(open(changed, OF_ANNA), null, changed);
    }
  for (let length = 0; length < sealed.length; length++)
    assert.equal(open(sealed.slice(0, length), OF_ANNA), null);
  for (const more of ['A', '=', ' ', '\n', '.', sealed])
    assert.equal(open(sealed + more, OF_ANNA), null);
  fc.assert(fc.property(fc.string(), (text) => open(`v1.${text}`, OF_ANNA) === null));
});

test('two sealed texts cannot be combined', () => {
  const { seal, open } = createSeal(NEW);
  const [one = '', other = ''] = [TEXT, TEXT.toLowerCase()].map((text) => seal(text, OF_ANNA));
  for (let at = 4; at < one.length; at++)
    assert.equal(open(one.slice(0, at) + other.slice(at), OF_ANNA), null);
});

test('a text opens with no other secret', () => {
  const sealed = createSeal(OLD).seal(TEXT, OF_ANNA);
  for (const secrets of [NEW, OLD.toLowerCase(), `${OLD}A`, [NEW, null], null])
    assert.equal(createSeal(secrets).open(sealed, OF_ANNA), null);
});

test('after a rotation, an old secret still opens, and the new one seals', () => {
  const both = createSeal([NEW, OLD]);
  const old = createSeal(OLD).seal(TEXT, OF_ANNA);
  assert.equal(both.open(old, OF_ANNA), TEXT);
  const renewed = both.renew(old, OF_ANNA) ?? '';
  assert.equal(createSeal(NEW).open(renewed, OF_ANNA), TEXT);
  assert.equal(createSeal(OLD).open(renewed, OF_ANNA), null);
  assert.equal(both.renew(renewed, OF_ANNA), null);
});

test('a text of another account is not renewed', () => {
  const old = createSeal(OLD).seal(TEXT, OF_ANNA);
  assert.equal(createSeal([NEW, OLD]).renew(old, { ...OF_ANNA, account: 8 }), null);
  assert.equal(createSeal([NEW, OLD]).renew('nothing', OF_ANNA), null);
});

test('without a secret, text is stored as it is, with a mark', () => {
  const { seal, open, renew } = createSeal(null);
  assert.equal(seal(TEXT, OF_ANNA), `plain.${TEXT}`);
  assert.equal(open(`plain.${TEXT}`, OF_ANNA), TEXT);
  assert.equal(renew(`plain.${TEXT}`, OF_ANNA), null);
  assert.equal(open(TEXT, OF_ANNA), null);
});

test('old plain text opens and is sealed if the list has null', () => {
  const { open, renew } = createSeal([NEW, null]);
  assert.equal(open(`plain.${TEXT}`, OF_ANNA), TEXT);
  const renewed = renew(`plain.${TEXT}`, OF_ANNA) ?? '';
  assert.equal(createSeal(NEW).open(renewed, OF_ANNA), TEXT);
});

test('plain text that somebody writes into a row does not open where only secrets are allowed', () => {
  for (const secrets of [NEW, [NEW, OLD]])
    assert.equal(createSeal(secrets).open(`plain.${TEXT}`, OF_ANNA), null);
});

test('a secret of fewer than 32 characters is refused, and none is shown', () => {
  for (const secrets of ['', 'hunter2', NEW.slice(1), [NEW, 'hunter2'], []])
    assert.throws(
      () => createSeal(secrets),
      (error: Error) =>
        error instanceof TypeError &&
        !/hunter2|Pq0/.test(error.message) &&
        /pass/.test(error.message),
    );
  assert.throws(() => createSeal(undefined as unknown as null), TypeError);
});
