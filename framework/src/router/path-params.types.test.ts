import assert from 'node:assert/strict';
import test from 'node:test';
import type { CheckedPattern, JoinedNames, ParamsOf } from './path-params.ts';
import { matchPattern, PatternError, parsePattern } from './pattern.ts';

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only if the type finds the same parameters in the pattern as the parser finds in the path. */
function check<P extends string, const Found>(
  pattern: CheckedPattern<P>,
  path: string,
  found: Found,
  same: Same<
    ParamsOf<P>,
    { readonly [N in keyof Found]: Found[N] extends number ? number : string }
  >,
): void {
  assert.equal(same, true);
  assert.deepEqual(matchPattern(parsePattern(pattern), path), found);
}

test('a parameter is text or a number under its name', () => {
  check('/', '/', {}, true);
  check('/items/new', '/items/new', {}, true);
  check('/items/:number<int>', '/items/7', { number: 7 }, true);
  check('/:a/:b<int>/edit', '/x/7/edit', { a: 'x', b: 7 }, true);
  check('/:a<int>/:b_2/*rest', '/7/x/y/z', { a: 7, b_2: 'x', rest: 'y/z' }, true);
});

test('the comparison of types can fail', () => {
  // @ts-expect-error the pattern has no parameter "id"
  assert.throws(() => check('/items/:number', '/items/x', { id: 'x' }, true));
  // @ts-expect-error the number is text
  assert.throws(() => check('/items/:number', '/items/7', { number: 7 }, true));
});

test('the names of the parameters are listed in order', () => {
  const names: JoinedNames<'/b/:b<int>/:a/c/*rest'> = 'b, a, rest';
  const none: JoinedNames<'/items/new'> = '';
  assert.deepEqual([names, none], ['b, a, rest', '']);
});

test('a pattern that is known at run time only has parameters that may be missing', () => {
  const pattern: string = '/items/:number<int>';
  const params: ParamsOf<typeof pattern> = matchPattern(parsePattern(pattern), '/items/7') ?? {};
  const same: Same<(typeof params)[string], string | number | undefined> = true;
  assert.deepEqual([params['number'], params['other'], same], [7, undefined, true]);
});

/** What `router.get` does with its pattern. */
function read<P extends string>(pattern: CheckedPattern<P>): void {
  parsePattern(pattern);
}

test('a pattern that is refused at registration does not compile', () => {
  const mistakes = [
    // @ts-expect-error a regular expression
    () => read('/items/:number(\\d+)/edit'),
    // @ts-expect-error a regular expression without a name
    () => read('/items/(\\d+)'),
    // @ts-expect-error an optional parameter
    () => read('/items/:number?'),
    // @ts-expect-error a repeated parameter
    () => read('/items/:path+'),
    // @ts-expect-error a group
    () => read('/items{/edit}?'),
    // @ts-expect-error a wildcard without a name
    () => read('/files/*'),
    // @ts-expect-error a wildcard before the end
    () => read('/*path/edit'),
    // @ts-expect-error an unknown kind of value
    () => read('/items/:number<float>'),
    // @ts-expect-error the notation of other routers
    () => read('/items/<int:number>'),
    // @ts-expect-error a part of a segment
    () => read('/items/:number<int>.csv'),
    // @ts-expect-error a part of a segment
    () => read('/:name.csv'),
    // @ts-expect-error an escape
    () => read('/a\\:b'),
    // @ts-expect-error no name
    () => read('/items/:'),
  ];
  for (const mistake of mistakes) assert.throws(mistake, PatternError);
});
