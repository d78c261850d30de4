/**
 * The segments of a pattern: the text between its slashes, if each is either literal or one parameter.
 */
import type { ValueTest } from './pattern/value-test.ts';

/** A test of a parameter's value; null if any value except the empty text passes. */
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
