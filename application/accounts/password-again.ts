/**
 * A new password is typed twice, so that a slip does not lock anybody out. The second field is compared
 * only if it was sent: every page has it, and a program may leave it out. Whether it is easy to guess is
 * checked here too, so that a refused form says both.
 */
import type { FilledForm } from 'seeother';
import { passwordField } from 'seeother/fields';
import { isEasyPassword } from './easy-password.ts';
import { toOneForm } from './password.ts';

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

/** What `check` of its form gets. */
interface SentPasswords<Name extends string> {
  readonly form: Pick<FilledForm<Record<never, never>>, 'sent'>;
  readonly values: Readonly<Partial<Record<Name, string>>>;
}

/** The errors of a new password: easy to guess, or typed differently the second time. */
export async function checkNewPassword<const Name extends string>(
  { form: { sent = [] }, values }: SentPasswords<Name>,
  { fields: [first, again], username }: NewPassword<Name>,
): Promise<readonly { readonly field: Name; readonly message: string }[]> {
  const password = values[first] ?? '';
  if (password === '') return [];
  const second = sent.some(({ name }) => name === again) ? values[again] : password;
  const easy = await isEasyPassword(password, username);
  return [
    ...(easy ? [{ field: first, message: EASY_PASSWORD }] : []),
    ...(toOneForm(second ?? '') === toOneForm(password)
      ? []
      : [{ field: again, message: DIFFERENT }]),
  ];
}
