/**
 * Which account a company account leads to. An address never leads to one: it only says which account its owner may
 * link, after logging in to it. Roles of claims count at each log-in, but never take away the last administrator.
 */
import type { WriteTransaction } from '../database/database.ts';
import type { Request } from '../http/request.ts';
import { createToken } from '../session/token.ts';
import { type Account, isUsable } from './account.ts';
import type { AccountProvider } from './account-options.ts';
import type { AccountParts } from './account-parts.ts';
import type { Identities } from './identities.ts';
import { type Leave, unlessLeft } from './leave-transaction.ts';
import { changeRole } from './needed-factor.ts';
import type { Arrived, Known } from './provider-sign-in.ts';
import type { Ticket } from './registration.ts';

export type Led =
  | { readonly kind: 'account'; readonly account: Account }
  /** The account is there, and waits for its owner: the token is for the page that links. */
  | { readonly kind: 'to link'; readonly token: string }
  | { readonly kind: 'no account' | 'no address' | 'not linked' | 'another account' }
  | { readonly kind: 'disabled'; readonly account: Account };

/** What waits until the owner of the account has logged in to it. */
export interface WaitingLink {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  /** The SHA-256 of what the cookie of the browser has. */
  readonly browser: string;
}

export interface ProviderAccounts {
  /** For a log-in, and for one again. */
  readonly lead: (
    request: Request,
    provider: AccountProvider,
    arrived: Arrived,
    known: Known,
  ) => Promise<Led>;
  /** Within a transaction with the account locked. False if the company account belongs to another one. */
  readonly link: (
    transaction: WriteTransaction,
    request: Request,
    account: Account,
    identity: { readonly issuer: string; readonly subject: string },
    sessionKey: string,
  ) => Promise<boolean>;
}

const LINK_LIFE = 30 * 60_000;

export function createProviderAccounts(
  parts: Pick<AccountParts, 'options' | 'store' | 'tokens' | 'write' | 'tell'> & {
    readonly identities: Identities;
  },
): ProviderAccounts {
  const { identities, options, store, tell, tokens, write } = parts;
  const byAddress = options.names === 'email';
  const [lowest = '', highest = lowest] = [options.roles[0], options.roles.at(-1)];

  async function takeTicket(transaction: WriteTransaction, key: string | null) {
    if (key === null) return null;
    const row =
      (await tokens.takeKey<Ticket>(transaction, 'invitation', key, null)) ??
      (await tokens.takeKey<Ticket>(transaction, 'registration', key, null));
    return row?.data ?? null;
  }

  /** The account as it is then. */
  async function withRole(
    transaction: WriteTransaction,
    request: Request,
    account: Account,
    role: string | null,
  ): Promise<Account> {
    if (role === null || role === account.role) return account;
    const isLast = account.role === highest && (await store.countRole(transaction, highest)) < 2;
    if (!options.roles.includes(role) || isLast) {
      await tell(transaction, request, account, { kind: 'role ignored', detail: role });
      return account;
    }
    await changeRole(parts, transaction, account, role);
    await tell(transaction, request, account, { kind: 'role changed', detail: role });
    return (await store.lock(transaction, account.id)) ?? account;
  }

  /** Null without an address, or a name, that an account can have. */
  async function register(
    transaction: WriteTransaction,
    request: Request,
    provider: AccountProvider,
    { ticket: key }: Arrived,
    known: Known,
  ): Promise<Led | null> {
    const isFirst = await store.isEmpty(transaction);
    const isOpen = options.registration === 'open';
    const mayWithout = isOpen || (provider.register === true && !isFirst);
    const ticket = await takeTicket(transaction, key);
    if (ticket === null && !mayWithout) return { kind: 'no account' };
    const proved = known.emailVerified ? known.email : null;
    const address = ticket?.email ?? proved;
    if (byAddress && address === null) return null;
    const isTaken =
      address !== null && (await store.find({ email: address }, transaction)) !== null;
    if (byAddress && isTaken) return null;
    const first = isFirst ? highest : (ticket?.role ?? lowest);
    for (const username of byAddress ? [address ?? ''] : toUsernames(known)) {
      const account = await store.insert(transaction, {
        ...{ username, email: isTaken ? null : address, passwordHash: null, role: first },
      });
      if (account === null) continue;
      const { issuer, subject } = known;
      await identities.add(transaction, { issuer, subject, accountId: account.id });
      const by = ticket?.by ?? null;
      await tell(transaction, request, account, { kind: 'registered', detail: provider.id, by });
      return {
        kind: 'account',
        account: isFirst ? account : await withRole(transaction, request, account, known.role),
      };
    }
    return null;
  }

  return {
    async lead(request, provider, arrived, known) {
      const { issuer, subject, email } = known;
      return unlessLeft((leave: Leave<{ readonly kind: 'no address' }>) =>
        write(async (transaction): Promise<Led> => {
          await store.lockAll(transaction);
          const identity = await identities.find(issuer, subject, transaction);
          const account =
            identity === null ? null : await store.lock(transaction, identity.accountId);
          const { purpose } = arrived;
          if (purpose.kind !== 'log in' && account?.id !== purpose.accountId)
            return { kind: account === null ? 'not linked' : 'another account' };
          if (account !== null) {
            if (!isUsable(account)) return { kind: 'disabled', account };
            return {
              kind: 'account',
              account: await withRole(transaction, request, account, known.role),
            };
          }
          const owner =
            email !== null && known.emailVerified ? await store.find({ email }, transaction) : null;
          if (owner === null || email === null) {
            const made = await register(transaction, request, provider, arrived, known);
            // An invitation is not used up.
            if (made === null) throw leave({ kind: 'no address' });
            return made;
          }
          const data: WaitingLink = { issuer, subject, email, browser: arrived.browser };
          const token = await tokens.create(transaction, 'provider link', {
            ...{ accountId: owner.id, data: { ...data }, lifetime: LINK_LIFE },
          });
          return { kind: 'to link', token };
        }),
      );
    },
    async link(transaction, request, account, { issuer, subject }, sessionKey) {
      const known = await identities.find(issuer, subject, transaction);
      if (known !== null) return known.accountId === account.id;
      if (!(await identities.add(transaction, { issuer, subject, accountId: account.id })))
        return false;
      await store.change(transaction, account.id, {}, true);
      await store.endSessions(transaction, account.id, sessionKey);
      await tell(transaction, request, account, { kind: 'provider linked', detail: issuer });
      return true;
    },
  };
}

/** Names to try, of the characters that a username has. */
function toUsernames({ username, email, name }: Known): readonly string[] {
  const [proposed] = [username, email, name]
    .map((text) =>
      (text ?? '')
        .replace(/@.*$/s, '')
        .normalize('NFKD')
        .replace(/[^A-Za-z0-9._-]+/g, '')
        .slice(0, 32),
    )
    .filter((text) => text.length >= 3);
  const base = proposed ?? 'person';
  const numbered = Array.from({ length: 20 }, (_, index) => `${base}-${index + 2}`);
  const random = `${base}-${createToken().slice(0, 7)}`;
  return [...(proposed === undefined ? [] : [base]), ...numbered, random];
}
