import assert from 'node:assert/strict';
import test from 'node:test';
import { parseParts } from './parse-parts.ts';
import { toExpression, toTree } from './part-expression.ts';
import { parseExpression } from './regexp-syntax.ts';

const expressionOf = (pattern: string) => toExpression(parseParts(pattern));

test('text is escaped, also the percent sign as a path has it', () => {
  assert.equal(expressionOf('/a.b\\+[c]|%'), '\\/a\\.b\\+\\[c\\]\\|%25');
  assert.equal(expressionOf('{/a.b}*'), '(?:\\/a\\.b)*');
});

test('a value is one group for a segment, everything, or its expression', () => {
  assert.equal(expressionOf('/:a'), '(?:\\/([^\\/]+?))');
  assert.equal(expressionOf('*'), '(?:([\\s\\S]*))');
  assert.equal(expressionOf(':a(x|y)'), '(?:(x|y))');
});

test('a modifier repeats the value with its prefix and suffix', () => {
  assert.equal(expressionOf('{-:a(x).}?'), '(?:-(x)\\.)?');
  assert.equal(expressionOf('{-:a(x).}+'), '(?:-((?:x)(?:\\.-(?:x))*)\\.)');
  assert.equal(expressionOf('{-:a(x).}*'), '(?:-((?:x)(?:\\.-(?:x))*)\\.)?');
});

/** A tree as an expression, for asking the engine. */
function spell(tree: ReturnType<typeof toTree>): string {
  switch (tree.kind) {
    case 'characters':
      return `[${tree.set.map((range) => range.map((code) => `\\u{${code.toString(16)}}`).join('-')).join('')}]`;
    case 'sequence':
      return tree.items.map(spell).join('');
    case 'choice':
      return `(?:${tree.options.map(spell).join('|')})`;
    case 'repeat':
      return `(?:${spell(tree.item)}){${tree.least},${tree.most === Infinity ? '' : tree.most}}`;
  }
}

test('the analysed tree matches the same paths as the regular expression', () => {
  const patterns = ['/a/:b', '/:a(\\d+)-:b(\\w)', '/*', '/:a?', '/:a+', '/:a(\\d)*', '/a{b}?'];
  patterns.push('{-:a(x).}*', '{-:a(x|xy).}+', '/100%', '/:a([^\\/]*)', '{/:a}?{/b}*');
  const texts = ['', '/', '/a', '/a/b', '/1-2', '/1', '/1/2', '/ab', '-x.', '-x.-xy.', '/100%25'];
  texts.push('/100%', '/a/b/c', '/b/b', '/a/b/b', '//', '/a/', 'x', '-x');
  for (const pattern of patterns) {
    const parts = parseParts(pattern);
    const trees = parts.flatMap((part) => {
      if (part.kind === 'text' || part.expression === null || part.expression === '*') return [];
      return [[part, { tree: parseExpression(part.expression) }] as const];
    });
    const checked = new RegExp(`^${spell(toTree(parts, new Map(trees)))}$`, 'v');
    const matching = new RegExp(`^${toExpression(parts)}$`, 'v');
    for (const text of texts)
      assert.equal(checked.test(text), matching.test(text), `${pattern} on ${text}`);
  }
});
