import assert from 'node:assert/strict';
import test from 'node:test';
import { dictionary } from '@zxcvbn-ts/language-common';
import { isEasyPassword } from './easy-password.ts';

test('the list holds the 3,000 most common passwords of eight characters and more, and many others', () => {
  const long = dictionary['passwords-common'].filter((one) => one.length >= 8);
  assert.ok(long.length > 10_000, `only ${long.length} were found`);
});

test('a common password is easy to guess, also in upper case', async () => {
  for (const password of [
    'password',
    '12345678',
    'Trustno1',
    'IloveYou',
    'qwertyuiop',
    'password1',
  ]) {
    assert.equal(await isEasyPassword(password, 'ada'), true, password);
  }
});

test('the username and the name of the site are easy to guess', async () => {
  assert.equal(await isEasyPassword('Ada.Lovelace', 'ada.lovelace'), true);
  assert.equal(await isEasyPassword('ada.lovelace', 'Ada.Lovelace'), true);
  assert.equal(await isEasyPassword('ada.lovelace', 'grace'), false);
  assert.equal(await isEasyPassword('SeeOther', 'ada'), true);
});

test('a password that only contains a common one, or has space around it, is not easy to guess', async () => {
  const others = [
    'my password is long',
    ' password',
    'password ',
    'correct horse',
    '__proto__',
    '',
  ];
  for (const password of others) {
    assert.equal(await isEasyPassword(password, 'ada'), false, JSON.stringify(password));
  }
});
