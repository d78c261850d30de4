import assert from 'node:assert/strict';
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

test('an invalid hash is an error with the remedy', async () => {
  for (const stored of ['', 'none', 'correct horse', '$argon2i$v=19$m=64,t=1,p=1$AAAA$AAAA'])
    await assert.rejects(
      verifyPassword('correct horse', stored),
      /^Error: Cannot check .* new one/,
    );
});
