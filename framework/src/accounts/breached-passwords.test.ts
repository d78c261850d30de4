import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs, { rmSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { createTestFolder } from '../testing/test-folder.ts';
import { openBreachedPasswords } from './breached-passwords.ts';

const toSha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase();

/** Writes the range of the password, as the service sends it; returns its file. */
function writeRange(folder: string, password: string, count: number): string {
  const sha1 = toSha1(password);
  const file = join(folder, `${sha1.slice(0, 5)}.txt`);
  const lines = [`${'0'.repeat(35)}:3`, `${sha1.slice(5)}:${count}`, `${'F'.repeat(35)}:9`];
  writeFileSync(file, lines.join('\r\n'));
  return file;
}

function makeFolder(t: TestContext): string {
  const folder = createTestFolder(t);
  for (const range of ['00000', '80000', 'FFFFF'])
    writeFileSync(join(folder, `${range}.txt`), `${'0'.repeat(35)}:3\r\n${'1'.repeat(35)}:1`);
  return folder;
}

const PASSWORDS = Array.from({ length: 5_000 }, (_, at) => `password ${at}`);

/** As the downloader writes it: each range begins with a byte order mark. */
function makeFile(t: TestContext, change = (text: string) => text): string {
  const own = PASSWORDS.map((password, at) => `${toSha1(password)}:${at + 1}`);
  const lines = [`${'0'.repeat(39)}A:3`, ...own, `${'F'.repeat(39)}A:1234`].sort();
  let range = '';
  const marked = lines.map((line) => {
    const isFirst = line.slice(0, 3) !== range;
    range = line.slice(0, 3);
    return isFirst ? `\uFEFF${line}` : line;
  });
  const file = join(createTestFolder(t), 'pwnedpasswords.txt');
  writeFileSync(file, change(`${marked.join('\n')}\n`));
  return file;
}

test('a password is found in the file of its range, and another of the range is not', async (t) => {
  const folder = makeFolder(t);
  writeRange(folder, 'correct horse', 12);
  writeRange(folder, 'padding', 0);
  const list = openBreachedPasswords(folder);
  assert.equal(await list.has('correct horse'), true);
  // The service pads ranges with hashes that nobody has.
  assert.equal(await list.has('padding'), false);
  const range = join(folder, `${toSha1('battery staple').slice(0, 5)}.txt`);
  writeFileSync(range, `${'0'.repeat(35)}:3`);
  assert.equal(await list.has('battery staple'), false);
});

test('a password is found in the one file of all hashes, wherever its line is', async (t) => {
  const file = makeFile(t);
  for (const change of [(text: string) => text, (text: string) => text.replaceAll('\n', '\r\n')]) {
    const list = openBreachedPasswords(change === undefined ? file : makeFile(t, change));
    for (const password of PASSWORDS.filter((_, at) => at % 7 === 0))
      assert.equal(await list.has(password), true, password);
    for (const password of PASSWORDS.slice(0, 500))
      assert.equal(await list.has(`${password}!`), false);
  }
  const list = openBreachedPasswords(file);
  const inOrder = PASSWORDS.toSorted((one, other) => (toSha1(one) < toSha1(other) ? -1 : 1));
  for (const password of [...inOrder.slice(0, 3), ...inOrder.slice(-3)])
    assert.equal(await list.has(password), true, password);
});

test('what was typed is found, and the form of it that is hashed', async (t) => {
  const folder = makeFolder(t);
  const typed = 'Bru\u0308cke 42';
  writeRange(folder, typed, 1);
  writeFileSync(
    join(folder, `${toSha1(typed.normalize('NFC')).slice(0, 5)}.txt`),
    `${'0'.repeat(35)}:3`,
  );
  assert.equal(await openBreachedPasswords(folder).has(typed), true);
  writeRange(folder, typed.normalize('NFC'), 1);
  writeRange(folder, typed, 0);
  assert.equal(await openBreachedPasswords(folder).has(typed), true);
});

test('a check opens one file, and reads little of the one of all hashes', async (t) => {
  const folder = makeFolder(t);
  writeRange(folder, 'correct horse', 12);
  const lists = [openBreachedPasswords(folder), openBreachedPasswords(makeFile(t))];
  const opened: string[] = [];
  let bytes = 0;
  const { open } = promises;
  t.mock.method(promises, 'open', async (name: string) => {
    opened.push(name);
    const file = await open(name);
    const { read } = file;
    file.read = (async (...given: readonly unknown[]) => {
      bytes += Number(given[2]);
      return read.apply(file, given as never);
    }) as typeof read;
    return file;
  });
  for (const name of ['readFile', 'readFileSync', 'createReadStream'] as const)
    t.mock.method(fs, name, () => assert.fail('the whole file is read'));
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  assert.equal(await lists[0]?.has('correct horse'), true);
  assert.equal(opened.length, 1);
  bytes = 0;
  assert.equal(await lists[1]?.has('password 1'), true);
  assert.equal(opened.length, 2);
  assert.ok(bytes > 0 && bytes < 10_000, `${bytes} bytes of 240,000 were read`);
});

test('what is missing or no such list is an error at the start', async (t) => {
  const folder = makeFolder(t);
  const remedy = /^Error: Cannot read the list of breached passwords/;
  assert.throws(() => openBreachedPasswords(join(folder, 'missing')), remedy);
  assert.throws(() => openBreachedPasswords(createTestFolder(t)), remedy);
  const texts = {
    empty: '',
    'an error page': '<html></html>',
    // Of 32 digits.
    'a range of NTLM': `${'0'.repeat(27)}:3`,
    'a line that ends early': `${'0'.repeat(35)}:3\r\n${'1'.repeat(35)}:`,
    'a range with whole hashes': `${'0'.repeat(40)}:3`,
    'much too long': `${'0'.repeat(35)}:3\r\n`.repeat(30_000),
  };
  for (const [name, text] of Object.entries(texts)) {
    writeFileSync(join(folder, '80000.txt'), text);
    assert.throws(() => openBreachedPasswords(folder), remedy, name);
  }
  rmSync(join(folder, '80000.txt'));
  assert.throws(() => openBreachedPasswords(folder), remedy);
  const changes = {
    empty: () => '',
    'an error page': () => '<html></html>',
    'ordered by count': (text: string) => {
      const [first = '', ...others] = text.replaceAll('\uFEFF', '').trim().split('\n');
      const last = others.pop();
      const byCount = others.sort((one, other) => Number(one.slice(41)) - Number(other.slice(41)));
      return [first, ...byCount, last].join('\n');
    },
    'cut off in a line': (text: string) => text.slice(0, -5),
    'stopped before the last ranges': (text: string) =>
      `${text.trim().split('\n').slice(0, -1).join('\n')}\n`,
    'hashes of NTLM': (text: string) => text.replaceAll(/[0-9A-F]{8}:/g, ':'),
  };
  for (const [name, change] of Object.entries(changes))
    assert.throws(() => openBreachedPasswords(makeFile(t, change)), remedy, name);
});

test('what is damaged later is an error of the check', async (t) => {
  const folder = makeFolder(t);
  const file = writeRange(folder, 'correct horse', 12);
  const list = openBreachedPasswords(folder);
  writeFileSync(file, '');
  await assert.rejects(list.has('correct horse'), /missing or damaged \(no list of SHA-1/);
  rmSync(file);
  await assert.rejects(list.has('correct horse'), /missing or damaged \(ENOENT\)/);
  const one = makeFile(t);
  const all = openBreachedPasswords(one);
  for (const text of ['', '\0'.repeat(300_000), 'x\n'.repeat(100_000)]) {
    writeFileSync(one, text);
    await assert.rejects(all.has('password 1'), /missing or damaged \(no list of SHA-1/);
  }
});
