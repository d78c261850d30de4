/** The name that others see, in the form of the registration and on a page of its own. */
import { defineForm } from 'seeother';
import { type AccountProfile, accountProfile } from 'seeother/accounts';
import { textField } from 'seeother/fields';
import type { KyselyTransaction } from '../database/kysely.ts';
import type { Chosen } from '../site/session-user.ts';
import {
  changeDisplayName,
  DISPLAY_NAME,
  isDisplayName,
  MAX_DISPLAY_NAME,
  mixesAlphabets,
} from './display-name.ts';

const form = defineForm({
  /** Empty for the username. */
  displayname: textField({
    label: 'Name',
    hint: 'What others see, such as Jörg Müller. If you leave it empty, they see your username.',
    maxLength: MAX_DISPLAY_NAME,
    pattern: {
      matches: DISPLAY_NAME,
      message: 'Name must be made of letters, digits, spaces and punctuation, with a letter',
    },
    attributes: { autocomplete: 'name' },
  }),
});

export const displayName: AccountProfile<KyselyTransaction, Chosen> = accountProfile(form, {
  title: 'Change name',
  message: ({ account: { username }, values: { displayname } }) =>
    `Others now see you as ${displayname === '' ? username : displayname}.`,
  fill: ({ session }) => ({ displayname: session?.user.displayName ?? '' }),
  async save({ transaction, account: { id, username }, values: { displayname } }) {
    if (mixesAlphabets(displayname)) return [MIXED];
    if (await isDisplayName(transaction, username, id)) return [USERNAME_TAKEN];
    return (await changeDisplayName(transaction, id, displayname)) ? undefined : [NAME_TAKEN];
  },
});

const MIXED = {
  field: 'displayname',
  message: 'Name must be written in one alphabet',
} as const;

const NAME_TAKEN = {
  field: 'displayname',
  message: 'Somebody else has this name, or one that reads like it. Choose another',
} as const;

/** It reads like the name of somebody. */
const USERNAME_TAKEN = {
  field: 'username',
  message: 'Username is taken; choose another one',
} as const;
