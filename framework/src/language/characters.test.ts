import assert from 'node:assert/strict';
import test from 'node:test';
import { toHyphens, toLatinDigits, unifyCharacters, withoutMarks } from './characters.ts';

test('the digits of every script are the digits that Intl writes with them', () => {
  let count = 0;
  for (const system of Intl.supportedValuesOf('numberingSystem')) {
    const format = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false });
    const written = format.format(9876543210);
    if (!/^\p{Nd}+$/u.test(written)) continue;
    count++;
    assert.equal(toLatinDigits(written), '9876543210', system);
  }
  assert.ok(count > 70, `${count} systems`);
  // All that Unicode has, also those of no numbering system.
  for (let code = 0; code < 0x20000; code++) {
    const digit = String.fromCodePoint(code);
    if (/\p{Nd}/u.test(digit)) assert.match(toLatinDigits(digit), /^\d$/);
    else assert.equal(toLatinDigits(digit), digit);
  }
});

test('dashes are hyphens, marks are nothing, and wide characters are narrow', () => {
  assert.equal(toHyphens('\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uff0d\ufe63'), '-'.repeat(9));
  assert.equal(withoutMarks('\u202a\u200ea\u00adb\u200b\u2060\ufeff\u202c'), 'ab');
  assert.equal(withoutMarks('ع\u200cر\u200d'), 'ع\u200cر\u200d');
  assert.equal(unifyCharacters('\u200f−１．５\u00a0٣'), '-1.5 3');
  assert.equal(unifyCharacters('￥１，０００'), '¥1,000');
  // A superscript is no digit of a number.
  assert.equal(unifyCharacters('5²½'), '5²½');
});
