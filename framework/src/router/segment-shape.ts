/**
 * All routes of one shape, the same segments literal and the same ones parameters, in a hash table
 * over their literal segments. Routes with the same literals stand in one line, in order; what
 * tells them apart are the tests of their parameters.
 *
 * Everything that a probe looks at stands close together: with many routes, waiting for memory is
 * what a look-up consists of.
 */
import { decodeParameter } from '../target.ts';
import { hashText, mix, type Scanner } from './scan-segments.ts';

/** A segment of a pattern: literal text, or a parameter with the test that its value must pass. */
export interface Segment {
  readonly text: string | null;
  /** Null for a parameter that takes whatever is not empty. */
  readonly test: ((value: string) => boolean) | null;
}

export interface SegmentRoute {
  readonly index: number;
  readonly names: readonly string[];
  readonly segments: readonly Segment[];
}

/** A route as a probe sees it. */
interface Row {
  readonly index: number;
  /** The literal segments, each with a slash behind it. */
  readonly text: string;
  readonly names: readonly string[];
  /** For each parameter; null when none has a test. */
  readonly tests: readonly Segment['test'][] | null;
  /** The next route with the same literals. */
  next: Row | null;
}

const SLASH = 47;

export class Shape {
  /** The number of segments. */
  readonly length: number;
  /** The lowest index of its routes. */
  readonly min: number;
  readonly #literals: readonly number[];
  readonly #values: readonly number[];
  readonly #mask: number;
  /** A key and the place of its row in the list, counted from 1, by turns. */
  readonly #slots: Int32Array;
  readonly #rows: readonly Row[];

  /** `routes` have one shape, and come in ascending order of index. */
  constructor(routes: readonly SegmentRoute[]) {
    const sample = routes[0]?.segments ?? [];
    const positions = [...sample.keys()];
    this.length = sample.length;
    this.min = routes[0]?.index ?? 0;
    this.#literals = positions.filter((at) => sample[at]?.text !== null);
    this.#values = positions.filter((at) => sample[at]?.text === null);
    this.#rows = toLines(routes, this.#literals);
    this.#mask = 2 ** Math.ceil(Math.log2(this.#rows.length * 2 + 1)) - 1;
    this.#slots = new Int32Array(2 * (this.#mask + 1));
    for (const [index, { text }] of this.#rows.entries()) {
      const key = text
        .split('/')
        .slice(0, -1)
        .reduce((hash, one) => mix(hash, hashText(one)), 0);
      let slot = key & this.#mask;
      while (this.#slots[2 * slot + 1] !== 0) slot = (slot + 1) & this.#mask;
      this.#slots[2 * slot] = key;
      this.#slots[2 * slot + 1] = index + 1;
    }
  }

  /** The first route that matches the path of the scan and has an index below `best`. */
  find(path: string, scanner: Scanner, best: number): Row | null {
    const { hashes } = scanner;
    const literals = this.#literals;
    const slots = this.#slots;
    let key = 0;
    for (let index = 0; index < literals.length; index++)
      key = mix(key, hashes[literals[index] as number] as number);
    for (let slot = key & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const place = slots[2 * slot + 1] as number;
      if (place === 0) return null;
      if (slots[2 * slot] !== key) continue;
      const row = this.#rows[place - 1] as Row;
      if (hasLiterals(row.text, literals, path, scanner.ends))
        return this.#firstOf(row, path, scanner.ends, best);
    }
  }

  #firstOf(line: Row, path: string, ends: Int32Array, best: number): Row | null {
    let row: Row | null = line;
    while (row !== null && row.index < best) {
      if (this.#passes(row.tests, path, ends)) return row;
      row = row.next;
    }
    return null;
  }

  #passes(tests: Row['tests'], path: string, ends: Int32Array): boolean {
    const values = this.#values;
    for (let index = 0; index < values.length; index++) {
      const at = values[index] as number;
      const start = startOf(at, ends);
      const end = ends[at] as number;
      const test = tests === null ? null : (tests[index] as Segment['test']);
      if (test === null ? start === end : !test(path.slice(start, end))) return false;
    }
    return true;
  }

  /** The decoded parameters of a route that `find` has found. */
  params({ names }: Row, path: string, { ends, hasEscape }: Scanner): Record<string, string> {
    const params: Record<string, string> = {};
    const values = this.#values;
    for (let index = 0; index < values.length; index++) {
      const at = values[index] as number;
      const value = path.slice(startOf(at, ends), ends[at]);
      params[names[index] as string] = hasEscape ? decodeParameter(value) : value;
    }
    return params;
  }
}

function startOf(segment: number, ends: Int32Array): number {
  return segment === 0 ? 1 : (ends[segment - 1] as number) + 1;
}

/** The rows that lines begin with. */
function toLines(routes: readonly SegmentRoute[], literals: readonly number[]): readonly Row[] {
  const lines = new Map<string, { readonly first: Row; last: Row }>();
  for (const { index, names, segments } of routes) {
    const text = literals.map((at) => `${segments[at]?.text}/`).join('');
    const tests = segments.filter((segment) => segment.text === null).map(({ test }) => test);
    const row: Row = {
      index,
      text,
      names,
      tests: tests.some((test) => test !== null) ? tests : null,
      next: null,
    };
    const line = lines.get(text);
    if (line === undefined) lines.set(text, { first: row, last: row });
    else {
      line.last.next = row;
      line.last = row;
    }
  }
  return [...lines.values()].map(({ first }) => first);
}

function hasLiterals(
  text: string,
  literals: readonly number[],
  path: string,
  ends: Int32Array,
): boolean {
  let offset = 0;
  for (let index = 0; index < literals.length; index++) {
    const at = literals[index] as number;
    const end = ends[at] as number;
    for (let position = startOf(at, ends); position < end; position++) {
      if (path.charCodeAt(position) !== text.charCodeAt(offset++)) return false;
    }
    if (text.charCodeAt(offset++) !== SLASH) return false;
  }
  return true;
}
