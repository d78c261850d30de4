/**
 * Parses the regular expressions that a pattern may contain into trees: characters, classes,
 * alternatives, groups that do not capture, and quantifiers. Refuses what cannot be proved to match in
 * linear time (look-around, back-references).
 */
import { ANYTHING, type CharSet, CLASSES, complement, NO_LINE_END, unite } from './char-set.ts';

export type Tree =
  | { readonly kind: 'characters'; readonly set: CharSet }
  | { readonly kind: 'sequence'; readonly items: readonly Tree[] }
  | { readonly kind: 'choice'; readonly options: readonly Tree[] }
  | { readonly kind: 'repeat'; readonly item: Tree; readonly least: number; readonly most: number };

/** Why an expression is refused, and the position in it. */
export class RefusedExpression extends Error {
  readonly index: number;

  constructor(index: number, why: string) {
    super(why);
    this.index = index;
  }
}

const CONTROLS: Readonly<Record<string, string>> = {
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  0: '\0',
};
const PROPERTY = /\\[pP]\{[^}]*\}/y;
const HEXADECIMAL = /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]+)\})/y;
const COUNT = /\{(\d+)(,?)(\d*)\}/y;

/** Throws a RefusedExpression, or a SyntaxError of the RegExp engine. */
export function parseExpression(source: string): Tree {
  // The engine validates the syntax; this code only reads the meaning.
  new RegExp(source, 'v');
  let position = 0;
  const tree = choice();
  return tree;

  function choice(): Tree {
    const options = [sequence()];
    while (source[position] === '|') {
      position++;
      options.push(sequence());
    }
    return options.length === 1 && options[0] !== undefined
      ? options[0]
      : { kind: 'choice', options };
  }

  function sequence(): Tree {
    const items: Tree[] = [];
    while (position < source.length && source[position] !== '|' && source[position] !== ')')
      items.push(quantified(atom()));
    return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'sequence', items };
  }

  function quantified(item: Tree): Tree {
    const start = position;
    const [least, most] = quantifier();
    // A lazy quantifier changes the order of attempts, not their number.
    if (source[position] === '?' && position > start) position++;
    return least === 1 && most === 1 ? item : { kind: 'repeat', item, least, most };
  }

  function quantifier(): readonly [number, number] {
    const character = source[position];
    if (character === '*' || character === '+' || character === '?') {
      position++;
      return character === '*' ? [0, Infinity] : character === '+' ? [1, Infinity] : [0, 1];
    }
    const [, least, comma, most] = matchHere(COUNT) ?? [];
    if (least === undefined) return [1, 1];
    return [Number(least), comma === '' ? Number(least) : most === '' ? Infinity : Number(most)];
  }

  function atom(): Tree {
    const start = position;
    const character = source[position];
    if (character === '(') return group(start);
    if (character === '^' || character === '$')
      throw new RefusedExpression(
        start,
        'a pattern always matches the whole path; remove "^" and "$"',
      );
    if (character === '.') {
      position++;
      return { kind: 'characters', set: NO_LINE_END };
    }
    if (character === '[') return { kind: 'characters', set: bracket() };
    return { kind: 'characters', set: character === '\\' ? escaped() : single(nextCharacter()) };
  }

  function group(start: number): Tree {
    if (!source.startsWith('(?:', start))
      throw new RefusedExpression(
        start,
        'look-around and named groups cannot be analysed; use only "(?:" groups',
      );
    position += 3;
    const inner = choice();
    position++;
    return inner;
  }

  function bracket(): CharSet {
    const start = position++;
    const negated = source[position] === '^';
    if (negated) position++;
    let set: CharSet = [];
    while (source[position] !== ']') {
      refuseSetSyntax(start);
      const first = source[position] === '\\' ? escaped() : single(nextCharacter());
      refuseSetSyntax(start);
      if (source[position] === '-' && source[position + 1] !== ']') {
        position++;
        const last = source[position] === '\\' ? escaped() : single(nextCharacter());
        set = unite(set, [[first[0]?.[0] ?? 0, last[0]?.[1] ?? 0]]);
      } else set = unite(set, first);
    }
    position++;
    return negated ? complement(set) : set;
  }

  function refuseSetSyntax(start: number): void {
    if (/^(?:--|&&|\[|\\q)/.test(source.slice(position, position + 2)))
      throw new RefusedExpression(
        start,
        'nested classes and set operations cannot be analysed; list the characters',
      );
  }

  function escaped(): CharSet {
    const start = position;
    const property = matchHere(PROPERTY)?.[0];
    if (property !== undefined) {
      const set = propertySet(property);
      if (set !== null) return set;
      throw new RefusedExpression(
        start,
        'a property of several characters cannot be analysed; list the alternatives',
      );
    }
    const [, short, long, braced] = matchHere(HEXADECIMAL) ?? [];
    const code = short ?? long ?? braced;
    if (code !== undefined && /^d[89a-f]/i.test(code) && code.length === 4)
      throw new RefusedExpression(start, 'write the character itself, or \\u{…}, for a surrogate');
    if (code !== undefined) return single(Number.parseInt(code, 16));
    const letter = source[start + 1] ?? '';
    if (/[1-9k]/.test(letter))
      throw new RefusedExpression(
        start,
        'a back-reference cannot be matched in linear time; remove it',
      );
    if (/[bB]/.test(letter))
      throw new RefusedExpression(start, 'a word boundary cannot be analysed; remove it');
    if (letter === 'c') throw new RefusedExpression(start, 'write a control character as \\xHH');
    position += 2;
    return CLASSES[letter] ?? single((CONTROLS[letter] ?? letter).codePointAt(0) ?? 0);
  }

  function nextCharacter(): number {
    const code = source.codePointAt(position) ?? 0;
    position += code > 0xffff ? 2 : 1;
    return code;
  }

  function matchHere(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = position;
    const found = expression.exec(source);
    if (found !== null) position = expression.lastIndex;
    return found;
  }
}

function single(code: number): CharSet {
  return [[code, code]];
}

const properties = new Map<string, CharSet>();

/**
 * The characters with a Unicode property, found by testing each with the engine; null for a property
 * that sequences of characters have, too.
 */
function propertySet(property: string): CharSet | null {
  const known = properties.get(property);
  if (known !== undefined) return known;
  const expression = toSinglesExpression(property);
  if (expression === null) return null;
  const set: [number, number][] = [];
  for (let code = 0; code <= (ANYTHING[0]?.[1] ?? 0); code++) {
    if (!expression.test(String.fromCodePoint(code))) continue;
    const previous = set.at(-1);
    if (previous !== undefined && previous[1] === code - 1) previous[1] = code;
    else set.push([code, code]);
  }
  properties.set(property, set);
  return set;
}

/** The flag `u` rejects properties of sequences, which `v` accepts. */
function toSinglesExpression(property: string): RegExp | null {
  try {
    return new RegExp(property, 'u');
  } catch {
    return null;
  }
}
