/**
 * Path patterns, a part of the pathname syntax of the URLPattern standard: literals, `:name` and
 * `:name(regexp)`. `:name` takes one segment that is not empty.
 *
 * A pattern is matched against the decoded path of target.ts, in which `%2F` and `%25` are still
 * escaped; the parameters it yields are fully decoded.
 */
import { decodeParameter } from '../target.ts';

export type PathParams = Readonly<Record<string, string>>;

export interface Pattern {
  readonly source: string;
  readonly names: readonly string[];
  /** The parameters when the whole path matches, otherwise null. */
  readonly match: (path: string) => PathParams | null;
}

const NO_PARAMS: PathParams = Object.freeze({});
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const REGEXP_SYNTAX = /[\\^$.*+?()[\]{}|/]/g;
const OTHER_SYNTAX = /[*+?{}()]/;
/** `(…)` and `(?<name>…)`, but not `(?:…)` or look-around. */
const CAPTURE = /\((?:[^?]|\?<[^=!])/y;

/** Throws a SyntaxError that says where and why when the pattern cannot be read. */
export function parsePattern(source: string): Pattern {
  if (!source.startsWith('/')) {
    throw new SyntaxError(
      `Cannot read the pattern ${JSON.stringify(source)}: it does not start with "/".`,
    );
  }
  const names: string[] = [];
  let expression = '';
  let position = 0;
  while (position < source.length) {
    const colon = source.indexOf(':', position);
    const end = colon === -1 ? source.length : colon;
    expression += literal(source, position, end);
    if (colon === -1) break;
    const name = readName(source, colon, names);
    const group = readGroup(source, colon + 1 + name.length);
    names.push(name);
    expression += `(${group ?? '[^\\/]+'})`;
    position = colon + 1 + name.length + (group === null ? 0 : group.length + 2);
  }
  if (names.length === 0) {
    const path = source.replaceAll('%', '%25');
    return { source, names, match: (candidate) => (candidate === path ? NO_PARAMS : null) };
  }
  return { source, names, match: matcher(new RegExp(`^${expression}$`, 'v'), names) };
}

function matcher(expression: RegExp, names: readonly string[]): Pattern['match'] {
  return (path) => {
    const found = expression.exec(path);
    if (found === null) return null;
    const params: Record<string, string> = {};
    for (const [index, name] of names.entries())
      params[name] = decodeParameter(found[index + 1] ?? '');
    return params;
  };
}

function literal(source: string, start: number, end: number): string {
  const text = source.slice(start, end);
  const stray = OTHER_SYNTAX.exec(text);
  if (stray !== null) {
    fail(
      source,
      start + stray.index,
      `"${stray[0]}" has no meaning here; constrain a parameter like ":number(\\\\d+)"`,
    );
  }
  return text.replaceAll('%', '%25').replace(REGEXP_SYNTAX, '\\$&');
}

function readName(source: string, colon: number, earlier: readonly string[]): string {
  NAME.lastIndex = colon + 1;
  const name = NAME.exec(source)?.[0];
  if (name === undefined)
    return fail(source, colon, 'a parameter needs a name of letters, digits or "_" after ":"');
  if (earlier.includes(name))
    fail(source, colon, `the parameter "${name}" comes twice; give each its own name`);
  return name;
}

/** The regular expression in brackets after a name, or null when there is none. */
function readGroup(source: string, open: number): string | null {
  if (source[open] !== '(') return null;
  let depth = 0;
  for (let index = open; index < source.length; index++) {
    const character = source[index];
    if (character === '\\') index++;
    else if (character === '(') {
      depth++;
      CAPTURE.lastIndex = index;
      if (depth > 1 && CAPTURE.test(source))
        fail(source, index, 'a group inside must not capture; write "(?:"');
    } else if (character === ')' && --depth === 0) {
      const group = source.slice(open + 1, index);
      return group === ''
        ? fail(source, open, 'the brackets are empty; write a regular expression')
        : checked(source, open, group);
    }
  }
  return fail(source, open, 'the bracket is never closed');
}

function checked(source: string, open: number, group: string): string {
  try {
    new RegExp(`^(?:${group})$`, 'v');
    return group;
  } catch (error) {
    return fail(source, open, error instanceof Error ? error.message : String(error));
  }
}

function fail(source: string, index: number, why: string): never {
  throw new SyntaxError(`Cannot read the pattern, ${why}:\n  ${source}\n  ${' '.repeat(index)}^`);
}
