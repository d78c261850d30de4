import assert from 'node:assert/strict';
import test from 'node:test';
import { type CharSet, CLASSES, fromCharacters, NO_LINE_END, unite } from './char-set.ts';
import { parseExpression, RefusedExpression, type Tree } from './regexp-syntax.ts';

/** The set of an expression of one character. */
function setOf(source: string): CharSet {
  const tree = parseExpression(source);
  assert.ok(tree.kind === 'characters', source);
  return tree.set;
}

const a: Tree = { kind: 'characters', set: [[97, 97]] };
const b: Tree = { kind: 'characters', set: [[98, 98]] };

test('sequences, alternatives and groups are read', () => {
  assert.deepEqual(parseExpression('ab'), { kind: 'sequence', items: [a, b] });
  assert.deepEqual(parseExpression('a|b'), { kind: 'choice', options: [a, b] });
  assert.deepEqual(parseExpression('(?:a|b)a'), {
    kind: 'sequence',
    items: [{ kind: 'choice', options: [a, b] }, a],
  });
  assert.deepEqual(parseExpression('a|'), {
    kind: 'choice',
    options: [a, { kind: 'sequence', items: [] }],
  });
});

test('each quantifier is read, lazy or not', () => {
  const counts: Readonly<Record<string, readonly [number, number]>> = {
    '*': [0, Infinity],
    '+': [1, Infinity],
    '?': [0, 1],
    '{3}': [3, 3],
    '{2,}': [2, Infinity],
    '{2,5}': [2, 5],
  };
  for (const [quantifier, [least, most]] of Object.entries(counts)) {
    const tree: Tree = { kind: 'repeat', item: a, least, most };
    assert.deepEqual(parseExpression(`a${quantifier}`), tree);
    assert.deepEqual(parseExpression(`a${quantifier}?`), tree);
  }
  assert.deepEqual(parseExpression('a{1}?b'), parseExpression('ab'));
});

/** A few of every kind, at the borders of the classes. */
const PROBES = [...'\0\t\n\r !-/09:@AZ[\\]^_`az{}~\u00a0é\u2028\ufeff名🐀'];

test('a class matches the same characters as in the engine', () => {
  const sources = [
    'a',
    '.',
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '[a-z]',
    '[^a-z]',
    '[\\d\\-]',
  ];
  sources.push('[a\\]]', '[]', '[^]', '\\n', '[\\t\\0]', '\\x41', '\\u0041', '\\u{1f400}', '🐀');
  sources.push('\\/', '\\.', '[.]', '\\p{L}', '\\P{L}', '[\\p{Lu}_]', '[^\\d\\s]', '[\\x30-\\x39]');
  for (const source of sources) {
    const set = setOf(source);
    const engine = new RegExp(`^${source}$`, 'v');
    for (const character of PROBES) {
      const code = character.codePointAt(0) ?? 0;
      const isIn = set.some(([first, last]) => first <= code && code <= last);
      assert.equal(isIn, engine.test(character), `${source} and ${JSON.stringify(character)}`);
    }
  }
});

test('a dot matches everything but line ends, and an escape its class', () => {
  assert.deepEqual(setOf('.'), NO_LINE_END);
  assert.deepEqual(setOf('[\\d_]'), unite(CLASSES['d'] ?? [], fromCharacters('_')));
});

const REFUSED: readonly (readonly [source: string, index: number, why: RegExp])[] = [
  ['ab(?=c)', 2, /look-around and named groups/],
  ['(?!a)', 0, /look-around/],
  ['(?<=a)b', 0, /look-around/],
  ['(?<n>a)', 0, /named groups/],
  ['(?i:a)', 0, /use only "\(\?:" groups/],
  ['^a', 0, /always matches the whole path/],
  ['a$', 1, /always matches the whole path/],
  ['a\\b', 1, /word boundary/],
  ['(?<n>a)\\k<n>', 0, /named groups/],
  ['[a--b]', 0, /set operations/],
  ['[\\w--\\d]', 0, /set operations/],
  ['[a&&b]', 0, /set operations/],
  ['[[ab]c]', 0, /nested classes/],
  ['[\\q{ab}]', 0, /set operations/],
  ['x\\p{RGI_Emoji}', 1, /property of several characters/],
  ['\\ud83d\\udc00', 0, /write the character itself/],
  ['\\cA', 0, /control character/],
];

for (const [source, index, why] of REFUSED) {
  test(`${source} is refused at ${index}`, () => {
    assert.throws(
      () => parseExpression(source),
      (error) =>
        error instanceof RefusedExpression && error.index === index && why.test(error.message),
    );
  });
}

test('a back-reference without a group, and other mistakes, are refused by the engine', () => {
  for (const source of ['\\1', '+', '[z-a]', 'a{2,1}', '\\p{Nothing}', '(?:a', '{'])
    assert.throws(() => parseExpression(source), SyntaxError, source);
});
