import assert from 'node:assert/strict';
import test from 'node:test';
import { readTarget } from '../../http/target.ts';
import { parsePattern } from './pattern.ts';
import { PatternError } from './pattern-error.ts';

/** The parameters that a pattern finds in a target as a client sends it. */
function match(pattern: string, target: string) {
  return parsePattern(pattern).match(readTarget(target, undefined).path);
}

test('a pattern without parameters matches exactly one path', () => {
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

test('a backslash escapes a syntax character', () => {
  assert.deepEqual(match('/\\:a\\*\\{b\\}\\(c\\)\\+\\\\', '/:a*{b}(c)+%5C'), {});
  assert.deepEqual(match('/\\items', '/items'), {});
});

test('a parameter matches one segment that is not empty', () => {
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
  assert.deepEqual(match('/:name([^.\\/]+).:extension', '/notes.tar.gz'), {
    name: 'notes',
    extension: 'tar.gz',
  });
  assert.deepEqual(match('/v:major', '/v2'), { major: '2' });
});

test('a regular expression restricts what a parameter matches', () => {
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

test('a regular expression and a wildcard without a name are numbered', () => {
  assert.deepEqual(match('/(\\d+)/:name/*', '/1/a/b/c'), { '0': '1', name: 'a', '1': 'b/c' });
  assert.deepEqual(match('/files/*', '/files/'), { '0': '' });
  assert.equal(match('/files/*', '/files'), null);
  assert.deepEqual(match('*', '/any/path'), { '0': '/any/path' });
});

test('an optional parameter includes its slash, and is undefined when omitted', () => {
  assert.deepEqual(match('/items/:number?', '/items/7'), { number: '7' });
  assert.deepEqual(match('/items/:number?', '/items'), { number: undefined });
  assert.equal(match('/items/:number?', '/items/'), null);
});

test('a repeated parameter matches several segments as one value', () => {
  assert.deepEqual(match('/:path+', '/a/b%2Fc/d'), { path: 'a/b/c/d' });
  assert.equal(match('/docs/:path+', '/docs'), null);
  assert.deepEqual(match('/docs/:path*', '/docs'), { path: undefined });
  assert.deepEqual(match('/docs/:path(\\d+)*', '/docs/1/2'), { path: '1/2' });
});

test('braces group text and a parameter', () => {
  assert.deepEqual(match('/items{/edit}?', '/items'), {});
  assert.deepEqual(match('/items{/edit}?', '/items/edit'), {});
  assert.deepEqual(match('/a{-:n(\\d)}*', '/a-1-2'), { n: '1-2' });
  assert.deepEqual(match('/a{b}c', '/abc'), {});
  assert.deepEqual(match('/a{b}+', '/abbb'), {});
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
  assert.equal(match('/a\\%2Fb', '/a%2Fb'), null);
  assert.deepEqual(match('/a\\%2Fb', '/a%252Fb'), {});
});

test('the parameters are listed in order, beside the source', () => {
  const { source, names } = parsePattern('/:b/:a(\\d+)/*/:c_1');
  assert.equal(source, '/:b/:a(\\d+)/*/:c_1');
  assert.deepEqual(names, ['b', 'a', '0', 'c_1']);
});

test('whole segments are found, for the table of the router', () => {
  const texts = (pattern: string) =>
    parsePattern(pattern).segments?.map(({ text }) => text) ?? null;
  assert.deepEqual(texts('/'), ['']);
  assert.deepEqual(texts('/items/:number/edit'), ['items', null, 'edit']);
  assert.deepEqual(texts('/{a%}/:b{/c}/'), ['a%25', null, 'c', '']);
  for (const pattern of [
    '/*',
    '/b/:a?',
    '/a:b',
    '/:a(.*)',
    '/:a([^x])',
    '/:a-b',
    '/b{/a}?',
    '/:a.x',
  ])
    assert.equal(texts(pattern), null, pattern);
});

test('the prefix is what every path of the pattern starts with', () => {
  const prefixes = {
    '/items': '/items',
    '/items/:number': '/items/',
    '/items/:number?': '/items',
    '/items/:number+': '/items/',
    '/100%/*': '/100%25/',
    '{/a}?/b': '',
    '*': '',
  };
  for (const [pattern, prefix] of Object.entries(prefixes))
    assert.equal(parsePattern(pattern).prefix, prefix, pattern);
});

test('a pattern that does not start with a slash is refused', () => {
  for (const pattern of ['', 'items', '*/a', ':number', '\\/a', '{a}/b']) {
    assert.throws(
      () => parsePattern(pattern),
      (error) => error instanceof PatternError && /start the pattern with it/.test(error.message),
    );
  }
});

test('parameters that can divide the same text are refused, although each alone is valid', () => {
  for (const pattern of [
    '/:a-:b',
    '/*/*',
    '/:a:b',
    '/:a*/:b+',
    '/*.:extension',
    '/a/**',
    '/:a+*',
  ]) {
    assert.throws(
      () => parsePattern(pattern),
      (error) => error instanceof PatternError && /its parameters can divide/.test(error.message),
      pattern,
    );
  }
  assert.deepEqual(match('/:a(\\d+)-:b(\\d+)', '/1-2'), { a: '1', b: '2' });
  assert.deepEqual(match('/:a/:b?', '/x'), { a: 'x', b: undefined });
  assert.deepEqual(match('/*/end', '/a/end/end'), { '0': 'a/end' });
});

test('an expression that can take too long is refused with a caret under it and the remedy', () => {
  assert.throws(() => parsePattern('/items/:slug((?:[a-z]+-?)+)'), {
    name: 'PatternError',
    index: 13,
    message: [
      'Cannot read the pattern: this expression can take more than linear time, because the same text can match in several ways; remove a repetition inside a repetition, or neighbours that match the same characters.',
      '  /items/:slug((?:[a-z]+-?)+)',
      '               ^',
    ].join('\n'),
  });
});

test('an expression that cannot be checked is refused at the place', () => {
  const places = {
    '/:a(x(?=y))': 5,
    '/:a(^x)': 4,
    '/:a(x\\b)': 5,
    '/:a([z-a])': 4,
    '/:a(+)': 4,
    '/:a([x--y])': 4,
  };
  for (const [pattern, index] of Object.entries(places))
    assert.throws(() => parsePattern(pattern), { name: 'PatternError', index }, pattern);
});
