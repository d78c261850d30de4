/**
 * A new password is typed twice, so that a slip does not lock anybody out. The second field is compared
 * only if it was sent: every page has it, and a program may leave it out.
 */
import { type Context, readEntries } from 'seeother';
import { passwordField } from 'seeother/fields';

const DIFFERENT = 'The two passwords are different. Type the same password twice';

/** Its text is compared and checked nowhere else. */
export function passwordAgainField(label: string): ReturnType<typeof passwordField> {
  const attributes = { autocomplete: 'new-password' };
  const required = 'Type the password again';
  return {
    ...passwordField({ label, required, minLength: 1, maxLength: 1_000, attributes }),
    parse: (typed) => ({ ok: true, value: typed }),
  };
}

/** The error of a form whose field `again` was sent with another text than the password. */
export async function findSlip<Name extends string>(
  context: Context,
  again: Name,
  values: Readonly<Record<Name, string>>,
  password: string,
): Promise<readonly { readonly field: Name; readonly message: string }[]> {
  if (values[again] === password) return [];
  const entries = await readEntries(context);
  const isSent = entries.some(({ name }) => name === again);
  return isSent ? [{ field: again, message: DIFFERENT }] : [];
}
