import assert from 'node:assert/strict';
import test from 'node:test';
import { readTarget } from '../../target.ts';
import { parsePattern } from './pattern.ts';

/** The parameters that a pattern finds in a target as a client sends it. */
function match(pattern: string, target: string) {
  return parsePattern(pattern).match(readTarget(target, undefined).path);
}

test('a pattern without parameters matches one path, to the letter', () => {
  assert.deepEqual(match('/items/new', '/items/new'), {});
  for (const target of ['/items', '/items/new/', '/items//new', '/Items/new', '/items/newer']) {
    assert.equal(match('/items/new', target), null, target);
  }
});

test('characters that mean something in a regular expression are literal in a pattern', () => {
  assert.deepEqual(match('/styles.css', '/styles.css'), {});
  assert.equal(match('/styles.css', '/stylesxcss'), null);
  assert.deepEqual(match('/a.b$c^d|e[f]/:name', '/a.b$c^d|e[f]/x'), { name: 'x' });
  assert.equal(match('/a.b/:name', '/axb/x'), null);
});

test('a parameter takes one segment that is not empty', () => {
  assert.deepEqual(match('/items/:number', '/items/7'), { number: '7' });
  for (const target of ['/items/', '/items', '/items/7/', '/items/7/edit']) {
    assert.equal(match('/items/:number', target), null, target);
  }
});

test('several parameters each take their segment', () => {
  assert.deepEqual(match('/:collection/:number/edit', '/items/7/edit'), {
    collection: 'items',
    number: '7',
  });
});

test('a parameter may be a part of a segment', () => {
  assert.deepEqual(match('/:name.:extension', '/notes.txt'), { name: 'notes', extension: 'txt' });
  assert.deepEqual(match('/v:major', '/v2'), { major: '2' });
});

test('a regular expression says what a parameter takes', () => {
  const pattern = '/items/:number(\\d+)';
  assert.deepEqual(match(pattern, '/items/42'), { number: '42' });
  for (const target of ['/items/new', '/items/4x', '/items/', '/items/4/2', '/items/%0A4']) {
    assert.equal(match(pattern, target), null, target);
  }
});

test('alternatives stay inside their brackets', () => {
  const pattern = '/:kind(items|tags)/:number(\\d+|new)';
  assert.deepEqual(match(pattern, '/tags/new'), { kind: 'tags', number: 'new' });
  assert.equal(match(pattern, '/items'), null);
  assert.equal(match(pattern, '/tagsx/1'), null);
});

test('a regular expression may hold groups that do not capture, and escaped brackets', () => {
  assert.deepEqual(match('/:size((?:\\d+)(?:cm|mm))/:note(\\(.\\))', '/12mm/(x)'), {
    size: '12mm',
    note: '(x)',
  });
});

test('look-around is no group that captures', () => {
  assert.deepEqual(match('/:name((?!new$)[a-z]+(?<!old))', '/chair'), { name: 'chair' });
  assert.equal(match('/:name((?!new$)[a-z]+(?<!old))', '/new'), null);
  assert.equal(match('/:name((?!new$)[a-z]+(?<!old))', '/old'), null);
});

test('a parameter is decoded, also where it holds an escaped slash or percent sign', () => {
  assert.deepEqual(match('/items/:name', '/items/caf%C3%A9%20%F0%9F%8E%89'), { name: 'café 🎉' });
  assert.deepEqual(match('/items/:name', '/items/a%2Fb'), { name: 'a/b' });
  assert.deepEqual(match('/items/:name', '/items/100%25'), { name: '100%' });
  assert.deepEqual(match('/items/:name', '/items/%252F'), { name: '%2F' });
});

test('literals are written decoded in a pattern', () => {
  assert.deepEqual(match('/café menu', '/caf%C3%A9%20menu'), {});
  assert.deepEqual(match('/café/:name', '/caf%C3%A9/x'), { name: 'x' });
});

