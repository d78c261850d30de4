import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { inspect } from 'node:util';
import { german } from '../language/german.ts';
import { createTestFolder } from '../testing/test-folder.ts';
import { createNewPasswords, passwordAgainField } from './new-password.ts';

const { check, find, field } = createNewPasswords({ siteNames: ['Seeother', 'See other'] });
const ADA = { username: 'ada' };

test('a common password is easy to guess, also in upper case', async () => {
  for (const password of [
    'password',
    '12345678',
    'Trustno1',
    'IloveYou',
    'qwertyuiop',
    'password1',
  ])
    assert.equal(await find(password, ADA), 'common', password);
});

test('the username and the names of the site are easy to guess', async () => {
  const lovelace = { username: 'ada.lovelace' };
  assert.equal(await find('Ada.Lovelace', lovelace), 'personal');
  assert.equal(await find('ada.lovelace', { username: 'Ada.Lovelace' }), 'personal');
  assert.equal(await find('ada.lovelace', { username: 'grace' }), null);
  assert.equal(await find('SeeOther', ADA), 'personal');
  assert.equal(await find('see\u00a0other', ADA), 'personal');
  assert.equal(await find('Bru\u0308ckenbau', { username: 'Brückenbau' }), 'personal');
});

test('the address and its parts are easy to guess', async () => {
  const owner = { username: null, email: 'Augusta.King+news@analytical.example.org' };
  for (const password of [
    'augusta.king+news@analytical.example.org',
    'augusta.king+news',
    'Augusta.King',
    'analytical.example.org',
    'Analytical',
  ])
    assert.equal(await find(password, owner), 'personal', password);
  for (const email of [null, '', 'no address'])
    assert.equal(await find('augusta.king', { email }), null);
});

test('a password that only contains a common one, or has space around it, is not easy to guess', async () => {
  for (const password of [
    'my password is long',
    ' password',
    'password ',
    'correct horse',
    '__proto__',
    '',
  ])
    assert.equal(await find(password, ADA), null, JSON.stringify(password));
});

const fields = ['password', 'again'] as const;
const sentBoth = [
  { name: 'password', value: '' },
  { name: 'again', value: '' },
] as never;

test('a form says both that its password is easy to guess and that the second one differs', async () => {
  const values = { password: 'password', again: 'passwort' };
  const form = { sent: sentBoth };
  assert.deepEqual(await check({ form, values }, { fields, ...ADA }), [
    {
      field: 'password',
      message:
        'Choose a password that is harder to guess: this one is on lists of common passwords',
    },
    {
      field: 'again',
      message: 'The two passwords are different. Type the same password twice',
    },
  ]);
  const inGerman = await check({ form: { ...form, language: german }, values }, { fields, ...ADA });
  assert.match(inGerman[0]?.message ?? '', /^Wählen Sie ein Passwort/);
  assert.match(inGerman[1]?.message ?? '', /^Die beiden Passwörter sind verschieden/);
});

test('the second password may be left out, but not empty, and is compared as it is hashed', async () => {
  const errorsOf = async (password: string, again: string | undefined, sent: unknown) => {
    const values = { password, ...(again === undefined ? {} : { again }) };
    const errors = await check({ form: { sent: sent as never }, values }, { fields, ...ADA });
    return errors.map((error) => error.field);
  };
  assert.deepEqual(await errorsOf('correct horse', undefined, [{ name: 'password' }]), []);
  for (const again of ['', 'correct horse ', 'correct hors'])
    assert.deepEqual(await errorsOf('correct horse', again, sentBoth), ['again']);
  assert.deepEqual(await errorsOf('Bru\u0308cke 42', 'Brücke\u00a042', sentBoth), []);
  // The field has refused it.
  assert.deepEqual(await errorsOf('', 'x', sentBoth), []);
});

test('the field takes 8 to 1,000 characters, and the one for the password again leaves lengths to it', () => {
  const options = { label: 'Password', required: 'Enter a password' };
  const parse = (its: typeof field, text: string) =>
    (its(options).parse(text, { language: german } as never) as { readonly ok: boolean }).ok;
  assert.deepEqual(
    [7, 8, 1_000, 1_001].map((length) => parse(field, 'x'.repeat(length))),
    [false, true, true, false],
  );
  assert.equal(parse(passwordAgainField, 'x'.repeat(1_001)), true);
});

test('lengths that a site must not ask for are refused at the start', () => {
  for (const lengths of [{ minLength: 7 }, { maxLength: 63 }])
    assert.throws(() => createNewPasswords(lengths), /^TypeError: Cannot take new passwords of/);
});

test('a breached password is refused; a list that cannot be read is reported and refuses nothing', async (t) => {
  const folder = createTestFolder(t);
  const sha1 = createHash('sha1').update('correct horse').digest('hex').toUpperCase();
  const file = join(folder, `${sha1.slice(0, 5)}.txt`);
  writeFileSync(file, `${'0'.repeat(35)}:3\r\n${sha1.slice(5)}:12`);
  for (const range of ['00000', '80000', 'FFFFF'])
    writeFileSync(join(folder, `${range}.txt`), `${'0'.repeat(35)}:3`);
  const reports: { readonly message: string; readonly error?: unknown }[] = [];
  const report = (entry: { readonly message: string; readonly error?: unknown }) =>
    void reports.push(entry);
  const own = createNewPasswords({ breached: folder, report });
  assert.equal(await own.find('correct horse', ADA), 'breached');
  assert.equal(reports.length, 0);
  writeFileSync(file, '<html>Service unavailable</html>');
  assert.equal(await own.find('correct horse', ADA), null);
  rmSync(file);
  assert.equal(await own.find('correct horse', ADA), null);
  assert.deepEqual(
    reports.map(({ message }) => message),
    Array(2).fill('A new password was not looked up in the list of breached ones'),
  );
  assert.match(String(reports[0]?.error), /missing or damaged \(no list of SHA-1/);
  // The name of its file is a part of the hash of the password.
  const text = inspect(reports, { depth: null });
  for (const secret of ['correct horse', sha1.slice(0, 5)])
    assert.equal(text.includes(secret), false, text);
  assert.throws(
    () => createNewPasswords({ breached: join(folder, 'missing') }),
    /Cannot read the list of breached passwords at .*missing.* do without the list/,
  );
});
