import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import test, { type TestContext } from 'node:test';
import { createPassword, createPasswords } from './passwords.ts';

const CHEAP = { argon2id: { memory: 64, passes: 1 }, scrypt: { ln: 4, r: 8, p: 1 } };
const cheap = createPasswords(CHEAP);
const cheapScrypt = createPasswords({ ...CHEAP, algorithm: 'scrypt' });

/** The runtime lacks Argon2 until the end of the test, as Node 22 does. */
function removeArgon2(t: TestContext): void {
  const { argon2 } = crypto;
  t.after(() => Object.assign(crypto, { argon2 }));
  Object.assign(crypto, { argon2: undefined });
}

test('a hash is a PHC string of Argon2id with 19 MiB, two passes and one lane', async () => {
  const stored = await createPasswords().hash('correct horse');
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
});

test('without Argon2, a hash is a PHC string of scrypt with 128 MiB', async (t) => {
  removeArgon2(t);
  const passwords = createPasswords();
  const stored = await passwords.hash('correct horse');
  assert.match(stored, /^\$scrypt\$ln=17,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.equal(await passwords.verify('correct horse', stored), true);
  assert.equal(await passwords.verify('correct hors', stored), false);
});

test('a hash of scrypt is the one of RFC 7914', async () => {
  // Section 12, with the first 32 bytes of the result.
  const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  const salt = Buffer.from('SodiumChloride');
  const hash = Buffer.from(
    '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2',
    'hex',
  );
  const known = `$scrypt$ln=14,r=8,p=1$${encode(salt)}$${encode(hash)}`;
  assert.equal(await cheap.verify('pleaseletmein', known), true);
  assert.equal(await cheap.verify('pleaseletmeout', known), false);
});

test('two hashes of one password differ, and both match it', async () => {
  for (const passwords of [cheap, cheapScrypt]) {
    const [first, second] = [await passwords.hash('same'), await passwords.hash('same')];
    assert.notEqual(first, second);
    assert.equal(await passwords.verify('same', first), true);
    assert.equal(await passwords.verify('same', second), true);
  }
});

test('without a hash no password matches', async (t) => {
  for (const passwords of [cheap, cheapScrypt]) {
    assert.equal(await passwords.verify('', null), false);
    assert.equal(await passwords.verify('correct horse', null), false);
  }
  // Not even the one that has the hash which stands in for it.
  t.mock.method(crypto, 'timingSafeEqual', () => true);
  assert.equal(await cheap.verify('correct horse', null), false);
});

test('a hash of another algorithm or cost is checked at its own, and is to be made anew', async () => {
  const dearer = createPasswords({
    argon2id: { memory: 128, passes: 1 },
    scrypt: { ln: 5, r: 8, p: 1 },
  });
  for (const stored of [
    await cheap.hash('correct horse'),
    await cheapScrypt.hash('correct horse'),
  ]) {
    assert.equal(await dearer.verify('correct horse', stored), true);
    assert.equal(await dearer.verify('correct hors', stored), false);
    assert.equal(dearer.needsRehash(stored), true);
  }
  const [argon2, scrypt] = [await cheap.hash('x'), await cheapScrypt.hash('x')];
  assert.deepEqual([argon2, scrypt].map(cheap.needsRehash), [false, true]);
  assert.deepEqual([argon2, scrypt].map(cheapScrypt.needsRehash), [true, false]);
  // A cost that was lowered again: hashes of another cost answer in another time than names that do not exist.
  assert.equal(cheap.needsRehash(await dearer.hash('x')), true);
});

test('an Argon2id hash on a runtime without it is an error with the remedy, never a match', async (t) => {
  const stored = await cheap.hash('correct horse');
  removeArgon2(t);
  const without = createPasswords(CHEAP);
  const remedy =
    /^Error: Cannot check a password: .* Node 24\.7 or newer, or set a new password\.$/;
  await assert.rejects(without.verify('correct horse', stored), remedy);
  assert.equal(without.needsRehash(stored), true);
  assert.equal(await without.verify('x', await cheapScrypt.hash('x')), true);
  assert.throws(() => createPasswords({ algorithm: 'argon2id' }), /Cannot hash .* Use Node 24\.7/);
});

test('a password matches in every form of Unicode that keyboards write', async () => {
  const forms = ['Brücke 42', 'Bru\u0308cke 42', 'Brücke\u00a042', 'Bru\u0308cke\u300042'];
  for (const passwords of [cheap, cheapScrypt]) {
    for (const registered of forms) {
      const stored = await passwords.hash(registered);
      for (const typed of forms) assert.equal(await passwords.verify(typed, stored), true, typed);
      for (const typed of ['Brucke 42', 'brücke 42', 'Brücke42', 'Brücke  42', 'Brücke ４２'])
        assert.equal(await passwords.verify(typed, stored), false, typed);
    }
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
  assert.equal(await cheap.verify(typed, stored), true);
  assert.equal(await cheap.verify(typed.normalize('NFC'), stored), false);
});

test('whether an account exists, a password takes the same hashes at the same cost', async (t) => {
  const stored = [await cheap.hash('correct horse'), await cheapScrypt.hash('correct horse')];
  const costs: unknown[] = [];
  t.mock.method(crypto, 'argon2', (...[, options, done]: Parameters<typeof crypto.argon2>) => {
    const { memory, passes, parallelism, tagLength } = options;
    costs.push({ memory, passes, parallelism, tagLength });
    done(null, Buffer.alloc(32));
  });
  t.mock.method(crypto, 'scrypt', (...given: readonly never[]) => {
    const [, , length, { N, r, p }, done] = given as unknown as [
      string,
      Buffer,
      number,
      { N: number; r: number; p: number },
      (error: null, hash: Buffer) => void,
    ];
    costs.push({ N, r, p, length });
    done(null, Buffer.alloc(32));
  });
  for (const [at, passwords] of [cheap, cheapScrypt].entries()) {
    for (const [typed, hashes] of [
      ['correct hors', 1],
      ['Brücke', 1],
      ['Bru\u0308cke', 2],
    ] as const) {
      const seen = [];
      for (const known of [stored[at] ?? '', null]) {
        costs.length = 0;
        assert.equal(await passwords.verify(typed, known), false);
        assert.equal(costs.length, hashes, `${typed} ${known}`);
        seen.push([...costs]);
      }
      assert.deepEqual(seen[0], seen[1]);
    }
  }
});

test('an invalid hash is an error with the remedy, and one that anything could match is invalid', async () => {
  const salt = 'A'.repeat(22);
  for (const stored of [
    '',
    'none',
    'correct horse',
    '$argon2i$v=19$m=64,t=1,p=1$AAAA$AAAA',
    `$argon2id$v=19$m=64,t=1,p=1$${salt}$A`,
    `$argon2id$v=19$m=64,t=1,p=1$${salt}$AAAA`,
    `$argon2id$v=19$m=64,t=1,p=1$A$${'A'.repeat(43)}`,
    `$scrypt$ln=4,r=8,p=1$${salt}$AAAA`,
    `$scrypt$ln=4,r=8,p=1$${salt}$${'A'.repeat(43)}$`,
    `$2b$12$${'A'.repeat(53)}`,
  ]) {
    await assert.rejects(cheap.verify('correct horse', stored), /^Error: Cannot check .* new one/);
    assert.throws(() => cheap.needsRehash(stored), /^Error: Cannot check .* new one/);
  }
});

test('a password of the program has 140 random bits, and no characters that look alike', () => {
  const made = new Set(Array.from({ length: 100 }, createPassword));
  assert.equal(made.size, 100);
  for (const one of made) assert.match(one, /^(?:[a-km-np-z2-9]{4}-){6}[a-km-np-z2-9]{4}$/);
});
