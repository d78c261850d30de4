import assert from 'node:assert/strict';
import test from 'node:test';
import { isAnyTag, listsTag } from './entity-tag.ts';

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
];

test('a list names a tag whether either of them is weak', () => {
  for (const [list, tag, isListed] of cases)
    assert.equal(listsTag(list, tag), isListed, `${tag} in ${list}`);
});

test('a star alone asks for whatever there is', () => {
  assert.equal(isAnyTag('*'), true);
  assert.equal(isAnyTag(' * '), true);
  assert.equal(isAnyTag('"*"'), false);
  assert.equal(isAnyTag('*, "a"'), false);
});
