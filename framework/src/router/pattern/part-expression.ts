/** The parts of a pattern as one regular expression, and as the tree that the checks use. */
import { escapeLiteral } from '../../http/target.ts';
import { ANYTHING, complement, fromCharacters } from './char-set.ts';
import type { Modifier, Part, ValuePart } from './parse-parts.ts';
import type { Tree } from './regexp-syntax.ts';

/** "Generate a regular expression and name list" of the URLPattern standard; each value is a group. */
export function toExpression(parts: readonly Part[]): string {
  return parts.map(partExpression).join('');
}

function partExpression(part: Part): string {
  if (part.kind === 'text') {
    const text = escapeText(part.text);
    return part.modifier === '' ? text : `(?:${text})${part.modifier}`;
  }
  const { modifier } = part;
  const value = valueExpression(part);
  const prefix = escapeText(part.prefix);
  const suffix = escapeText(part.suffix);
  if (modifier === '' || modifier === '?') return `(?:${prefix}(${value})${suffix})${modifier}`;
  const repeated = `(?:${prefix}((?:${value})(?:${suffix}${prefix}(?:${value}))*)${suffix})`;
  return modifier === '*' ? `${repeated}?` : repeated;
}

function valueExpression({ expression }: ValuePart): string {
  if (expression === null) return '[^\\/]+?';
  return expression === '*' ? '[\\s\\S]*' : expression;
}

function escapeText(text: string): string {
  return escapeLiteral(text).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

const SEGMENT: Tree = {
  kind: 'repeat',
  item: { kind: 'characters', set: complement(fromCharacters('/')) },
  least: 1,
  most: Infinity,
};
const EVERYTHING: Tree = {
  kind: 'repeat',
  item: { kind: 'characters', set: ANYTHING },
  least: 0,
  most: Infinity,
};

/** The same as a tree; `expressions` has the tree of each value's own expression. */
export function toTree(
  parts: readonly Part[],
  expressions: ReadonlyMap<ValuePart, { readonly tree: Tree } | null>,
): Tree {
  return sequence(parts.map((part) => partTree(part, expressions)));
}

function partTree(
  part: Part,
  expressions: ReadonlyMap<ValuePart, { readonly tree: Tree } | null>,
): Tree {
  if (part.kind === 'text') return modified(textTree(part.text), part.modifier);
  const value = expressions.get(part)?.tree ?? (part.expression === '*' ? EVERYTHING : SEGMENT);
  const prefix = textTree(part.prefix);
  const suffix = textTree(part.suffix);
  const once = sequence([prefix, value, suffix]);
  if (part.modifier === '' || part.modifier === '?') return modified(once, part.modifier);
  const further = modified(sequence([suffix, prefix, value]), '*');
  return modified(sequence([prefix, value, further, suffix]), part.modifier === '*' ? '?' : '');
}

function modified(item: Tree, modifier: Modifier): Tree {
  if (modifier === '') return item;
  return {
    kind: 'repeat',
    item,
    least: modifier === '+' ? 1 : 0,
    most: modifier === '?' ? 1 : Infinity,
  };
}

function textTree(text: string): Tree {
  return sequence(
    [...escapeLiteral(text)].map((character) => ({
      kind: 'characters',
      set: fromCharacters(character),
    })),
  );
}

function sequence(items: readonly Tree[]): Tree {
  return { kind: 'sequence', items };
}
