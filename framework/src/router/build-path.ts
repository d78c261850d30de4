/**
 * The way back from a pattern and its parameters to a path. A slash in a value is escaped, so that
 * it stays inside its segment; only `*` and repeated parameters take several segments. What the
 * pattern would not match, or what a browser would read as another path (`.` and `..`), is refused.
 */
import { readTarget } from '../http/target.ts';
import type { Part, ValuePart } from './pattern/parse-parts.ts';
import type { Pattern } from './pattern/pattern.ts';

export type LinkValues = Readonly<Record<string, string | number | undefined>>;

const DOTS = /(?:^|\/)\.{1,2}(?:\/|$)/;

/** Throws a TypeError for values that the pattern cannot have. */
export function buildPath(pattern: Pattern, values: LinkValues): string {
  const path = pattern.parts.map((part) => buildPart(pattern, part, values)).join('');
  if (path.startsWith('//') || DOTS.test(path)) {
    throw refusal(pattern, values, `a browser would read ${JSON.stringify(path)} as another path`);
  }
  const params = pattern.match(readTarget(path, undefined).path);
  const isSame =
    params !== null && pattern.names.every((name) => params[name] === toText(values[name]));
  if (!isSame)
    throw refusal(pattern, values, `${JSON.stringify(path)} would not lead back to them`);
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
