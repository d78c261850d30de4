/**
 * A new password is typed twice, so that a slip does not lock anybody out. The second field is compared
 * only if it was sent: every page has it, and a program may leave it out. Whether it is easy to guess is
 * checked here too, so that a refused form says both.
 */
import { type Context, readEntries } from 'seeother';
import { passwordField } from 'seeother/fields';
import { isEasyPassword } from './easy-password.ts';

const EASY_PASSWORD =
  'Choose a password that is harder to guess: this one is on lists of common passwords';
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

/** What is wrong with a new password beside its length. */
export interface NewPassword<Name extends string> {
  /** The names of its field, and of the field for the same password again. */
  readonly fields: readonly [Name, Name];
  readonly username: string;
}

/** The errors of a new password: easy to guess, or typed differently the second time. */
export async function checkNewPassword<const Name extends string>(
  context: Context,
  { fields: [first, again], username }: NewPassword<Name>,
): Promise<readonly { readonly field: Name; readonly message: string }[]> {
  const entries = await readEntries(context);
  const typed = (field: Name) => entries.find(({ name }) => name === field)?.text;
  const [password = '', second = password] = [typed(first), typed(again)];
  if (password === '') return [];
  const easy = await isEasyPassword(password, username);
  return [
    ...(easy ? [{ field: first, message: EASY_PASSWORD }] : []),
    ...(second === password ? [] : [{ field: again, message: DIFFERENT }]),
  ];
}
