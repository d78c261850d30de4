/**
 * Parses the pathname syntax of the URLPattern standard into parts ("parse a pattern string",
 * https://urlpattern.spec.whatwg.org/#parse-a-pattern-string).
 *
 * A slash before `:name`, `(regexp)` or `*` belongs to that part, so `/items/:id?` also matches
 * `/items`.
 */
import { explainEscapes } from './explain-escapes.ts';
import { PatternError } from './pattern-error.ts';

export type Modifier = '' | '?' | '+' | '*';

/** Literal text, such as `/items/`; with a modifier if it was in braces. */
export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  readonly modifier: Modifier;
}

/** A part with a value: one segment, everything, or the match of a regular expression. */
export interface ValuePart {
  readonly kind: 'value';
  /** `:number` has a name; `*` and `(regexp)` are numbered from "0". */
  readonly name: string;
  /** The regular expression; null for a whole segment, `*` for everything. */
  readonly expression: string | '*' | null;
  readonly prefix: string;
  readonly suffix: string;
  readonly modifier: Modifier;
  /** Its position in the pattern; `expressionIndex` is that of its regular expression. */
  readonly index: number;
  readonly expressionIndex: number;
}

export type Part = TextPart | ValuePart;

interface Token {
  readonly kind:
    | 'open'
    | 'close'
    | 'regexp'
    | 'name'
    | 'character'
    | 'modifier'
    | 'asterisk'
    | 'end';
  /** The meaning of the token: a character without its backslash, a name without its colon. */
  readonly value: string;
  readonly index: number;
}

const NAME = /:([\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)/uy;

/** Throws a PatternError for an invalid pattern. */
export function parseParts(pattern: string): readonly Part[] {
  const tokens = tokenize(pattern);
  const parts: Part[] = [];
  const names = new Set<string>();
  let position = 0;
  let pending = '';
  let nextNumber = 0;

  const take = (...kinds: readonly Token['kind'][]): Token | null => {
    const token = tokens[position];
    if (token === undefined || !kinds.includes(token.kind)) return null;
    position++;
    return token;
  };
  const takeModifier = () => (take('modifier', 'asterisk')?.value ?? '') as Modifier;
  const takeText = () => {
    let text = '';
    for (let token = take('character'); token !== null; token = take('character'))
      text += token.value;
    return text;
  };
  const flush = () => {
    if (pending !== '') parts.push({ kind: 'text', text: pending, modifier: '' });
    pending = '';
  };
  const addValue = (
    prefix: string,
    name: Token | null,
    matcher: Token | null,
    suffix: string,
    modifier: Modifier,
  ) => {
    flush();
    const index = (name ?? matcher)?.index ?? 0;
    const key = name?.value ?? String(nextNumber++);
    if (names.has(key))
      throw new PatternError(
        pattern,
        index,
        `the name "${key}" is used twice; use different names`,
      );
    names.add(key);
    const expression = matcher?.kind === 'asterisk' ? '*' : (matcher?.value ?? null);
    parts.push({
      kind: 'value',
      name: key,
      expression,
      prefix,
      suffix,
      modifier,
      index,
      expressionIndex: (matcher?.index ?? index) + 1,
    });
  };

  while (take('end') === null) {
    const before = take('character');
    const name = take('name');
    const matcher = take('regexp') ?? (name === null ? take('asterisk') : null);
    if (name !== null || matcher !== null) {
      let prefix = before?.value ?? '';
      if (prefix !== '/') {
        pending += prefix;
        prefix = '';
      }
      addValue(prefix, name, matcher, '', takeModifier());
      continue;
    }
    if (before !== null) {
      pending += before.value;
      continue;
    }
    const open = take('open');
    if (open === null) {
      const { value = '', index = 0 } = tokens[position] ?? {};
      throw new PatternError(pattern, index, explainStray(value));
    }
    const prefix = takeText();
    const inner = take('name');
    const innerMatcher = take('regexp') ?? (inner === null ? take('asterisk') : null);
    const suffix = takeText();
    if (take('close') === null) {
      const { index = pattern.length } = tokens[position] ?? {};
      throw new PatternError(
        pattern,
        index,
        'braces contain text and at most one parameter; close them with "}"',
      );
    }
    const modifier = takeModifier();
    if (inner !== null || innerMatcher !== null)
      addValue(prefix, inner, innerMatcher, suffix, modifier);
    else if (modifier === '') pending += prefix;
    else {
      flush();
      if (prefix !== '') parts.push({ kind: 'text', text: prefix, modifier });
    }
  }
  flush();
  return parts;
}

function explainStray(value: string): string {
  if (value === '}') return 'there is no matching "{"; write "\\}" for the character itself';
  return `there is nothing before "${value}" that it could modify; write "\\${value}" for the character itself`;
}

function tokenize(pattern: string): readonly Token[] {
  const tokens: Token[] = [];
  const add = (kind: Token['kind'], value: string, index: number, length: number) => {
    tokens.push({ kind, value, index });
    return length;
  };
  let index = 0;
  while (index < pattern.length) {
    const character = String.fromCodePoint(pattern.codePointAt(index) ?? 0);
    index += ((): number => {
      if (character === '*') return add('asterisk', '*', index, 1);
      if (character === '+' || character === '?') return add('modifier', character, index, 1);
      if (character === '{') return add('open', '{', index, 1);
      if (character === '}') return add('close', '}', index, 1);
      if (character === '\\') return readEscape(index);
      if (character === ':') return readName(index);
      if (character === '(') return readRegexp(index);
      if (character === '%') refuseEscape(index);
      return add('character', character, index, character.length);
    })();
  }
  add('end', '', pattern.length, 0);
  return tokens;

  function readEscape(start: number): number {
    const code = pattern.codePointAt(start + 1);
    if (code === undefined)
      throw new PatternError(
        pattern,
        start,
        'nothing follows the backslash; write "\\\\" for a backslash',
      );
    const escaped = String.fromCodePoint(code);
    return add('character', escaped, start, 1 + escaped.length);
  }

  function refuseEscape(start: number): void {
    const escapes = /^(?:%[0-9A-Fa-f]{2})+/.exec(pattern.slice(start))?.[0];
    if (escapes !== undefined) throw new PatternError(pattern, start, explainEscapes(escapes));
  }

  function readName(start: number): number {
    NAME.lastIndex = start;
    const name = NAME.exec(pattern)?.[1];
    if (name === undefined) {
      throw new PatternError(
        pattern,
        start,
        'a parameter needs a name that starts with a letter after ":"; write "\\:" for a colon',
      );
    }
    return add('name', name, start, 1 + name.length);
  }

  function readRegexp(start: number): number {
    let depth = 1;
    for (let at = start + 1; at < pattern.length; at++) {
      const character = pattern[at];
      if (character === '\\') at++;
      else if (character === '(') {
        depth++;
        if (pattern[at + 1] !== '?')
          throw new PatternError(pattern, at, 'a nested group must not capture; write "(?:"');
      } else if (character === ')' && --depth === 0) {
        if (at === start + 1)
          throw new PatternError(
            pattern,
            start,
            'the brackets are empty; write a regular expression, like (\\d+)',
          );
        return add('regexp', pattern.slice(start + 1, at), start, at + 1 - start);
      }
    }
    throw new PatternError(
      pattern,
      start,
      'the bracket is not closed; write "\\(" for the character itself',
    );
  }
}
