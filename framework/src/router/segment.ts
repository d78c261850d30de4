/** The segments of a pattern: what lies between its slashes, when it consists of nothing else. */
import type { ValueTest } from './pattern/value-test.ts';

/** What a parameter's value must pass; null when it may be anything that is not empty. */
export type Test = ValueTest | null;

/** Literal text, or a parameter with its test. */
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
