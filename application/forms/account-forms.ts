/** The forms to log in and to register. `next` is where to go afterwards. */
import { checkboxField, defineForm, hiddenField, passwordField, textField } from 'seeother';

const username = {
  label: 'Username',
  missing: 'Enter a username',
  longest: 40,
  attributes: { autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false' },
} as const;

export const logInForm = defineForm({
  username: textField(username),
  password: passwordField({
    label: 'Password',
    missing: 'Enter a password',
    shortest: 1,
    longest: 1_000,
    attributes: { autocomplete: 'current-password' },
  }),
  remember: checkboxField({
    label: 'Stay logged in on this device',
    hint: 'Leave this empty on a computer that you share.',
  }),
  next: hiddenField(),
});

export const registrationForm = defineForm({
  username: textField({
    ...username,
    hint: 'From 3 to 40 letters, digits, dots, hyphens or underscores.',
    shortest: 3,
    pattern: {
      matches: /^[A-Za-z0-9._-]+$/,
      message: 'Username must be made of letters a to z, digits, dots, hyphens and underscores',
    },
  }),
  password: passwordField({
    label: 'Password',
    hint: 'At least 8 characters. A few words in a row are easy to remember and hard to guess.',
    missing: 'Enter a password',
    shortest: 8,
    longest: 1_000,
    attributes: { autocomplete: 'new-password' },
  }),
  next: hiddenField(),
});

export type LogInFields = typeof logInForm.fields;
export type RegistrationFields = typeof registrationForm.fields;
