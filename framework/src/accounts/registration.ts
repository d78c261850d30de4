/**
 * Who may register, and how an account comes to be: of two first registrations at once one is the first, an invitation
 * and a confirmed address count once, and a name goes to one account.
 */
import type { Fields, FormError } from '../form/define-form.ts';
import type { Request } from '../http/request.ts';
import type { Account } from './account.ts';
import type { AccountEvents } from './account-events.ts';
import type { CheckedOptions } from './account-options.ts';
import type { AccountStore, Write } from './account-store.ts';
import type { AccountTokens, TokenRow } from './account-tokens.ts';

/** Who can register without an invitation. */
export type OpenTo = 'first' | 'open' | 'closed';

/** What the link of an invitation, or of a mail that confirms an address, has brought. */
export interface Ticket {
  /** Confirmed by the link, because it came by mail to this address. */
  readonly email: string | null;
  /** Null for that of everybody. */
  readonly role: string | null;
}

export interface Registration {
  readonly openTo: () => Promise<OpenTo>;
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

/** Leaves the transaction, so that the token is not used up. */
class Refused extends Error {
  readonly errors: readonly FormError<Fields>[] | undefined;

  constructor(errors?: readonly FormError<Fields>[]) {
    super();
    this.errors = errors;
  }
}

export function createRegistration(parts: {
  readonly options: CheckedOptions;
  readonly store: AccountStore;
  readonly tokens: AccountTokens;
  readonly events: AccountEvents;
  readonly write: Write;
}): Registration {
  const { options, store, tokens, events, write } = parts;
  const [lowest = '', highest = lowest] = [options.roles[0], options.roles.at(-1)];
  let hasAccounts = false;

  const openTo = async (): Promise<OpenTo> => {
    // Once there is an account, there is always one that may invite.
    hasAccounts ||= !(await store.isEmpty());
    if (!hasAccounts && options.registration !== 'invitation') return 'first';
    return options.registration === 'open' ? 'open' : 'closed';
  };
  const findRow = async (token: string): Promise<TokenRow<Ticket> | null> =>
    (await tokens.find<Ticket>('invitation', token)) ??
    (await tokens.find<Ticket>('registration', token));

  return {
    openTo,
    async findTicket(token) {
      return (await findRow(token))?.data ?? null;
    },
    async register(request, { username, passwordHash, token, profile: values }) {
      try {
        return await write(async (transaction) => {
          await store.lockAll(transaction);
          const isFirst = await store.isEmpty(transaction);
          const mayWithout =
            options.registration === 'open' || (isFirst && options.registration === 'first');
          const ticket =
            token === null
              ? null
              : ((await tokens.take<Ticket>(transaction, 'invitation', token)) ??
                (await tokens.take<Ticket>(transaction, 'registration', token)));
          if (ticket === null && (token !== null || !mayWithout || options.names === 'email'))
            return 'closed';
          const { email = null, role = null } = ticket?.data ?? {};
          const account = await store.insert(transaction, {
            username: options.names === 'email' ? (email ?? username) : username,
            email,
            passwordHash,
            role: isFirst ? highest : (role ?? lowest),
          });
          if (account === null) throw new Refused();
          const errors = await options.profile?.save({ transaction, account, values });
          if (errors !== undefined && errors.length > 0) throw new Refused(errors);
          await events.add(transaction, { accountId: account.id, kind: 'registered', request });
          return account;
        });
      } catch (error) {
        if (error instanceof Refused) return error.errors ?? 'taken';
        throw error;
      }
    },
  };
}
