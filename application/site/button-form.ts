/** The forms of buttons that do one thing. */
import { blankForm, defineForm, type FilledForm } from 'seeother';

/** A form with no fields, only its key. */
export const buttonForm = defineForm({});

/** Who opens a form; null for a visitor. */
export type OpenedBy = { readonly id: number } | null;

/** It belongs to the user: sent from the session of another account, it is refused. */
export function openButton(user: OpenedBy): FilledForm<typeof buttonForm.fields> {
  return blankForm(buttonForm, {}, undefined, user);
}
