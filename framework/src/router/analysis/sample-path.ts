/**
 * Finds one path that a pattern matches, and writes paths as they can be typed. A parameter gets its
 * own name as its value, or the shortest text that its regular expression matches.
 */

import { escapeLiteral, readTarget } from '../../http/target.ts';
import { findPathOutside } from '../pattern/inclusion.ts';
import { GivenUp } from '../pattern/machine.ts';
import type { Part, ValuePart } from '../pattern/parse-parts.ts';
import { type Pattern, parsePattern } from '../pattern/pattern.ts';
import { PatternError } from '../pattern/pattern-error.ts';

/** A path, decoded as in target.ts; null if this simple approach finds none. */
export function createSamplePath(pattern: Pattern): string | null {
  const path = pattern.parts.map(samplePart).join('');
  const target = readTarget(toTypedPath(path), undefined);
  const isPath = target.malformed === null && target.path === path;
  return isPath && pattern.match(path) !== null ? path : null;
}

function samplePart(part: Part): string {
  if (part.modifier === '?' || part.modifier === '*') return '';
  if (part.kind === 'text') return escapeLiteral(part.text);
  return escapeLiteral(part.prefix) + sampleValue(part) + escapeLiteral(part.suffix);
}

function sampleValue({ expression, name }: ValuePart): string {
  if (expression === '*') return '';
  return expression === null ? name : sampleExpression(expression);
}

/** By expression: routes usually share a few expressions. */
const samples = new Map<string, string>();

function sampleExpression(expression: string): string {
  const known = samples.get(expression);
  if (known !== undefined) return known;
  const sample = findSample(expression);
  samples.set(expression, sample);
  return sample;
}

function findSample(expression: string): string {
  try {
    const alone = parsePattern(`/:value(${expression})`);
    return findPathOutside(alone, [], { moves: 20_000 })?.slice(1) ?? '';
  } catch (error) {
    if (error instanceof GivenUp || error instanceof PatternError) return '';
    throw error;
  }
}

/** Characters that must be escaped in the path of an address; `%2F` and `%25` are already escapes. */
const UNTYPABLE = /[^\x21-\x7e]|["#<>?\\^`{|}]/gu;

/** The path as it can be typed into an address bar; target.ts decodes it to the same path. */
export function toTypedPath(path: string): string {
  return path.toWellFormed().replace(UNTYPABLE, encodeURIComponent);
}
