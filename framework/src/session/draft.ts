/**
 * A draft: what was typed into a form that was sent without a session. It is kept whole in the
 * session that the log-in starts, until the form is shown again with everything in it.
 */
export interface Draft {
  /** The page with the form. */
  readonly path: string;
  /** Each field as it was typed, by its name. */
  readonly fields: Readonly<Record<string, string>>;
  /** The form's own key, so that it still counts once; null when it had none. */
  readonly once: string | null;
}
