/** Fields that several forms of accounts have. Their texts are translated by the page. */
import type { Field } from '../field/field.ts';
import { checkboxField, passwordField, textField } from '../field/fields.ts';
import { emailField } from '../field/text-fields.ts';
import { type NewPasswords, passwordAgainField } from './new-password.ts';
import { text } from './say.ts';

const NAME = { autocapitalize: 'none', spellcheck: 'false' } as const;

/** What one types to log in. `webauthn` makes a browser offer its passkeys in it. */
export function typedNameField(names: 'username' | 'email', hasPasskeys: boolean): Field<string> {
  return textField({
    label: names === 'email' ? text('Email address') : text('Username'),
    required: names === 'email' ? text('Enter your email address') : text('Enter your username'),
    maxLength: 254,
    code: true,
    attributes: {
      ...NAME,
      autocomplete: hasPasskeys ? 'username webauthn' : 'username',
      ...(names === 'email' ? { inputmode: 'email' } : {}),
    },
  });
}

export function newUsernameField(): Field<string> {
  return textField({
    label: text('Username'),
    required: text('Enter a username'),
    hint: text('From 3 to 40 letters, digits, dots, hyphens or underscores.'),
    minLength: 3,
    maxLength: 40,
    code: true,
    pattern: {
      matches: /^[A-Za-z0-9._-]+$/,
      message: text(
        'Username must be made of letters a to z, digits, dots, hyphens and underscores',
      ),
    },
    attributes: { ...NAME, autocomplete: 'username' },
  });
}

export function addressField(
  required: 'Enter an email address' | 'Enter your email address',
): Field<string> {
  return emailField({ label: text('Email address'), required: text(required) });
}

/** A password that exists already. */
export function passwordNowField(label: 'Password' | 'Current password'): Field<string> {
  return passwordField({
    label: text(label),
    required:
      label === 'Password' ? text('Enter your password') : text('Enter your current password'),
    minLength: 1,
    maxLength: 1_000,
    attributes: { autocomplete: 'current-password' },
  });
}

/** The fields of a new password, which is typed twice. */
export function newPasswordFields(
  { field }: NewPasswords,
  label: 'Password' | 'New password',
): readonly [Field<string>, Field<string>] {
  const isNew = label === 'New password';
  return [
    field({
      label: isNew ? text('New password') : text('Password'),
      hint: text(
        'At least 8 characters. A few words in a row are easy to remember and hard to guess.',
      ),
      required: isNew ? text('Enter a new password') : text('Enter a password'),
    }),
    passwordAgainField({
      label: isNew ? text('New password again') : text('Password again'),
      required: text('Type the password again'),
    }),
  ] as const;
}

export function rememberField(): Field<boolean> {
  return checkboxField({
    label: text('Stay logged in on this device'),
    hint: text('Don’t tick this on a shared computer.'),
  });
}
