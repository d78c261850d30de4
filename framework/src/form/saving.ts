/** What a form that is saved while one types sends beside its fields, and what its page says of it. */

/** Of `_change`: by the script, by the button, and to begin a new form. */
export type SavingChange = 'autosave' | 'save' | 'anew';

/** When what the page shows was saved. */
export const SAVED = '_saved';

export interface Saving {
  /** Null for a form that is not saved, as that of a visitor: the script warns before the page is left. */
  readonly at: string | null;
  /** Whether the page shows what was saved before. */
  readonly isOpened: boolean;
  /** What is wrong, or worth knowing. */
  readonly note: string | null;
}
