/**
 * Accounts in a terminal: `npm run account -- invite admin`. It works while the site runs, and when nobody can log in
 * any more. The events say that a program did it.
 */
import type { WriteTransaction } from '../database/database.ts';
import type { Href } from '../http/href.ts';
import { english } from '../language/english.ts';
import { TERMINAL } from './account-events.ts';
import { describeReach } from './account-mail.ts';
import type { AccountParts } from './account-parts.ts';
import { endAccess } from './end-access.ts';
import { createInvitation } from './invitations.ts';
import {
  makePasswordLink,
  type PeopleChange,
  setDisabled,
  setRole,
  takeSecondFactor,
} from './people.ts';
import { sayWith } from './say.ts';

/** What it takes, in words for the error. */
const USAGE =
  'invite [ROLE], password USERNAME, role USERNAME ROLE, factors USERNAME, disable USERNAME or enable USERNAME';

/** Resolves to the text to print. Rejects with an error whose message says what is wrong, and the remedy. */
export async function runAccountCommand(
  parts: AccountParts,
  [command = '', ...rest]: readonly string[],
): Promise<string> {
  const { options, store, write } = parts;
  const { roles } = options;
  const [username = '', role = ''] = rest;
  const link = (path: string, what: string) =>
    options.publicOrigin === null
      ? `${path}\nOpen this path on the site. ${what}`
      : `${options.publicOrigin}${path}\n${what} ${describeReach(sayWith(english), options.publicOrigin)}`.trimEnd();
  const refuse = (why: string): never => {
    throw new Error(`Cannot run ${JSON.stringify([command, ...rest].join(' '))}: ${why}.`);
  };
  const requireRole = (name: string): string =>
    roles.includes(name) ? name : refuse(`the roles are ${roles.join(', ')}`);

  if (command === '') return `Commands: ${USAGE}.`;
  if (command === 'invite') {
    if (rest.length > 1) refuse(`use ${USAGE}`);
    const given = requireRole(username || options.defaultRole);
    const path = await write((transaction) => invite(parts, transaction, given));
    return link(path, 'One person can make an account with this link, within 7 days.');
  }
  const expected = command === 'role' ? 2 : 1;
  if (
    !['password', 'role', 'factors', 'disable', 'enable'].includes(command) ||
    rest.length !== expected
  )
    return refuse(`use ${USAGE}`);
  const account =
    (await store.findTyped(username)) ??
    refuse('no account has this username or address; check its spelling');
  const { id, username: name } = account;
  const changed = async <Extra>(
    change: (transaction: WriteTransaction) => Promise<PeopleChange<Extra>>,
  ) => {
    const done = await write(change);
    if (done.kind === 'done') return done;
    return refuse(
      done.kind === 'last'
        ? `no other ${roles.at(-1)} would remain; make somebody else one first`
        : 'the account has gone meanwhile',
    );
  };
  switch (command) {
    case 'password': {
      const { token } = await changed(async (transaction) => {
        // The old password may have been stolen, and no other command stops it for good.
        await store.lockAll(transaction);
        await store.change(transaction, id, { password_hash: '' }, true);
        await endAccess(parts, transaction, id);
        return makePasswordLink(parts, transaction, null, id);
      });
      const enableFirst =
        account.disabledAt === null ? '' : ` Enable the account first: ${name} is disabled.`;
      return link(
        `/password/new?token=${token}`,
        `${name} can choose a new password with this link, within 24 hours. The old one no longer works, and ${name} is logged out everywhere.${enableFirst}`,
      );
    }
    case 'role':
      requireRole(role);
      await changed((transaction) => setRole(parts, transaction, null, id, role));
      return `The role of ${name} is ${role}.`;
    case 'factors': {
      const { had } = await changed((transaction) =>
        takeSecondFactor(parts, transaction, null, id),
      );
      if (!had) return `${name} has no second factor.`;
      return `The second factor of ${name} was taken away, and ${name} is logged out everywhere.`;
    }
    default: {
      const isToBeDisabled = command === 'disable';
      const { account: before } = await changed((transaction) =>
        setDisabled(parts, transaction, null, id, isToBeDisabled),
      );
      const isAsBefore = isToBeDisabled === (before.disabledAt !== null);
      if (isToBeDisabled)
        return isAsBefore
          ? `${name} is disabled already.`
          : `${name} is logged out everywhere, and cannot log in.`;
      return isAsBefore ? `${name} is not disabled.` : `${name} can log in again.`;
    }
  }
}

/** Resolves to the path of the link. */
export function invite(
  parts: AccountParts,
  transaction: WriteTransaction,
  role: string,
): Promise<Href> {
  const program = { account: null, by: TERMINAL, request: null };
  return createInvitation(parts, transaction, { email: null, role }, program);
}
