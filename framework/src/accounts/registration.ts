/**
 * Who may register, and how an account comes to be: of two first registrations at once one is the first, an invitation
 * and a confirmed address count once, and a name goes to one account.
 */

import type { WriteTransaction } from '../database/database.ts';
import type { Fields, FormError } from '../form/define-form.ts';
import { type Awaitable, andThen } from '../http/awaitable.ts';
import type { Request } from '../http/request.ts';
import type { Account } from './account.ts';
import type { AccountEvents } from './account-events.ts';
import type { CheckedOptions } from './account-options.ts';
import type { AccountStore, Write } from './account-store.ts';
import type { AccountTokens } from './account-tokens.ts';
import { type Leave, unlessLeft } from './leave-transaction.ts';

/** Who can register without an invitation. */
export type OpenTo = 'first' | 'open' | 'closed';

/** What the link of an invitation, or of a mail that confirms an address, has brought. */
export interface Ticket {
  /** Confirmed by the link, because it came by mail to this address. */
  readonly email: string | null;
  /** Null for the default. */
  readonly role: string | null;
  /** The username of who made the invitation. */
  readonly by?: string;
  /** The key of the invitation without an address for which the mail was sent. */
  readonly invitation?: string | null;
}

export interface Registration {
  readonly openTo: () => Awaitable<OpenTo>;
  /** Null if the token is none that can be used now. */
  readonly findTicket: (token: string) => Promise<Ticket | null>;
  /** With errors if the profile cannot be saved: then there is no account. */
  readonly register: (
    request: Request,
    given: Registered,
  ) => Promise<Account | 'taken' | 'closed' | readonly FormError<Fields>[]>;
}

export interface Registered {
  readonly username: string;
  readonly passwordHash: string | null;
  /** Of an invitation, or of a mail; null for a registration without one. */
  readonly token: string | null;
  /** The values of the form, with those of `options.profile`. */
  readonly profile: unknown;
}

type Refusal = 'taken' | 'closed' | readonly FormError<Fields>[];

export function createRegistration(parts: {
  readonly options: CheckedOptions;
  readonly store: AccountStore;
  readonly tokens: AccountTokens;
  readonly events: AccountEvents;
  readonly write: Write;
}): Registration {
  const { options, store, tokens, events, write } = parts;
  const highest = options.roles.at(-1) ?? '';
  let hasAccounts = false;

  const { registration } = options;
  const openTo = (): Awaitable<OpenTo> =>
    // Once there is an account, there is always one that may invite.
    andThen(!hasAccounts && store.isEmpty(), (isEmpty) => {
      hasAccounts = !isEmpty;
      if (isEmpty && registration !== 'invitation') return 'first';
      return registration === 'open' ? 'open' : 'closed';
    });
  /** A confirmed address is no invitation by itself, but the one may stand behind the other. */
  const takeTicket = async (transaction: WriteTransaction, token: string) => {
    const invited = await tokens.take<Ticket>(transaction, 'invitation', token);
    if (invited !== null) return { ...invited.data, isInvited: true };
    const confirmed = await tokens.take<Ticket>(transaction, 'registration', token);
    const key = confirmed?.data.invitation ?? null;
    if (confirmed === null || key === null)
      return confirmed && { ...confirmed.data, isInvited: false };
    const behind = await tokens.takeKey<Ticket>(transaction, 'invitation', key, null);
    return behind && { ...behind.data, email: confirmed.data.email, isInvited: true };
  };

  return {
    openTo,
    async findTicket(token) {
      const invited = await tokens.find<Ticket>('invitation', token);
      if (invited !== null) return { ...invited.data, invitation: invited.key };
      const confirmed = await tokens.find<Ticket>('registration', token);
      const { invitation = null } = confirmed?.data ?? {};
      // The site may be closed since the mail was sent.
      const isOpen =
        invitation === null
          ? (await openTo()) !== 'closed'
          : (await tokens.findKey('invitation', invitation)) !== null;
      return isOpen ? (confirmed?.data ?? null) : null;
    },
    register(request, { username, passwordHash, token, profile: values }) {
      return unlessLeft((leave: Leave<Refusal>) =>
        write(async (transaction) => {
          await store.lockAll(transaction);
          const isFirst = await store.isEmpty(transaction);
          const mayWithout =
            options.registration === 'open' || (isFirst && options.registration === 'first');
          const ticket = token === null ? null : await takeTicket(transaction, token);
          const isAllowed =
            ticket === null ? token === null && mayWithout : ticket.isInvited || mayWithout;
          const { by = null, email = null, role = null } = ticket ?? {};
          const isNamed = options.names !== 'email' || email !== null;
          if (!isAllowed || !isNamed) throw leave('closed');
          const account = await store.insert(transaction, {
            username: options.names === 'email' && email !== null ? email : username,
            email,
            passwordHash,
            role: isFirst ? highest : (role ?? options.defaultRole),
          });
          if (account === null) throw leave('taken');
          const errors = await options.profile?.save({ transaction, account, values });
          if (errors !== undefined && errors.length > 0) throw leave(errors);
          await events.add(transaction, { account, kind: 'registered', detail: '', by, request });
          return account;
        }),
      );
    },
  };
}
