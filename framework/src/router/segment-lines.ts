/** The routes of one shape, sorted into lines: those with the same literal segments, in order. */

/** What a parameter's value must pass; null when it may be anything that is not empty. */
export type Test = ((value: string) => boolean) | null;

/** A segment of a pattern: literal text, or a parameter with its test. */
export interface Segment {
  /** Null for a parameter. */
  readonly text: string | null;
  readonly test: Test;
}

export type Names = readonly string[];

export interface SegmentRoute {
  readonly index: number;
  readonly names: Names;
  readonly segments: readonly Segment[];
}

export interface Line {
  readonly literals: readonly string[];
  /** Where its literals start in the text of all lines. */
  readonly offset: number;
  /** One route without tests. */
  readonly isPlain: boolean;
  readonly routes: readonly LineRoute[];
}

interface LineRoute {
  readonly index: number;
  /** A place in the list of names: most routes share a few. */
  readonly nameList: number;
  /** For each parameter; null when none has a test. */
  readonly tests: readonly Test[] | null;
}

export interface Lines {
  readonly lines: readonly Line[];
  readonly names: readonly Names[];
  /** The literals of all lines, each with a slash behind it. */
  readonly text: string;
}

/** `positions` are those of the literal segments. */
export function toLines(routes: readonly SegmentRoute[], positions: readonly number[]): Lines {
  const nameLists = new Map<string, number>();
  const names: Names[] = [];
  const toNameList = (list: Names): number => {
    const key = list.join(':');
    const known = nameLists.get(key);
    if (known !== undefined) return known;
    nameLists.set(key, names.length);
    return names.push(list) - 1;
  };
  const textOf = ({ segments }: SegmentRoute) =>
    positions.map((at) => `${segments[at]?.text}/`).join('');
  let text = '';
  const lines = [...Map.groupBy(routes, textOf)].map(([literals, group]): Line => {
    const offset = text.length;
    text += literals;
    const lineRoutes = group.map(({ index, names, segments }) => ({
      index,
      nameList: toNameList(names),
      tests: testsOf(segments),
    }));
    return {
      literals: literals.split('/').slice(0, -1),
      offset,
      isPlain: lineRoutes.length === 1 && lineRoutes[0]?.tests === null,
      routes: lineRoutes,
    };
  });
  return { lines, names, text };
}

function testsOf(segments: readonly Segment[]): readonly Test[] | null {
  const tests = segments.filter(({ text }) => text === null).map(({ test }) => test);
  return tests.some((test) => test !== null) ? tests : null;
}
