import assert from 'node:assert/strict';
import test from 'node:test';
import { isFormType } from './media-type.ts';

test('the content type of a form is recognised in any case and with parameters', () => {
  const types = [
    'application/x-www-form-urlencoded',
    'Application/X-WWW-Form-Urlencoded',
    'application/x-www-form-urlencoded;charset=UTF-8',
    'application/x-www-form-urlencoded; charset=utf-8',
    'application/x-www-form-urlencoded \t;\tcharset="utf8" ',
    'application/x-www-form-urlencoded; boundary=x; charset=utf-8',
    'application/x-www-form-urlencoded; note="a b"',
    'application/x-www-form-urlencoded; note=',
  ];
  assert.deepEqual(
    types.filter((type) => !isFormType(type)),
    [],
  );
});

test('anything else is not a form', () => {
  const types = [
    '',
    'text/plain',
    'application/json',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded2',
    'x-application/x-www-form-urlencoded',
    ' application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded, text/plain',
    'text/plain; application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded; charset',
    'application/x-www-form-urlencoded; =utf-8',
    'application/x-www-form-urlencoded; note="open',
    'application/x-www-form-urlencoded\n',
  ];
  assert.deepEqual(
    types.filter((type) => isFormType(type)),
    [],
  );
  assert.equal(isFormType(undefined), false);
});

test('a form in another character set is not read', () => {
  for (const charset of ['iso-8859-1', '"UTF-16"', 'utf-8x', 'utf_8', '']) {
    assert.equal(isFormType(`application/x-www-form-urlencoded; charset=${charset}`), false);
  }
  assert.equal(
    isFormType('application/x-www-form-urlencoded; charset=latin1; charset=utf-8'),
    false,
  );
});

const FORM = 'application/x-www-form-urlencoded';

test('an invalid header is rejected in linear time', () => {
  // In quadratic time, none of these would end.
  for (const part of [' ', ';', '; ', ';a=b', ';  a=  ', ';a="b"', ';a=""', '; a=b ', 'a']) {
    for (const start of ['', ';a="', ';a=b'])
      assert.equal(isFormType(`${FORM}${start}${part.repeat(300_000)};!`), false);
  }
});
