/**
 * Builds the tree that route-tree.ts searches: texts, and tries that find which text can occur at a
 * place.
 *
 * A trie distinguishes its texts only by the characters in which they differ (a Patricia trie). Its
 * result is a candidate that still has to be compared. All nodes are in one number array, because with
 * many routes a look-up mostly waits for memory. A node has the offset of a character, a mask, the
 * entry for a path that ends before that character, and one entry per value of `character & mask`. A
 * positive entry is a node, a negative one a text, 0 nothing.
 *
 * A text can be a prefix of others, as `/a/` is of `/a/b/`. The nodes lead to it where none of the
 * others continues, and each of the others refers to it as its next shorter text.
 */
import type { Names, Segment, SegmentRoute, Test } from './segment.ts';

/** Literal text from slash to slash, and what can follow it. */
export interface Text {
  readonly text: string;
  /** The lowest index of all routes below it. */
  readonly min: number;
  /** The next shorter text at this place that is a prefix of this one. */
  shorter: Text | null;
  /** The routes that end here, and those that end with a parameter. */
  end: Ending | null;
  value: Ending | null;
  /** The trie of the texts after a parameter. */
  next: number;
}

/** The end of a route. Routes that differ only in their tests are linked by `other`, in order. */
export interface Ending {
  readonly index: number;
  readonly names: Names;
  /** One per parameter; null if no parameter has a test. */
  readonly tests: readonly Test[] | null;
  other: Ending | null;
}

/** A text before it is placed in a trie. */
interface Draft {
  readonly text: Text;
  next: Map<string, Draft> | null;
}

export interface BuiltTree {
  readonly cells: Int32Array;
  readonly texts: readonly Text[];
  readonly root: number;
}

/** `routes` in ascending order of index. */
export function buildRouteTree(routes: readonly SegmentRoute[]): BuiltTree {
  const cells: number[] = [0];
  const texts: (Text | null)[] = [null];
  const root = place(draftsOf(routes));
  return { cells: Int32Array.from(cells), texts: texts as Text[], root };

  function place(drafts: ReadonlyMap<string, Draft> | null): number {
    if (drafts === null || drafts.size === 0) return 0;
    const sorted = [...drafts.values()].sort(byText);
    return placeNode(sorted, 0, sorted.length, 0, 0);
  }

  /** The texts share at least `offset` characters; `shorter` is a prefix of all of them. */
  function placeNode(
    sorted: readonly Draft[],
    from: number,
    to: number,
    offset: number,
    shorter: number,
  ): number {
    const first = sorted[from] as Draft;
    if (to - from === 1) return -placeText(first, shorter);
    const last = textOf(sorted, to - 1);
    const { length } = textOf(sorted, from);
    let at = offset;
    while (at < length && codeAt(sorted, from, at) === last.charCodeAt(at)) at++;
    if (at === length) return placeNode(sorted, from + 1, to, at, placeText(first, shorter));
    const starts: number[] = [];
    for (let index = from; index < to; index++) {
      if (index === from || codeAt(sorted, index, at) !== codeAt(sorted, index - 1, at))
        starts.push(index);
    }
    const mask = maskFor(starts.map((start) => codeAt(sorted, start, at)));
    const node = cells.push(at, mask, -shorter) - 3;
    for (let slot = 0; slot <= mask; slot++) cells.push(-shorter);
    for (let group = 0; group < starts.length; group++) {
      const start = starts[group] as number;
      cells[node + 3 + (codeAt(sorted, start, at) & mask)] = placeNode(
        sorted,
        start,
        starts[group + 1] ?? to,
        at,
        shorter,
      );
    }
    return node;
  }

  function placeText({ text, next }: Draft, shorter: number): number {
    text.shorter = texts[shorter] as Text | null;
    const id = texts.push(text) - 1;
    text.next = place(next);
    return id;
  }
}

function byText(a: Draft, b: Draft): number {
  return a.text.text < b.text.text ? -1 : 1;
}

function codeAt(sorted: readonly Draft[], index: number, at: number): number {
  return textOf(sorted, index).charCodeAt(at);
}

function textOf(sorted: readonly Draft[], index: number): string {
  return (sorted[index] as Draft).text.text;
}

/** The smallest mask under which the codes differ. */
function maskFor(codes: readonly number[]): number {
  for (let mask = 1; ; mask = 2 * mask + 1) {
    if (new Set(codes.map((code) => code & mask)).size === codes.length) return mask;
  }
}

function draftsOf(routes: readonly SegmentRoute[]): ReadonlyMap<string, Draft> {
  const top = new Map<string, Draft>();
  const nameLists = new Map<string, Names>();
  for (const { index, names, segments } of routes) {
    const last = segments.length - 1;
    let drafts = top;
    let text = '';
    for (let at = 0; at <= last; at++) {
      const literal = (segments[at] as Segment).text;
      text += literal === null ? '/' : `/${literal}`;
      if (literal !== null && at < last) continue;
      let draft = drafts.get(text);
      if (draft === undefined) {
        draft = {
          text: { text, min: index, shorter: null, end: null, value: null, next: 0 },
          next: null,
        };
        drafts.set(text, draft);
      }
      if (at === last)
        addEnding(draft.text, literal === null ? 'value' : 'end', {
          index,
          names: share(nameLists, names),
          tests: testsOf(segments),
          other: null,
        });
      else {
        draft.next ??= new Map();
        drafts = draft.next;
      }
      text = '';
    }
  }
  return top;
}

function share(lists: Map<string, Names>, list: Names): Names {
  const key = list.length === 1 ? (list[0] as string) : list.join(':');
  const known = lists.get(key);
  if (known === undefined) lists.set(key, list);
  return known ?? list;
}

function addEnding(text: Text, kind: 'end' | 'value', ending: Ending): void {
  let last = text[kind];
  if (last === null) {
    text[kind] = ending;
    return;
  }
  while (last.other !== null) last = last.other;
  last.other = ending;
}

function testsOf(segments: readonly Segment[]): readonly Test[] | null {
  if (segments.every(({ test }) => test === null)) return null;
  return segments.filter(({ text }) => text === null).map(({ test }) => test);
}
