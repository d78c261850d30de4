/** New passwords: what is refused here, and the two fields of a form that sets one. */
import { createNewPasswords, passwordAgainField } from 'seeother/accounts';

export const newPasswords = createNewPasswords({
  siteNames: ['seeother', 'see other', 'see-other'],
});

/** The password, and the same again. */
export function newPasswordFields(label: 'Password' | 'New password') {
  const hint =
    'At least 8 characters. A few words in a row are easy to remember and hard to guess.';
  return [
    newPasswords.field({ label, hint, required: `Enter a ${label.toLowerCase()}` }),
    passwordAgainField({ label: `${label} again`, required: 'Type the password again' }),
  ] as const;
}
