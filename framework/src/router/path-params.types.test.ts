import assert from 'node:assert/strict';
import test from 'node:test';
import type { ParamsOf } from './path-params.ts';
import { parsePattern } from './pattern/pattern.ts';

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/**
 * Holds the type against the parser: `names` must be what the parser finds in the pattern, and
 * `same` compiles only when the type has found the same.
 */
function check<P extends string, const Names extends readonly string[]>(
  pattern: P,
  names: Names,
  same: Same<ParamsOf<P>, { readonly [Name in Names[number]]: string }>,
): void {
  assert.equal(same, true);
  assert.deepEqual(parsePattern(pattern).names, names);
}

test('a pattern without parameters has none', () => {
  check('/', [], true);
  check('/items/new', [], true);
});

test('each parameter is a string under its name', () => {
  check('/items/:number', ['number'], true);
  check('/:collection/:number/edit', ['collection', 'number'], true);
});

test('a name ends where its letters, digits and underscores end', () => {
  check('/:first-x/:second.y/:third_3/:Fourth', ['first', 'second', 'third_3', 'Fourth'], true);
});

test('the regular expression of a parameter is not part of its name', () => {
  check('/items/:number(\\d+)', ['number'], true);
  check('/:year(\\d{4})-:month(\\d\\d)/:rest(.+)', ['year', 'month', 'rest'], true);
});

test('a colon inside a regular expression starts no parameter', () => {
  check('/:size(\\d+(?:cm|mm))/:name', ['size', 'name'], true);
  check('/:size((?:\\d+)(?:cm|mm))/:name', ['size', 'name'], true);
  check('/:time(\\d+:mm)', ['time'], true);
  check('/:note(\\(:a\\):b)/:name', ['note', 'name'], true);
});

test('a pattern that is known at run time only has parameters that may be missing', () => {
  const pattern: string = '/items/:number';
  const params: ParamsOf<typeof pattern> = parsePattern(pattern).match('/items/7') ?? {};
  const same: Same<(typeof params)[string], string | undefined> = true;
  assert.deepEqual([params['number'], params['other'], same], ['7', undefined, true]);
});

test('the comparison of types can fail', () => {
  // @ts-expect-error the pattern has no parameter "id"
  assert.throws(() => check('/items/:number', ['id'], true), /number/);
  // @ts-expect-error the pattern has a second parameter
  assert.throws(() => check('/:collection/:number', ['collection'], true), /number/);
});
