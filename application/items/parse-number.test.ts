import assert from 'node:assert/strict';
import test from 'node:test';
import { parseNumber } from './parse-number.ts';

test('a number is written with digits alone, up to 2^53 - 1', () => {
  assert.equal(parseNumber('1'), 1);
  assert.equal(parseNumber('10'), 10);
  assert.equal(parseNumber('9007199254740991'), Number.MAX_SAFE_INTEGER);
});

test('every other spelling is not a number', () => {
  const spellings = [
    '',
    '0',
    '01',
    '+1',
    '-1',
    '1e3',
    '1.0',
    '0x1',
    ' 1',
    '1\n',
    '１',
    'NaN',
    '9007199254740992',
    '9'.repeat(400),
  ];
  for (const spelling of spellings) assert.equal(parseNumber(spelling), null, spelling);
});
