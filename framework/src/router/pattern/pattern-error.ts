/** What is wrong with a pattern, shown under the pattern itself: a caret, why, and the remedy. */
export class PatternError extends SyntaxError {
  override readonly name = 'PatternError';
  readonly pattern: string;
  /** Where in the pattern, from 0. */
  readonly index: number;

  constructor(pattern: string, index: number, why: string) {
    super(`Cannot read the pattern: ${why}.\n  ${pattern}\n  ${' '.repeat(index)}^`);
    this.pattern = pattern;
    this.index = index;
  }
}
