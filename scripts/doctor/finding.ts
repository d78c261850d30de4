/** One line of the doctor: what was checked, the result, and the remedy if it is not good. */

export interface Finding {
  /** `note` is only information; the service works. */
  readonly verdict: 'good' | 'note' | 'bad';
  readonly words: string;
}

export const good = (words: string): Finding => ({ verdict: 'good', words });
export const note = (words: string): Finding => ({ verdict: 'note', words });
export const bad = (words: string): Finding => ({ verdict: 'bad', words });
