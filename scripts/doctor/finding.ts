/** One line of the doctor's: what was looked at, how it is, and the remedy where it is not good. */

export interface Finding {
  /** `note` is worth knowing; the service works all the same. */
  readonly verdict: 'good' | 'note' | 'bad';
  readonly words: string;
}

export const good = (words: string): Finding => ({ verdict: 'good', words });
export const note = (words: string): Finding => ({ verdict: 'note', words });
export const bad = (words: string): Finding => ({ verdict: 'bad', words });
