/**
 * Refuses new passwords that attackers try first: common ones, the user's own name and address, the name of the site,
 * and with a local copy of the list, those that were stolen elsewhere. There is no other rule but the length.
 *
 * They are compared in lower case and as a whole: a password that only contains a common one is not refused.
 */
import type { Field, FieldOptions } from '../field/field.ts';
import { passwordField } from '../field/fields.ts';
import type { FilledForm } from '../form/define-form.ts';
import {
  COUNT,
  checkOptions,
  FUNCTION,
  LIST,
  type OptionKinds,
  SENTENCE,
} from '../http/check-options.ts';
import { english } from '../language/english.ts';
import { writeReport } from '../middleware/error-report.ts';
import { openBreachedPasswords } from './breached-passwords.ts';
import { toOneForm } from './passwords.ts';

/** What is wrong with a new password: the names of the messages in `words.passwords`. */
export type PasswordFlaw = 'common' | 'personal' | 'breached';

export interface NewPasswordOptions {
  /** In characters; 8 by default, and not less, because the list of common passwords begins there. */
  readonly minLength?: number;
  /** 1,000 by default. */
  readonly maxLength?: number;
  /** Names of the site and of what it is about, which nobody should take for a password. */
  readonly siteNames?: readonly string[];
  /**
   * A copy of the list of breached passwords, made by
   * [haveibeenpwned-downloader](https://github.com/HaveIBeenPwned/PwnedPasswordsDownloader): the folder of
   * `haveibeenpwned-downloader FOLDER -s false`, or the one file of `haveibeenpwned-downloader FILE`, 40 GB each.
   * Without it, no list is asked. The site does not start if it is missing or damaged. If a file of it cannot be read
   * later, that is reported, and the password is accepted.
   */
  readonly breached?: string;
  /** Told of a list that cannot be read. By default it writes to standard error. */
  readonly report?: (entry: { readonly message: string; readonly error?: unknown }) => void;
}

const OPTION_KINDS: OptionKinds<NewPasswordOptions> = {
  minLength: COUNT,
  maxLength: COUNT,
  siteNames: LIST,
  breached: { ...SENTENCE, noun: 'the path of the list', example: "'/srv/pwnedpasswords'" },
  report: FUNCTION,
};

/** Whose password it will be. */
export interface PasswordOwner {
  readonly username?: string | null;
  readonly email?: string | null;
}

export interface NewPasswords {
  /** The field of a new password. `required` is the error message for an empty one. */
  readonly field: (options: FieldOptions & { readonly required: string }) => Field<string>;
  /** Null for a password that may be used. The field checks its length. */
  readonly find: (password: string, owner: PasswordOwner) => Promise<PasswordFlaw | null>;
  /** The errors of the form of a new password: easy to guess, or typed differently the second time. */
  readonly check: <const Name extends string>(
    sent: SentPasswords<Name>,
    owner: PasswordOwner & {
      /** The names of its field, and of the field for the same password again. */
      readonly fields: readonly [Name, Name];
    },
  ) => Promise<readonly { readonly field: Name; readonly message: string }[]>;
}

/** What `check` of a form gets. */
export interface SentPasswords<Name extends string> {
  readonly form: Pick<FilledForm<Record<never, never>>, 'sent' | 'language'>;
  readonly values: Readonly<Partial<Record<Name, string>>>;
}

const AUTOCOMPLETE = { autocomplete: 'new-password' };
const MIN_LENGTH = 8;

/** Throws for a list of breached ones that is missing or damaged, and for lengths that a site must not ask for. */
export function createNewPasswords(options: NewPasswordOptions = {}): NewPasswords {
  checkOptions('createNewPasswords', options, OPTION_KINDS);
  const {
    minLength = MIN_LENGTH,
    maxLength = 1_000,
    siteNames = [],
    report = writeReport,
  } = options;
  if (minLength < MIN_LENGTH || maxLength < 64)
    throw new TypeError(
      `Cannot take new passwords of ${minLength} to ${maxLength} characters: the least must be 8 or more, and the most 64 or more.`,
    );
  const breached = options.breached === undefined ? null : openBreachedPasswords(options.breached);
  const sites = new Set(siteNames.map(toCompared));
  let common: Promise<ReadonlySet<string>> | null = null;

  async function isBreached(password: string): Promise<boolean> {
    try {
      return (await breached?.has(password)) ?? false;
    } catch (error) {
      report({ message: 'A new password was not looked up in the list of breached ones', error });
      return false;
    }
  }

  async function find(password: string, owner: PasswordOwner): Promise<PasswordFlaw | null> {
    const compared = toCompared(password);
    if (sites.has(compared) || namesOf(owner).includes(compared)) return 'personal';
    common ??= import('./common-passwords.ts').then((list) => list.readCommonPasswords());
    if ((await common).has(compared)) return 'common';
    return (await isBreached(password)) ? 'breached' : null;
  }

  return {
    field: (own) =>
      passwordField({
        ...own,
        minLength,
        maxLength,
        attributes: { ...AUTOCOMPLETE, ...own.attributes },
      }),
    find,
    async check({ form: { sent = [], language = english }, values }, { fields, ...owner }) {
      const [first, again] = fields;
      const password = values[first] ?? '';
      if (password === '') return [];
      const { words } = language;
      const second = sent.some(({ name }) => name === again) ? values[again] : password;
      const flaw = await find(password, owner);
      const isSame = toOneForm(second ?? '') === toOneForm(password);
      return [
        ...(flaw === null ? [] : [{ field: first, message: words.passwords[flaw] }]),
        ...(isSame ? [] : [{ field: again, message: words.passwords.different }]),
      ];
    },
  };
}

/**
 * The field for a new password again, so that a slip does not lock anybody out. Its text is compared by `check` alone,
 * and only if it was sent: every page has it, and a program may leave it out.
 */
export function passwordAgainField(
  options: FieldOptions & { readonly required: string },
): Field<string> {
  return {
    ...passwordField({
      ...options,
      minLength: 1,
      maxLength: 1_000,
      attributes: { ...AUTOCOMPLETE, ...options.attributes },
    }),
    parse: (typed) => ({ ok: true, value: typed }),
  };
}

/** As the password is hashed, in lower case. */
function toCompared(text: string): string {
  return toOneForm(text).toLowerCase();
}

/** The username, and the address with its parts: `ada.lovelace+news`, `ada.lovelace`, `example.org`. */
function namesOf({ username, email }: PasswordOwner): readonly string[] {
  const address = toCompared(email ?? '');
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
  const names = [toCompared(username ?? ''), address, local, local.replace(/\+.*/, '')];
  return [...names, domain, ...domain.split('.')].filter((name) => name !== '');
}
