/**
 * A parsed pattern: what it matches, and its literal texts and segments for the router's table.
 *
 * It is matched against the decoded path of target.ts, in which `%2F` and `%25` are still escaped; its
 * parameters are fully decoded. A pattern that could take more than linear time to match is refused.
 */
import { decodeParameter, escapeLiteral } from '../../http/target.ts';
import type { Segment } from '../segment.ts';
import { isAmbiguous } from './ambiguity.ts';
import { TooLarge, toAutomaton } from './automaton.ts';
import { contains } from './char-set.ts';
import { checkParts } from './check-parts.ts';
import { type Part, parseParts, type ValuePart } from './parse-parts.ts';
import { parsePlainParts } from './parse-plain-parts.ts';
import { toExpression, toTree } from './part-expression.ts';
import { PatternError } from './pattern-error.ts';
import { parseExpression, RefusedExpression, type Tree } from './regexp-syntax.ts';
import { valueTest } from './value-test.ts';

/** An optional parameter that is not in the path is undefined. */
export type PathParams = Readonly<Record<string, string | undefined>>;

export interface Pattern {
  readonly source: string;
  /** In the order of the pattern. */
  readonly names: readonly string[];
  readonly parts: readonly Part[];
  /** Null if a parameter is not a whole segment. */
  readonly segments: readonly Segment[] | null;
  /** The prefix of every matching path. */
  readonly prefix: string;
  /** Matches the whole path with the regular expression: the reference for faster implementations. */
  readonly match: (path: string) => PathParams | null;
}

/** Throws a PatternError with the position and the reason. */
export function parsePattern(source: string): Pattern {
  if (!/^(?:\/|\{\/|\*$)/.test(source)) {
    throw new PatternError(source, 0, 'a path starts with "/"; start the pattern with it too');
  }
  const parts = parsePlainParts(source) ?? parseParts(source);
  checkParts(source, parts);
  const values = parts.filter((part) => part.kind === 'value');
  const expressions = checkExpressions(source, values);
  const segments = toSegments(parts, expressions);
  if (segments === null && isSlow(toTree(parts, expressions))) {
    throw new PatternError(source, values.at(-1)?.index ?? 0, SLOW_TOGETHER);
  }
  const names = values.map(({ name }) => name);
  return { source, names, parts, segments, prefix: prefixOf(parts), match: matcher(parts, names) };
}

const SLOW_ALONE =
  'this expression can take more than linear time, because the same text can match in several ways; remove a repetition inside a repetition, or neighbours that match the same characters';
const SLOW_TOGETHER =
  'its parameters can divide the same text in several ways, which can take more than linear time; say which characters each matches, like /:year(\\d+)-:month(\\d+)';

const NO_EXPRESSIONS: Expressions = new Map();

function checkExpressions(source: string, values: readonly ValuePart[]): Expressions {
  if (values.every(({ expression }) => expression === null)) return NO_EXPRESSIONS;
  return new Map(values.map((part) => [part, checkedExpression(source, part)]));
}

/** Expressions that have been checked: routes usually share a few. */
const checked = new Map<string, { readonly tree: Tree; readonly takesSlash: boolean }>();

function checkedExpression(source: string, part: ValuePart) {
  const { expression } = part;
  if (expression === null || expression === '*') return null;
  const known = checked.get(expression);
  if (known !== undefined) return known;
  const fresh = { tree: readExpression(source, part, expression), takesSlash: false };
  if (isSlow(fresh.tree)) throw new PatternError(source, part.expressionIndex, SLOW_ALONE);
  const result = { ...fresh, takesSlash: takesSlash(fresh.tree) };
  checked.set(expression, result);
  return result;
}

/** V8's message for a class such as `[\\w-]`, which is invalid with the flag `v`. */
const CLASS_ERROR = /Invalid (?:character|set operation)/;
const CLASS_ADVICE =
  '; between square brackets write "\\-" for a hyphen, and a backslash before ( ) [ ] { } / | and doubled signs';

function readExpression(source: string, part: ValuePart, expression: string): Tree {
  try {
    return parseExpression(expression);
  } catch (error) {
    const offset = error instanceof RefusedExpression ? error.index : 0;
    const why = error instanceof Error ? error.message : String(error);
    const advice = CLASS_ERROR.test(why) ? CLASS_ADVICE : '';
    throw new PatternError(source, part.expressionIndex + offset, why + advice);
  }
}

function isSlow(tree: Tree): boolean {
  try {
    return isAmbiguous(toAutomaton(tree));
  } catch (error) {
    if (error instanceof TooLarge) return true;
    throw error;
  }
}

const SLASH = 47;

function takesSlash(tree: Tree): boolean {
  switch (tree.kind) {
    case 'characters':
      return contains(tree.set, SLASH);
    case 'sequence':
      return tree.items.some(takesSlash);
    case 'choice':
      return tree.options.some(takesSlash);
    case 'repeat':
      return takesSlash(tree.item);
  }
}

type Expressions = ReadonlyMap<
  ValuePart,
  { readonly tree: Tree; readonly takesSlash: boolean } | null
>;

function toSegments(parts: readonly Part[], expressions: Expressions): readonly Segment[] | null {
  const segments: Segment[] = [];
  let text = '';
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] as Part;
    if (part.modifier !== '') return null;
    if (part.kind === 'text') {
      text += part.text;
      continue;
    }
    text += part.prefix;
    const isWhole = part.suffix === '' && text.endsWith('/') && startsSegment(parts[index + 1]);
    if (!isWhole || part.expression === '*') return null;
    const checked = expressions.get(part) ?? null;
    if (checked?.takesSlash === true) return null;
    pushLiterals(segments, text.slice(0, -1));
    segments.push({
      text: null,
      test:
        part.expression === null || checked === null
          ? null
          : valueTest(part.expression, checked.tree),
    });
    text = '';
  }
  pushLiterals(segments, text);
  return segments;
}

/** `/a/b` has two segments; the empty text has none. */
function pushLiterals(segments: Segment[], text: string): void {
  if (text === '') return;
  for (const one of escapeLiteral(text).slice(1).split('/'))
    segments.push({ text: one, test: null });
}

function startsSegment(next: Part | undefined): boolean {
  if (next === undefined) return true;
  return next.kind === 'text' ? next.text.startsWith('/') : next.prefix.startsWith('/');
}

function prefixOf(parts: readonly Part[]): string {
  const [first, second] = parts;
  const text = first?.kind === 'text' && first.modifier === '' ? first.text : '';
  const value = text === '' ? first : second;
  const isNeeded = value?.kind === 'value' && (value.modifier === '' || value.modifier === '+');
  return escapeLiteral(text + (isNeeded ? value.prefix : ''));
}

function matcher(parts: readonly Part[], names: readonly string[]): Pattern['match'] {
  let expression: RegExp | null = null;
  return (path) => {
    expression ??= new RegExp(`^${toExpression(parts)}$`, 'v');
    const found = expression.exec(path);
    if (found === null) return null;
    const params: Record<string, string | undefined> = {};
    for (const [index, name] of names.entries()) {
      const value = found[index + 1];
      params[name] = value === undefined ? undefined : decodeParameter(value);
    }
    return params;
  };
}
