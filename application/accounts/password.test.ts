import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import test from 'node:test';
import { hashPassword, verifyPassword } from './password.ts';

test('a hash is a PHC string of Argon2id with 19 MiB, two passes and one lane', async () => {
  const stored = await hashPassword('correct horse');
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
});

test('two hashes of one password differ, and both match it', async () => {
  const [first, second] = [await hashPassword('same'), await hashPassword('same')];
  assert.notEqual(first, second);
  assert.equal(await verifyPassword('same', first), true);
  assert.equal(await verifyPassword('same', second), true);
});

test('without a hash no password matches', async () => {
  assert.equal(await verifyPassword('', null), false);
  assert.equal(await verifyPassword('correct horse', null), false);
});

test('a hash of another cost is checked at its own, so the cost can be raised', async () => {
  const cheap = await hashPassword('correct horse', { memory: 64, passes: 1 });
  assert.match(cheap, /^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
  assert.equal(await verifyPassword('correct horse', cheap), true);
  assert.equal(await verifyPassword('correct hors', cheap), false);
});

const CHEAP = { memory: 64, passes: 1 };

test('a password matches in every form of Unicode that keyboards write', async () => {
  const forms = ['Brücke 42', 'Bru\u0308cke 42', 'Brücke\u00a042', 'Bru\u0308cke\u300042'];
  for (const registered of forms) {
    const stored = await hashPassword(registered, CHEAP);
    for (const typed of forms) assert.equal(await verifyPassword(typed, stored), true, typed);
    for (const typed of ['Brucke 42', 'brücke 42', 'Brücke42', 'Brücke  42', 'Brücke ４２'])
      assert.equal(await verifyPassword(typed, stored), false, typed);
  }
});

test('a hash of an earlier version, which is of what was typed, still matches it', async () => {
  const typed = 'Bru\u0308cke\u00a042';
  const salt = crypto.randomBytes(16);
  const options = {
    message: typed,
    nonce: salt,
    memory: 64,
    passes: 1,
    parallelism: 1,
    tagLength: 32,
  };
  const hash = crypto.argon2Sync('argon2id', options);
  const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  const stored = `$argon2id$v=19$m=64,t=1,p=1$${encode(salt)}$${encode(hash)}`;
  assert.equal(await verifyPassword(typed, stored), true);
  assert.equal(await verifyPassword(typed.normalize('NFC'), stored), false);
});

test('whether an account exists, a password takes the same number of hashes', async (t) => {
  const stored = await hashPassword('correct horse', CHEAP);
  let count = 0;
  t.mock.method(crypto, 'argon2', (...given: Parameters<typeof crypto.argon2>) => {
    count++;
    given[2](null, Buffer.alloc(32));
  });
  for (const [typed, hashes] of [
    ['correct hors', 1],
    ['Brücke', 1],
    ['Bru\u0308cke', 2],
  ] as const) {
    for (const known of [stored, null]) {
      count = 0;
      assert.equal(await verifyPassword(typed, known, CHEAP), false);
      assert.equal(count, hashes, `${typed} ${known}`);
    }
  }
});

test('an invalid hash is an error with the remedy', async () => {
  for (const stored of ['', 'none', 'correct horse', '$argon2i$v=19$m=64,t=1,p=1$AAAA$AAAA'])
    await assert.rejects(
      verifyPassword('correct horse', stored),
      /^Error: Cannot check .* new one/,
    );
});
