import assert from 'node:assert/strict';
import test from 'node:test';
import { numberPlaces } from './places.ts';

test('each ? is a place, in order, and a numbered one is that place', () => {
  assert.equal(numberPlaces('values (?, ?, ?)'), 'values ($1, $2, $3)');
  assert.equal(numberPlaces("? || '%'"), "$1 || '%'");
  assert.equal(numberPlaces('?2 = ? and ?1 = ? and a=?'), '$2 = $3 and $1 = $4 and a=$5');
  assert.equal(numberPlaces('select 1'), 'select 1');
});

for (const [what, text] of [
  ['a text', "'? '' ?'"],
  ['a text with escapes', String.raw`E'? \' ?' || e'\\'`],
  ['a text that ends with a backslash', String.raw`'?\'`],
  ['a name', '"? "" ?"'],
  ['dollar quotes', '$$ ? $1 $a$ ? $$'],
  ['dollar quotes with a tag', "$body$ ? ' $$ ? $other$ $1 $body$"],
  ['a comment', "-- ? it's $1\n"],
  ['a comment that nests', "/* ? /* ' ? */ $1 ? */"],
] as const)
  test(`a ? in ${what} is no place`, () => {
    assert.equal(numberPlaces(`? ${text} ?`), `$1 ${text} $2`);
  });

test('a name that ends like the start of a text with escapes does not start one', () => {
  assert.equal(numberPlaces(String.raw`select date'\' , ?`), String.raw`select date'\' , $1`);
  assert.equal(numberPlaces('a$1 = ?'), 'a$1 = $1');
});

test('a statement with $1 is left alone, for the operators of jsonb', () => {
  const statement = "select data ? $1, data ?| array['a'] from notes";
  assert.equal(numberPlaces(statement), statement);
});

test('what has no end, such as a comment, ends with the statement', () => {
  for (const text of ['/* ?', '/* /* */ ?']) assert.equal(numberPlaces(`? ${text}`), `$1 ${text}`);
});

test('many statements are translated as the first', () => {
  for (let count = 0; count < 1_100; count++)
    assert.equal(numberPlaces(`select ${count}, ?`), `select ${count}, $1`);
});
