/**
 * What a parameter's expression becomes when it is tested on a whole segment: a regular expression,
 * or, for characters of one range such as `\d+`, a comparison of each, which takes a quarter of the
 * time. The hard case is a character outside the Basic Multilingual Plane, two units of a string: a
 * range that ends below the surrogates takes neither of them, and there a unit is a character.
 */
import type { Tree } from './regexp-syntax.ts';

type ValueTest = (text: string) => boolean;

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
  return (text) => whole.test(text);
}

/** Null when the expression is no repeated character of one range. */
function rangeTest(tree: Tree): ValueTest | null {
  if (tree.kind !== 'repeat' || tree.item.kind !== 'characters') return null;
  const { least, most } = tree;
  const [range, ...others] = tree.item.set;
  if (range === undefined || others.length > 0 || range[1] >= FIRST_SURROGATE) return null;
  const [first, last] = range;
  return (text) => {
    if (text.length < least || text.length > most) return false;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code < first || code > last) return false;
    }
    return true;
  };
}
