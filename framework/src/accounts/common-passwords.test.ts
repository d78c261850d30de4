import assert from 'node:assert/strict';
import test from 'node:test';
import { dictionary } from '@zxcvbn-ts/language-common';
import { readCommonPasswords } from './common-passwords.ts';

test('the list has every password of the package with eight characters or more', () => {
  const list = readCommonPasswords();
  const long = dictionary['passwords-common'].filter((one) => one.length >= 8);
  assert.ok(long.length > 10_000, `only ${long.length} were found`);
  assert.deepEqual([...list], long.toSorted());
});
