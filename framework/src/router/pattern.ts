/**
 * Patterns of paths: literal text, `:name` for one segment, `:name<int>` for a whole number, `*name` at the
 * end for the rest of the path. A parameter is always a whole segment.
 *
 * A pattern is matched against the decoded path of target.ts, in which `%2F` and `%25` are still escaped; its
 * parameters are fully decoded.
 */
import { decodeParameter, escapeLiteral } from '../http/target.ts';

/** The parameters of a path: a number for `:name<int>`, text for all others. */
export type PathParams = Readonly<Record<string, string | number>>;

export type Segment =
  /** `text` as it stands in a decoded path. */
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'text' | 'int' | 'rest'; readonly name: string };

export interface Pattern {
  readonly source: string;
  /** Never empty: `/` has one segment, which is the empty text. Only the last one can be that. */
  readonly segments: readonly Segment[];
  /** The names of the parameters, in order. */
  readonly names: readonly string[];
}

/** An invalid pattern. The message shows a caret under the mistake, the reason and the remedy. */
export class PatternError extends SyntaxError {
  override readonly name = 'PatternError';
  readonly pattern: string;
  /** The position in the pattern, from 0. */
  readonly index: number;

  constructor(pattern: string, index: number, why: string) {
    super(`Cannot read the pattern: ${why}.\n  ${pattern}\n  ${' '.repeat(index)}^`);
    this.pattern = pattern;
    this.index = index;
  }
}

/** Throws a PatternError with the position, the reason and the remedy. */
export function parsePattern(source: string): Pattern {
  const fail = (index: number, why: string): never => {
    throw new PatternError(source, index, why);
  };
  if (!source.startsWith('/')) fail(0, 'a path starts with "/"; start the pattern with it too');
  const texts = source.slice(1).split('/');
  const segments: Segment[] = [];
  const names: string[] = [];
  let start = 1;
  for (const [at, text] of texts.entries()) {
    const isLast = at === texts.length - 1;
    const segment = parseSegment(text, isLast, (index, why) => fail(start + index, why));
    if (segment.kind !== 'literal') {
      const { name } = segment;
      if (names.includes(name))
        fail(start, `the name "${name}" is used twice; use different names`);
      names.push(name);
    }
    segments.push(segment);
    start += text.length + 1;
  }
  return { source, segments, names };
}

type Fail = (index: number, why: string) => never;

/** The name of a parameter, and what follows it. */
const PARAMETER = /^[:*]([\p{ID_Start}_$][\p{ID_Continue}$]*)(.*)$/su;

function parseSegment(text: string, isLast: boolean, fail: Fail): Segment {
  const mark = text[0];
  if (mark !== ':' && mark !== '*') return parseLiteral(text, isLast, fail);
  const [, name, kind = ''] = PARAMETER.exec(text) ?? [];
  if (name === undefined)
    return fail(0, `a parameter has a name that starts with a letter; write "${mark}name"`);
  if (name === '__proto__')
    return fail(0, 'every JavaScript object already has a property "__proto__"; use another name');
  if (mark === '*' && !isLast)
    return fail(0, 'a wildcard takes the rest of the path; put it at the end');
  if (kind === '') return { kind: mark === '*' ? 'rest' : 'text', name };
  if (kind === '<int>' && mark === ':') return { kind: 'int', name };
  return fail(name.length + 1, REFUSED[kind[0] as string] ?? WHOLE_SEGMENT);
}

const WHOLE_SEGMENT =
  'a parameter is a whole segment, from slash to slash; read all of it, and check it in the handler';
const NO_REGEXP =
  'a pattern has no regular expression; write ":name<int>" for a whole number, and check other values in the handler';
const NO_OPTION =
  'a pattern has no optional or repeated part; register each path, or end the pattern with "*name"';
const KIND =
  'the only kind of value is the whole number, ":name<int>"; check others in the handler';

/** Characters that mean something in other routers, and so are not literal text here. */
const REFUSED: Readonly<Record<string, string>> = {
  ':': WHOLE_SEGMENT,
  '(': NO_REGEXP,
  ')': NO_REGEXP,
  '<': KIND,
  '>': KIND,
  '{': NO_OPTION,
  '}': NO_OPTION,
  '*': NO_OPTION,
  '+': NO_OPTION,
  '?': `${NO_OPTION}; the query is no part of it`,
  '\\': 'a pattern has no escapes; match such a segment with a parameter, and check it in the handler',
};

function parseLiteral(text: string, isLast: boolean, fail: Fail): Segment {
  if (text === '' && !isLast) fail(0, 'it has an empty segment; remove one of the slashes');
  if (text === '.' || text === '..')
    fail(0, 'a browser resolves "." and ".." before it sends a path; remove the segment');
  const special = text.search(/[:()<>{}*+?\\]/);
  if (special !== -1) fail(special, REFUSED[text[special] as string] as string);
  const escaped = text.search(/%[\da-f]{2}/i);
  if (escaped !== -1)
    fail(escaped, 'a path is decoded before it is matched; write the character itself');
  const unsent = text.search(/[\p{Cc}\p{Cs}]/u);
  if (unsent !== -1) fail(unsent, 'no path contains this character; remove it');
  return { kind: 'literal', text: escapeLiteral(text) };
}

const SLASH = 47;
const ZERO = 48;

/** The parameters of a path that the pattern matches, or null: the reference for the match table. */
export function matchPattern({ segments }: Pattern, path: string): PathParams | null {
  const params: Record<string, string | number> = {};
  let start = 0;
  for (const segment of segments) {
    if (path[start] !== '/') return null;
    start++;
    if (segment.kind === 'rest') {
      params[segment.name] = decodeParameter(path.slice(start));
      return params;
    }
    const end = endOfSegment(path, start);
    const text = path.slice(start, end);
    start = end;
    if (segment.kind === 'literal') {
      if (text !== segment.text) return null;
      continue;
    }
    const value = segment.kind === 'int' ? toInt(text) : decodeParameter(text);
    if (value === null || value === '') return null;
    params[segment.name] = value;
  }
  return start === path.length ? params : null;
}

/** The index of the slash after the segment, or of the end of the path. `indexOf` takes longer. */
export function endOfSegment(path: string, start: number): number {
  let end = start;
  while (end < path.length && path.charCodeAt(end) !== SLASH) end++;
  return end;
}

/** A whole number from 1 to 2^53 - 1, if the text writes it in the one way without a leading zero. */
export function toInt(text: string): number | null {
  if (text === '' || text.charCodeAt(0) === ZERO) return null;
  let value = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return null;
    value = 10 * value + digit;
  }
  return Number.isSafeInteger(value) ? value : null;
}
