/** An invalid pattern. The message shows a caret under the mistake, the reason and the remedy. */
export class PatternError extends SyntaxError {
  override readonly name = 'PatternError';
  readonly pattern: string;
  /** The position in the pattern, from 0. */
  readonly index: number;

  constructor(pattern: string, index: number, why: string) {
    super(`Cannot read the pattern: ${why}.\n  ${pattern}\n  ${' '.repeat(index)}^`);
    this.pattern = pattern;
    this.index = index;
  }
}
