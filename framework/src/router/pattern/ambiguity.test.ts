/** The work of matching is counted, not timed, by an engine that tries one way after the other. */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { isAmbiguous } from './ambiguity.ts';
import { TooLarge, toAutomaton } from './automaton.ts';
import { contains } from './char-set.ts';
import { parsePattern } from './pattern.ts';
import { parseExpression, type Tree } from './regexp-syntax.ts';

function isRefused(source: string): boolean {
  try {
    return isAmbiguous(toAutomaton(parseExpression(source)));
  } catch (error) {
    if (error instanceof TooLarge) return true;
    throw error;
  }
}

/** The steps that a backtracking engine takes to match the whole text, or to give up; or `most`. */
function countSteps(source: string, text: string, most = 600_000): number {
  let steps = 0;
  const run = (node: Tree, at: number, then: (to: number) => boolean): boolean => {
    if (++steps > most) return true;
    switch (node.kind) {
      case 'characters':
        return at < text.length && contains(node.set, text.charCodeAt(at)) && then(at + 1);
      case 'sequence': {
        const from = (index: number, to: number): boolean => {
          const item = node.items[index];
          return item === undefined ? then(to) : run(item, to, (next) => from(index + 1, next));
        };
        return from(0, at);
      }
      case 'choice':
        return node.options.some((option) => run(option, at, then));
      case 'repeat': {
        const round = (count: number, to: number): boolean => {
          const isMore = (next: number) =>
            !(next === to && count >= node.least) && round(count + 1, next);
          return (
            (count < node.most && run(node.item, to, isMore)) || (count >= node.least && then(to))
          );
        };
        return round(0, at);
      }
    }
  };
  run(parseExpression(source), 0, (end) => end === text.length);
  return Math.min(steps, most);
}

/** Expressions that are refused, each with a text that shows why: many times it, and an end. */
const CATASTROPHIC: Readonly<Record<string, string>> = {
  '(?:a+)+': 'a',
  '(?:a*)*': 'a',
  '(?:a|a)*': 'a',
  '(?:a|aa)+': 'a',
  '(?:a|b|ab)*': 'ab',
  '\\d+\\d+': '1',
  '.*.*': 'a',
  '\\w*\\d*': '1',
  '(?:x?y?)*': 'xy',
  '(?:[a-z]+-?)+': 'a',
  '[a-z]+(?:-?[a-z]+)*': 'a',
  '(?:a(?:|))*': 'a',
  '(?:a(?:b?|c?))*': 'a',
  '(?:.*,)*': ',',
  '\\d+\\d{1}?\\d+': '1',
  '(?:\\d+)?\\d*x': '1',
  'a*b?a*': 'a',
  '(?:a?){40}': 'a',
  '(?:a|a){40}': 'a',
  '(?:|){40}b': 'a',
  '\\d{0,30}\\d{0,30}\\d{0,30}\\d{0,30}': '1',
};

for (const [source, word] of Object.entries(CATASTROPHIC)) {
  test(`${source} is refused, because its time grows faster than the text`, () => {
    assert.equal(isRefused(source), true);
    const [short, long] = [100, 200].map((times) => countSteps(source, `${word.repeat(times)}\n`));
    assert.ok(Number(long) > 3.3 * Number(short) || Number(long) > 500_000, `${short} ${long}`);
  });
}

const FINE = [
  '\\d+',
  '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  '\\d{4}-\\d{2}-\\d{2}',
  '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])',
  '[a-z0-9]+(?:-[a-z0-9]+)*',
  '(?:a|ab)*',
  '(?:ab|cd?)+',
  'new|edit|delete',
  '.*',
  '.+\\.',
  '\\d?\\d?',
  '\\w{1,20}',
  '[1-9]\\d*',
  '\\p{L}+(?: \\p{L}+)*',
  '(?:\\d+,)*\\d+',
  '-?\\d+(?:\\.\\d+)?',
  '(?:a?){6}',
  '[a-z]*a[a-z]{30}',
  '',
];

for (const source of FINE) {
  test(`${source || 'the empty expression'} is accepted, because its time is linear`, () => {
    assert.equal(isRefused(source), false);
    for (const word of ['a', '1', 'ab', 'abc', 'a-', '1,', '0', 'a ', '-'])
      assertProportional(source, word);
  });
}

function assertProportional(source: string, word: string): void {
  const [short = 0, long = 0] = [200, 400].map((length) =>
    countSteps(source, `${word.repeat(Math.ceil(length / word.length))}\n`, 400_000),
  );
  assert.ok(long < 3 * short + 100 && long < 400_000, `${source} on ${word}: ${short}, ${long}`);
}

const atoms = fc.constantFrom('a', 'b', '[ab]', '.', 'ab', 'ba', '[^a]', '');
const quantifiers = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '{0,2}', '{2,}', '*?');
const { expression } = fc.letrec<{ expression: string; group: string }>((tie) => ({
  group: fc
    .tuple(fc.array(tie('expression'), { minLength: 1, maxLength: 2 }), quantifiers)
    .map(([options, quantifier]) => `(?:${options.join('|')})${quantifier}`),
  expression: fc
    .array(
      fc.oneof(
        { depthSize: 'small', maxDepth: 3 },
        fc.tuple(atoms, quantifiers).map(([atom, q]) => (atom === '' ? '' : `${atom}${q}`)),
        tie('group'),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((items) => items.join('')),
}));

test('every random expression that is accepted takes linear time', () => {
  let accepted = 0;
  let refused = 0;
  const word = fc.stringMatching(/^[ab]{1,4}$/);
  fc.assert(
    fc.property(expression, word, (source, repeated) => {
      if (isRefused(source)) {
        refused++;
        return;
      }
      accepted++;
      assertProportional(source, repeated);
    }),
    { numRuns: 400 },
  );
  assert.ok(accepted > 20 && refused > 20, `${accepted} accepted, ${refused} refused`);
});

test('an 8 KB path of dashes and one of 4000 slashes take linear time', () => {
  const dashes = `/${'a-'.repeat(4096)}`;
  const slashes = '/'.repeat(4000);
  const patterns = [
    '/:slug([a-z0-9]+(?:-[a-z0-9]+)*)',
    '/:a(\\w+)-:b(\\w+)',
    '/:path+',
    '/:path*/end',
    '/*/end',
    '/:a/:b?/:c?',
  ];
  for (const source of patterns) {
    const { match } = parsePattern(source);
    for (const path of [dashes, slashes, `${dashes}!`, `${slashes}a`]) match(path);
  }
});
