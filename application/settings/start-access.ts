/** Part of the start line: who can read the items, and how the first account is made. */
import { toCommand } from './command.ts';
import type { Config } from './config.ts';
import { describeReaders } from './readers.ts';

/** Sentences without an address: the line ends with the only one. */
export function describeAccess(
  { readers, registration }: Config,
  hasAccounts: boolean,
): readonly string[] {
  const access = `${describeReaders(readers)} (READERS=${readers})`;
  return hasAccounts
    ? [access]
    : [access, FIRST_ACCOUNT[registration === 'invite' ? 'invite' : 'open']()];
}

const FIRST_ACCOUNT = {
  open: () =>
    'There is no account yet: open /register at this address and create the first one, which is the administrator’s.',
  invite: () =>
    `There is no account yet, and REGISTRATION=invite: run "${toCommand('account invite')}" for the link that creates the first one, which is the administrator’s.`,
} as const;
