import assert from 'node:assert/strict';
import test from 'node:test';
import { TooLarge, toAutomaton } from './automaton.ts';
import { parseExpression } from './regexp-syntax.ts';

/** The moves as `state>next`, with the number of ways where it is not one. */
function movesOf(source: string): string {
  return toAutomaton(parseExpression(source))
    .follow.flatMap((moves, state) =>
      [...moves].map(([next, ways]) => `${state}>${next}${ways === 1 ? '' : `:${ways}`}`),
    )
    .join(' ');
}

test('there is one state per character, with moves to the possible next ones', () => {
  assert.equal(movesOf('abc'), '0>1 1>2');
  assert.equal(movesOf('ab?c'), '0>1 0>2 1>2');
  assert.equal(movesOf('(?:a|b)c'), '0>2 1>2');
  assert.equal(movesOf('ab*'), '0>1 1>1');
  assert.equal(movesOf('(?:ab)+'), '0>1 1>0');
});

test('a counted repetition becomes as many states', () => {
  assert.equal(movesOf('a{3}'), '0>1 1>2');
  assert.equal(movesOf('a{2,}'), '0>1 1>1');
  assert.equal(toAutomaton(parseExpression('a{1,3}')).last.size, 3);
  assert.equal(movesOf('a{0}b'), '');
});

test('two ways to make one move are counted, also through what may be empty', () => {
  assert.equal(movesOf('(?:x?y?)*'), '0>1:2 0>0 1>0 1>1');
  assert.equal(movesOf('(?:a(?:b?|c?))*'), '0>1 0>2 0>0:2 1>0 2>0');
  assert.equal(movesOf('a(?:|)b'), '0>1:2');
});

test('the automaton has the states where a match begins and ends, and in how many ways', () => {
  const { first, last, nullable, ways } = toAutomaton(parseExpression('(?:|)(?:a|bc?)(?:|d)'));
  assert.deepEqual([[...first], [...last].sort(), nullable], [[0, 1], [0, 1, 2, 3], false]);
  assert.deepEqual([ways.first.get(0), ways.last.get(0), ways.empty], [2, 1, 0]);
  assert.equal(toAutomaton(parseExpression('(?:|){10}')).ways.empty, 1024);
});

test('an expression that expands to too many states is refused at once, even an empty one', () => {
  for (const source of ['a{401}', '(?:a{100}){5}', '(?:){1000000000}', '(?:(?:|){999}){999}'])
    assert.throws(() => toAutomaton(parseExpression(source)), TooLarge, source);
});
