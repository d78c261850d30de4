/**
 * What a parameter's expression becomes when it is tested on a whole segment: a regular expression,
 * or, for characters of one range such as `\d+`, a comparison of each where it stands in the path,
 * which takes a quarter of the time. The hard case is a character outside the Basic Multilingual Plane, two units of a string: a
 * range that ends below the surrogates takes neither of them, and there a unit is a character.
 */
import type { Tree } from './regexp-syntax.ts';

/** Whether the expression takes what stands in the path from `start` to before `end`, as a whole. */
export type ValueTest = (path: string, start: number, end: number) => boolean;

const FIRST_SURROGATE = 0xd800;

const known = new Map<string, ValueTest>();

/** Routes tend to use the same few expressions: each has one test. */
export function valueTest(expression: string, tree: Tree): ValueTest {
  let test = known.get(expression);
  if (test === undefined) {
    test = rangeTest(tree) ?? expressionTest(expression);
    known.set(expression, test);
  }
  return test;
}

function expressionTest(expression: string): ValueTest {
  const whole = new RegExp(`^(?:${expression})$`, 'v');
  return (path, start, end) => whole.test(path.slice(start, end));
}

/** Null when the expression is no repeated character of one range. */
function rangeTest(tree: Tree): ValueTest | null {
  if (tree.kind !== 'repeat' || tree.item.kind !== 'characters') return null;
  const { least, most } = tree;
  const [range, ...others] = tree.item.set;
  if (range === undefined || others.length > 0 || range[1] >= FIRST_SURROGATE) return null;
  const [first, last] = range;
  return (path, start, end) => {
    if (end - start < least || end - start > most) return false;
    for (let at = start; at < end; at++) {
      const code = path.charCodeAt(at);
      if (code < first || code > last) return false;
    }
    return true;
  };
}
