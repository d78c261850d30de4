import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { createRecoveryCodes, toRecoveryKey, toRecoveryText } from './recovery-codes.ts';

test('there are ten codes of 121 random bits, and never the same twice', () => {
  const codes = Array.from({ length: 500 }, createRecoveryCodes).flat();
  assert.equal(codes.length, 5_000);
  assert.equal(new Set(codes).size, codes.length);
  // Each of 28 places has one of 20 letters: 28 × log2(20) is 121. A hash without salt needs 112 (ASVS 5.0, 6.5.2).
  const places = codes.map((code) => code.replaceAll('-', ''));
  for (let at = 0; at < 28; at++)
    assert.equal(new Set(places.map((code) => code[at])).size, 20, `letter ${at}`);
});

test('a code is seven groups of four letters, without those that look alike', () => {
  for (const code of createRecoveryCodes()) {
    assert.match(code, /^([A-Z]{4}-){6}[A-Z]{4}$/);
    assert.doesNotMatch(code, /[AEIOUY0-9]/);
  }
});

test('the letters are equally likely', () => {
  const letters = Array.from({ length: 500 }, createRecoveryCodes).flat().join('');
  const counts = [...'BCDFGHJKLMNPQRSTVWXZ'].map((letter) => letters.split(letter).length - 1);
  // 7,000 of each of 20 letters; six standard deviations are 490.
  for (const count of counts) assert.ok(Math.abs(count - 7_000) < 490, `${count}`);
});

test('case, spaces and hyphens of what was typed do not matter', () => {
  const key = toRecoveryKey('WDJB-MJHT-KLRQ-BCVF-XZPN');
  for (const typed of [
    'WDJBMJHTKLRQBCVFXZPN',
    'wdjb-mjht-klrq-bcvf-xzpn',
    ' wdjb mjht\u00a0klrq bcvf xzpn\r\n',
    'WDJB–MJHT—KLRQ‑BCVF-XZPN',
  ])
    assert.equal(toRecoveryKey(typed), key, JSON.stringify(typed));
});

test('the key is the SHA-256 of the letters, and another code has another key', () => {
  const [code = '', ...others] = createRecoveryCodes();
  const digest = createHash('sha256').update(code.replaceAll('-', '')).digest('hex');
  assert.equal(toRecoveryKey(code), digest);
  assert.ok(!others.map(toRecoveryKey).includes(digest));
  for (const wrong of ['', code.slice(1), `${code}B`, `${code}0`, [...code].reverse().join('')])
    assert.notEqual(toRecoveryKey(wrong), digest);
});

test('the file has the title, a code in each line, and the advice', () => {
  const codes = ['WDJB-MJHT-KLRQ-BCVF-XZPN', 'BBBB-CCCC-DDDD-FFFF-GGGG'];
  assert.equal(
    toRecoveryText({ title: 'Recovery codes for Example', codes, advice: 'Each works once.' }),
    'Recovery codes for Example\n\nWDJB-MJHT-KLRQ-BCVF-XZPN\nBBBB-CCCC-DDDD-FFFF-GGGG\n\nEach works once.\n',
  );
});
