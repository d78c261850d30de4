/**
 * All routes of one shape, the same segments literal and the same ones parameters, in a hash table
 * over their literal segments. Routes with the same literals stand in one line, in order; what
 * tells them apart are the tests of their parameters.
 *
 * With many routes a look-up consists of waiting for memory. So what a probe looks at stands in a
 * few short arrays of numbers, and no object of a route is touched unless it has tests.
 */
import { decodeParameter } from '../target.ts';
import { ends, hashes, hashText, mix, seen, startOf } from './scan-segments.ts';
import { type Line, type Names, type SegmentRoute, type Test, toLines } from './segment-lines.ts';

const SLASH = 47;

export class Shape {
  /** The number of segments. */
  readonly length: number;
  /** The lowest index of its routes. */
  readonly min: number;
  readonly #literals: readonly number[];
  readonly #values: readonly number[];
  readonly #mask: number;
  /** A key and the number of its line, counted from 1, by turns. */
  readonly #slots: Int32Array;
  /** The literal segments of all lines, each with a slash behind it, as UTF-16 units. */
  readonly #codes: Uint16Array;
  /** Of each line: where its literals start in the codes, and the index of its first route. */
  readonly #offsets: Int32Array;
  readonly #indexes: Int32Array;
  /** The names of each line's first route, as a place in the list of names. */
  readonly #nameLists: Int32Array;
  readonly #names: readonly Names[];
  /** The routes of a line when there are several, or tests; otherwise null. */
  readonly #others: readonly (Line['routes'] | null)[];
  /** What the last search has found. */
  #foundNames: Names = [];

  /** `routes` have one shape, and come in ascending order of index. */
  constructor(routes: readonly SegmentRoute[]) {
    const sample = routes[0]?.segments ?? [];
    const positions = [...sample.keys()];
    this.length = sample.length;
    this.min = routes[0]?.index ?? 0;
    this.#literals = positions.filter((at) => sample[at]?.text !== null);
    this.#values = positions.filter((at) => sample[at]?.text === null);
    const { lines, names, text } = toLines(routes, this.#literals);
    this.#names = names;
    this.#codes = toCodes(text);
    this.#offsets = Int32Array.from(lines, ({ offset }) => offset);
    this.#indexes = Int32Array.from(lines, (line) => line.routes[0]?.index ?? 0);
    this.#nameLists = Int32Array.from(lines, (line) => line.routes[0]?.nameList ?? 0);
    this.#others = lines.map((line) => (line.isPlain ? null : line.routes));
    this.#mask = 2 ** Math.ceil(Math.log2(lines.length * 2 + 1)) - 1;
    this.#slots = toSlots(lines, this.#mask);
  }

  /** The index of the first route that matches the scanned path and is below `best`, or -1. */
  find(path: string, best: number): number {
    const literals = this.#literals;
    const slots = this.#slots;
    const mask = this.#mask;
    let key = 0;
    for (let index = 0; index < literals.length; index++) {
      key = mix(key, hashes[literals[index] as number] as number);
    }
    for (let slot = key & mask; ; slot = (slot + 1) & mask) {
      const line = (slots[2 * slot + 1] as number) - 1;
      if (line === -1) return -1;
      if (slots[2 * slot] !== key) continue;
      if (!hasLiterals(path, literals, this.#codes, this.#offsets[line] as number)) continue;
      return this.#findInLine(line, path, best);
    }
  }

  #findInLine(line: number, path: string, best: number): number {
    const index = this.#indexes[line] as number;
    if (index >= best) return -1;
    const others = this.#others[line];
    if (others) return this.#findAmong(others, path, best);
    if (seen.empty && !this.#passes(null, path)) return -1;
    this.#foundNames = this.#names[this.#nameLists[line] as number] as Names;
    return index;
  }

  #findAmong(routes: Line['routes'], path: string, best: number): number {
    for (const { index, nameList, tests } of routes) {
      if (index >= best) return -1;
      if (!this.#passes(tests, path)) continue;
      this.#foundNames = this.#names[nameList] as Names;
      return index;
    }
    return -1;
  }

  #passes(tests: readonly Test[] | null, path: string): boolean {
    const values = this.#values;
    for (let index = 0; index < values.length; index++) {
      const at = values[index] as number;
      const start = startOf(at);
      const end = ends[at] as number;
      const test = tests === null ? null : (tests[index] as Test);
      if (test === null ? start === end : !test(path.slice(start, end))) return false;
    }
    return true;
  }

  /** The decoded parameters of the route that this shape has found last. */
  params(path: string): Record<string, string> {
    const names = this.#foundNames;
    const values = this.#values;
    const { length } = values;
    const params: Record<string, string> = {};
    // One by one, so that each place in the code sees few names: half the time of a loop.
    params[names[0] as string] = valueAt(path, values[0] as number);
    if (length > 1) params[names[1] as string] = valueAt(path, values[1] as number);
    if (length > 2) params[names[2] as string] = valueAt(path, values[2] as number);
    for (let index = 3; index < length; index++) {
      params[names[index] as string] = valueAt(path, values[index] as number);
    }
    return params;
  }
}

function valueAt(path: string, segment: number): string {
  const value = path.slice(startOf(segment), ends[segment]);
  return seen.escape ? decodeParameter(value) : value;
}

function hasLiterals(
  path: string,
  literals: readonly number[],
  codes: Uint16Array,
  start: number,
): boolean {
  let offset = start;
  for (let index = 0; index < literals.length; index++) {
    const at = literals[index] as number;
    const end = ends[at] as number;
    for (let position = startOf(at); position < end; position++) {
      if (path.charCodeAt(position) !== codes[offset++]) return false;
    }
    if (codes[offset++] !== SLASH) return false;
  }
  return true;
}

function toCodes(text: string): Uint16Array {
  const codes = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at);
  return codes;
}

function toSlots(lines: readonly Line[], mask: number): Int32Array {
  const slots = new Int32Array(2 * (mask + 1));
  for (const [index, { literals }] of lines.entries()) {
    const key = literals.reduce((hash, one) => mix(hash, hashText(one)), 0);
    let slot = key & mask;
    while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
    slots[2 * slot] = key;
    slots[2 * slot + 1] = index + 1;
  }
  return slots;
}
