import assert from 'node:assert/strict';
import test from 'node:test';
import { isAmbiguous } from '../router/pattern/ambiguity.ts';
import { toAutomaton } from '../router/pattern/automaton.ts';
import { parseExpression } from '../router/pattern/regexp-syntax.ts';
import { isAnyTag, listsStrongTag, listsTag, TAG_LIST } from './entity-tag.ts';

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
  const { source } = TAG_LIST;
  assert.equal(isAmbiguous(toAutomaton(parseExpression(source.slice(1, -1)))), false);
});

test('a single star matches any tag', () => {
  assert.equal(isAnyTag('*'), true);
  assert.equal(isAnyTag(' * '), true);
  assert.equal(isAnyTag('"*"'), false);
  assert.equal(isAnyTag('*, "a"'), false);
});
