/**
 * Builds a path from a pattern and its parameters. A slash in a value is escaped, so it stays inside
 * its segment; only `*` and repeated parameters can contain several segments. Throws for values that
 * the pattern would not match, and for `.` and `..`, which a browser would resolve to another path.
 */
import { readTarget } from '../http/target.ts';
import type { Part, ValuePart } from './pattern/parse-parts.ts';
import type { Pattern } from './pattern/pattern.ts';

export type LinkValues = Readonly<Record<string, string | number | undefined>>;

const DOTS = /(?:^|\/)\.{1,2}(?:\/|$)/;

/** Throws a TypeError for values that the pattern does not match. */
export function buildPath(pattern: Pattern, values: LinkValues): string {
  const path = pattern.parts.map((part) => buildPart(pattern, part, values)).join('');
  if (path.startsWith('//') || DOTS.test(path)) {
    throw refusal(
      pattern,
      values,
      `a browser would resolve ${JSON.stringify(path)} to another path`,
    );
  }
  const params = pattern.match(readTarget(path, undefined).path);
  const isSame =
    params !== null && pattern.names.every((name) => params[name] === toText(values[name]));
  if (!isSame)
    throw refusal(
      pattern,
      values,
      `${JSON.stringify(path)} does not match the pattern with these values`,
    );
  return path;
}

function buildPart(pattern: Pattern, part: Part, values: LinkValues): string {
  const isOptional = part.modifier === '?' || part.modifier === '*';
  if (part.kind === 'text') return isOptional ? '' : encodeSegments(part.text);
  const value = toText(values[part.name]);
  if (value === undefined) {
    if (isOptional) return '';
    throw refusal(pattern, values, `"${part.name}" is missing`);
  }
  return encodeSegments(part.prefix) + encodeValue(part, value) + encodeSegments(part.suffix);
}

function encodeValue({ expression, modifier }: ValuePart, value: string): string {
  const takesSegments = expression === '*' || modifier === '+' || modifier === '*';
  return takesSegments ? encodeSegments(value) : encodeURIComponent(value);
}

function encodeSegments(text: string): string {
  return text.split('/').map(encodeURIComponent).join('/');
}

function toText(value: string | number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function refusal(pattern: Pattern, values: LinkValues, why: string): TypeError {
  return new TypeError(`Cannot link to ${pattern.source} with ${JSON.stringify(values)}: ${why}.`);
}