test('a percent sign in a pattern is a percent sign', () => {
  assert.deepEqual(match('/100%', '/100%25'), {});
  assert.deepEqual(match('/100%/:name', '/100%25/x'), { name: 'x' });
  assert.equal(match('/a%2Fb', '/a%2Fb'), null);
  assert.deepEqual(match('/a%2Fb', '/a%252Fb'), {});
});

test('the parameters are listed in order, beside the source', () => {
  const { source, names } = parsePattern('/:b/:a(\\d+)/:c_1');
  assert.equal(source, '/:b/:a(\\d+)/:c_1');
  assert.deepEqual(names, ['b', 'a', 'c_1']);
});

/** What is wrong with the pattern, and the index that the caret stands under. */
function problemOf(pattern: string): { readonly why: string; readonly at: number } {
  try {
    parsePattern(pattern);
  } catch (error) {
    assert.ok(error instanceof SyntaxError);
    const [why = '', shown, caret = ''] = error.message.split('\n');
    assert.equal(shown, `  ${pattern}`);
    assert.match(caret, /^ +\^$/);
    return { why, at: caret.length - 3 };
  }
  throw new Error(`The pattern ${pattern} was read.`);
}

test('a pattern that does not start with a slash is refused', () => {
  for (const pattern of ['', 'items', '*', ':number']) {
    assert.throws(
      () => parsePattern(pattern),
      (error) => error instanceof SyntaxError && /does not start with "\/"\.$/.test(error.message),
    );
  }
});

test('a mistake is shown with a caret under it and with the remedy', () => {
  assert.throws(() => parsePattern('/items/*'), {
    name: 'SyntaxError',
    message: [
      'Cannot read the pattern, "*" has no meaning here; constrain a parameter like ":number(\\\\d+)":',
      '  /items/*',
      '         ^',
    ].join('\n'),
  });
});

test('syntax that this router does not have is refused', () => {
  const patterns = ['/a*', '/:a*', '/:a+', '/:a?', '/{a}', '/a(b)', '/a)', '/:a(\\d+)?'];
  for (const pattern of patterns) {
    const { why, at } = problemOf(pattern);
    assert.match(why, /^Cannot read the pattern, "[*+?{}()]" has no meaning here; constrain/);
    assert.match(pattern[at] ?? '', /[*+?{}()]/);
  }
});

test('a parameter without a name is refused', () => {
  for (const pattern of ['/items/:', '/items/:/edit', '/items/:1', '/items/:(\\d+)', '/items/:é']) {
    const { why, at } = problemOf(pattern);
    assert.match(why, /a parameter needs a name of letters, digits or "_" after ":"/);
    assert.equal(pattern[at], ':');
  }
});

test('a name that comes twice is refused', () => {
  const { why, at } = problemOf('/:id/items/:id');
  assert.match(why, /the parameter "id" comes twice; give each its own name/);
  assert.equal(at, 11);
});

test('a group that captures is refused, with a name or without', () => {
  const without = problemOf('/:size((\\d+)cm)');
  assert.match(without.why, /a group inside must not capture; write "\(\?:"/);
  assert.equal(without.at, 7);
  const named = problemOf('/:size((?<length>\\d+)cm)');
  assert.match(named.why, /a group inside must not capture; write "\(\?:"/);
  assert.equal(named.at, 7);
});

test('a regular expression that is empty, open or broken is refused where it starts', () => {
  assert.match(problemOf('/:a()').why, /the brackets are empty; write a regular expression/);
  assert.match(problemOf('/:a(\\d+').why, /the bracket is never closed/);
  assert.match(problemOf('/:a(\\d+\\)').why, /the bracket is never closed/);
  assert.match(problemOf('/:a(+)').why, /Invalid regular expression/);
  assert.match(problemOf('/:a([z-a])').why, /Invalid regular expression/);
  for (const pattern of ['/:a()', '/:a(\\d+', '/:a(+)']) assert.equal(problemOf(pattern).at, 3);
});
