/** The forms of the people pages, and the form behind a link that resets a password. */
import { defineForm } from 'seeother';
import { choiceField, hiddenField, textField } from 'seeother/fields';
import { ROLES } from '../site/role.ts';
import { newPasswordFields } from './new-password.ts';
import { ROLE_NAMES, ROLE_RIGHTS } from './role-page.ts';

const roleField = choiceField({
  label: 'Role',
  choices: ROLES.map((value) => ({
    value,
    label: `${ROLE_NAMES[value]}: can ${ROLE_RIGHTS[value]}`,
  })),
  default: 'member',
  required: 'Choose a role',
});

export const inviteForm = defineForm({
  name: textField({
    label: 'Name',
    hint: 'Who the link is for. They choose their username themselves.',
    required: 'Enter the name of the person',
    maxLength: 120,
    attributes: { autocomplete: 'off' },
  }),
  role: roleField,
});

/** Names an invitation by its public id. */
export const withdrawForm = defineForm({ id: hiddenField() });

export const roleForm = defineForm({ role: roleField });

/** No fields, only the idempotency key. */
export const resetLinkForm = defineForm({});

const [password, passwordagain] = newPasswordFields('New password');

export const resetForm = defineForm({
  /** The token of the link. */
  link: hiddenField(),
  /** For password managers, and for the same form sent twice: see reset-controller.ts. */
  username: hiddenField(),
  password,
  passwordagain,
});

export type InviteFields = typeof inviteForm.fields;
export type RoleFields = typeof roleForm.fields;
export type ResetFields = typeof resetForm.fields;
