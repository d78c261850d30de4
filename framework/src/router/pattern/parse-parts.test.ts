import assert from 'node:assert/strict';
import test from 'node:test';
import { parseParts } from './parse-parts.ts';
import { PatternError } from './pattern-error.ts';

/** The parts in short: texts as they are, values as a list. */
function short(pattern: string) {
  return parseParts(pattern).map((part) =>
    part.kind === 'text'
      ? `${part.text}${part.modifier}`
      : [part.prefix, part.name, part.expression, part.suffix, part.modifier],
  );
}

test('literal text is one part, whether in braces or escaped', () => {
  assert.deepEqual(short('/items/{new}\\?'), ['/items/new?']);
  assert.deepEqual(short(''), []);
  assert.deepEqual(short('{}'), []);
  assert.deepEqual(short('{}?'), []);
});

test('a slash before a value belongs to the value, another character does not', () => {
  assert.deepEqual(short('/items/:number'), ['/items', ['/', 'number', null, '', '']]);
  assert.deepEqual(short('/v:major'), ['/v', ['', 'major', null, '', '']]);
  assert.deepEqual(short('/*'), [['/', '0', '*', '', '']]);
  assert.deepEqual(short('\\/:a'), [['/', 'a', null, '', '']]);
});

test('braces say the prefix and the suffix of a value', () => {
  assert.deepEqual(short('{a/:b-c}?'), [['a/', 'b', null, '-c', '?']]);
  assert.deepEqual(short('/{:b}'), ['/', ['', 'b', null, '', '']]);
  assert.deepEqual(short('{a}?{b}'), ['a?', 'b']);
});

test('each modifier is read, behind a value and behind braces', () => {
  for (const modifier of ['?', '+', '*']) {
    assert.deepEqual(short(`/:a${modifier}`), [['/', 'a', null, '', modifier]]);
    assert.deepEqual(short(`/(\\d)${modifier}`), [['/', '0', '\\d', '', modifier]]);
    assert.deepEqual(short(`{a}${modifier}`), [`a${modifier}`]);
    assert.deepEqual(short(`*${modifier}`), [['', '0', '*', '', modifier]]);
  }
});

test('an asterisk after a modifier is a separate wildcard', () => {
  assert.deepEqual(short(':a**'), [
    ['', 'a', null, '', '*'],
    ['', '0', '*', '', ''],
  ]);
});

test('only values without a name are numbered', () => {
  const names = parseParts('/(\\d)/:a/*/:b(x)/(y)').flatMap((part) =>
    part.kind === 'value' ? [part.name] : [],
  );
  assert.deepEqual(names, ['0', 'a', '1', 'b', '2']);
});

test('a name may have the letters of any language, digits, "_" and "$"', () => {
  assert.deepEqual(short(':größe_1$'), [['', 'größe_1$', null, '', '']]);
  assert.deepEqual(short(':a-'), [['', 'a', null, '', ''], '-']);
});

test('an expression ends at the bracket that closes it', () => {
  assert.deepEqual(short('((?:a|(?:b))\\))x'), [['', '0', '(?:a|(?:b))\\)', '', ''], 'x']);
});

test('a part has the positions of its value and its expression', () => {
  const [, value] = parseParts('/items/:number(\\d+)');
  assert.ok(value?.kind === 'value');
  assert.deepEqual([value.index, value.expressionIndex], [7, 15]);
});

const MISTAKES: readonly (readonly [pattern: string, index: number, why: RegExp])[] = [
  ['/items/:', 7, /needs a name that starts with a letter.*write "\\:"/],
  ['/:1', 1, /needs a name/],
  ['/:(\\d+)', 1, /needs a name/],
  ['/:id/items/:id', 11, /the name "id" is used twice; use different names/],
  ['/a?', 2, /nothing before "\?" that it could modify; write "\\\?"/],
  ['/a+', 2, /nothing before "\+"/],
  ['/:a?+', 4, /nothing before "\+"/],
  ['/a}', 2, /no matching "\{"; write "\\\}"/],
  ['/items/{', 8, /close them with "\}"/],
  ['/{a', 3, /close them with "\}"/],
  ['/{:a?}', 4, /at most one parameter/],
  ['/{:a:b}', 4, /at most one parameter/],
  ['/{a{b}}', 3, /at most one parameter/],
  ['/a\\', 2, /nothing follows the backslash; write "\\\\"/],
  ['/:a()', 3, /the brackets are empty; write a regular expression/],
  ['/:a(\\d+', 3, /the bracket is not closed; write "\\\("/],
  ['/:a(\\d+\\)', 3, /the bracket is not closed/],
  ['/:size((\\d+)cm)', 7, /a nested group must not capture; write "\(\?:"/],
];

for (const [pattern, index, why] of MISTAKES) {
  test(`the mistake in ${pattern} is shown at ${index}, with the remedy`, () => {
    assert.throws(
      () => parseParts(pattern),
      (error) => {
        assert.ok(error instanceof PatternError);
        const [first = '', shown, caret = ''] = error.message.split('\n');
        assert.match(first, why);
        assert.equal(shown, `  ${pattern}`);
        assert.equal(caret, `${' '.repeat(index + 2)}^`);
        assert.equal(error.index, index);
        return true;
      },
    );
  });
}
