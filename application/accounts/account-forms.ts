/**
 * The forms to log in and to register, and those of the account page. `next` is the path to
 * redirect to. No error page repeats a password or a hidden field, such as an invitation.
 */
import { defineForm } from 'seeother';
import { checkboxField, hiddenField, passwordField, textField } from 'seeother/fields';
import { DISPLAY_NAME, MAX_DISPLAY_NAME } from './display-name.ts';
import { newPasswordFields } from './new-password.ts';

const username = {
  label: 'Username',
  required: 'Enter a username',
  maxLength: 40,
  code: true,
  attributes: { autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false' },
} as const;

/** The name that pages show; empty for the username. */
const displayname = textField({
  label: 'Name',
  hint: 'What others see, such as Jörg Müller. If you leave it empty, they see your username.',
  maxLength: MAX_DISPLAY_NAME,
  pattern: {
    matches: DISPLAY_NAME,
    message: 'Name must be made of letters, digits, spaces and punctuation, with a letter',
  },
  attributes: { autocomplete: 'name' },
});

export const logInForm = defineForm({
  username: textField(username),
  password: passwordField({
    label: 'Password',
    required: 'Enter a password',
    minLength: 1,
    maxLength: 1_000,
    attributes: { autocomplete: 'current-password' },
  }),
  remember: checkboxField({
    label: 'Stay logged in on this device',
    hint: 'Don’t tick this on a shared computer.',
  }),
  next: hiddenField(),
  /** The draft of a form that was sent without a session; see `parseDraft`. */
  draft: hiddenField(),
});

const [password, passwordagain] = newPasswordFields('Password');

export const registrationForm = defineForm({
  username: textField({
    ...username,
    hint: 'From 3 to 40 letters, digits, dots, hyphens or underscores.',
    minLength: 3,
    pattern: {
      matches: /^[A-Za-z0-9._-]+$/,
      message: 'Username must be made of letters a to z, digits, dots, hyphens and underscores',
    },
  }),
  displayname,
  password,
  passwordagain,
  invitation: hiddenField(),
  next: hiddenField(),
});

const currentpassword = passwordField({
  label: 'Current password',
  required: 'Enter your current password',
  minLength: 1,
  maxLength: 1_000,
  attributes: { autocomplete: 'current-password' },
});

/** The error of a form whose current password is wrong. */
export const WRONG_PASSWORD = {
  field: 'currentpassword',
  message: 'Current password is incorrect',
} as const;

const [newpassword, newpasswordagain] = newPasswordFields('New password');

export const passwordForm = defineForm({
  currentpassword,
  newpassword,
  newpasswordagain,
});

export const nameForm = defineForm({ displayname });

/** Ends one of the user's sessions, by its public id, or without an id all others. */
export const endSessionsForm = defineForm({ currentpassword, id: hiddenField() });

export type NameFields = typeof nameForm.fields;
export type PasswordFields = typeof passwordForm.fields;
export type EndSessionsFields = typeof endSessionsForm.fields;
export type LogInFields = typeof logInForm.fields;
export type RegistrationFields = typeof registrationForm.fields;
