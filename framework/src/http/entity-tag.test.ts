import assert from 'node:assert/strict';
import test from 'node:test';
import { isAnyTag, listsStrongTag, listsTag } from './entity-tag.ts';

const cases: readonly (readonly [list: string, tag: string, isListed: boolean])[] = [
  ['"a"', '"a"', true],
  ['W/"a"', 'W/"a"', true],
  ['W/"a"', '"a"', true],
  ['"a"', 'W/"a"', true],
  ['"b", W/"a"', '"a"', true],
  ['"b","a"', 'W/"a"', true],
  [' "a"\t,', '"a"', true],
  ['"x,y", "a"', '"a"', true],
  ['"a"', '"A"', false],
  ['"ab"', '"a"', false],
  ['a', '"a"', false],
  ['"a', '"a"', false],
  ['', '"a"', false],
  ['*', '"a"', false],
  ['"*"', '"a"', false],
  ['"b", "c"', '"a"', false],
  [', "b",, W/"a" ,', '"a"', true],
  ['junk "a"', '"a"', false],
  ['"a" junk', '"a"', false],
  ['"a" "b"', '"a"', false],
  ['"a b", "a"', '"a"', false],
  ['w/"a"', '"a"', false],
  ['W/ "a"', '"a"', false],
  ['*, "a"', '"a"', false],
];

test('weak comparison ignores whether a tag is weak', () => {
  for (const [list, tag, isListed] of cases)
    assert.equal(listsTag(list, tag), isListed, `${tag} in ${list}`);
});

test('strong comparison needs two strong tags', () => {
  assert.equal(listsStrongTag('"b", "a"', '"a"'), true);
  assert.equal(listsStrongTag('W/"a", "b"', '"a"'), false);
  assert.equal(listsStrongTag('W/"a", "a"', '"a"'), true);
  assert.equal(listsStrongTag('W/"a"', 'W/"a"'), false);
  assert.equal(listsStrongTag('junk "a"', '"a"'), false);
});

test('an invalid list is rejected in linear time', () => {
  // In quadratic time, none of these would end.
  for (const part of [' ', ',', ', ', '"a"', '"a",', '"a" ', '"a" ,\t', 'W/"a",']) {
    for (const start of ['', '"', '"a"'])
      assert.equal(listsTag(`${start}${part.repeat(300_000)}x`, '"a"'), false);
  }
});

test('a single star matches any tag', () => {
  assert.equal(isAnyTag('*'), true);
  assert.equal(isAnyTag(' * '), true);
  assert.equal(isAnyTag('"*"'), false);
  assert.equal(isAnyTag('*, "a"'), false);
});
