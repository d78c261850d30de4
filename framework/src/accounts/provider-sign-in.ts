/**
 * One way to a provider and back. What was begun is stored under the state, for one browser, and is taken once: the
 * same answer, brought again by the same browser, gets the outcome of the first, because a provider takes a code once.
 */
import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { toLocalPath } from '../http/local-path.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import type { Away, Provider, Refused, SignedIn } from '../openid/provider.ts';
import { readHostCookie, withHostCookie } from '../session/host-cookie.ts';
import { createToken, isToken, toTokenKey } from '../session/token.ts';
import type { Write } from './account-store.ts';
import type { AccountTokens } from './account-tokens.ts';
import { type Leave, unlessLeft } from './leave-transaction.ts';
import type { Asked } from './log-in.ts';

/** What the person wants. An answer counts for this alone, and for this account, unless anybody may log in. */
export type Purpose =
  | { readonly kind: 'log in'; readonly accountId: null }
  | { readonly kind: 'log in again' | 'link'; readonly accountId: number };

interface Started {
  readonly provider: string;
  readonly purpose: Purpose['kind'];
  readonly nonce: string;
  readonly verifier: string;
  /** The SHA-256 of what the cookie of the browser has. */
  readonly browser: string;
  /** Without the state, which is stored nowhere. */
  readonly url: string;
  readonly next: string | null;
  /** The key of an invitation. */
  readonly ticket: string | null;
}

/** Without `idToken`, which nothing here needs. */
export type Known = Omit<SignedIn, 'idToken'>;

export interface Arrived {
  readonly purpose: Purpose;
  readonly outcome: Known | Refused | Away;
  readonly begunAt: Date;
  readonly ticket: string | null;
  /** With the path that follows. */
  readonly asked: Asked;
  readonly browser: string;
  /** When the answer came. */
  readonly at: Date;
}

export interface ProviderSignIns {
  /** Sends the browser on its way: `with` adds its cookie to the answer. */
  readonly begin: (
    request: Request,
    provider: Provider,
    wanted: { readonly purpose: Purpose; readonly ticket: string | null },
  ) => Promise<
    { readonly state: string; readonly bind: <R extends Response>(response: R) => R } | Away
  >;
  /** The provider's page, for the browser that has begun; null for another one, or too late. */
  readonly findUrl: (request: Request, provider: Provider) => Promise<string | null>;
  /** Stores an answer that came without a cookie, for the GET that follows. */
  readonly park: (provider: Provider, state: string, params: string) => Promise<void>;
  /** Null for an answer that this browser does not await. */
  readonly arrive: (request: Request, provider: Provider) => Promise<Arrived | null>;
  /** The SHA-256 of what the cookie of the browser has; null without one, or with two. */
  readonly browserOf: (request: Request) => string | null;
}

const MINUTE = 60_000;
const BEGUN_LIFE = 10 * MINUTE;
const REPEAT_LIFE = MINUTE;
/** Milliseconds that a repeat waits for the first: longer than all requests to a provider together. */
const PATIENCE = 20_000;
const COOKIE = 'provider';

export function createProviderSignIns(parts: {
  readonly tokens: AccountTokens;
  readonly write: Write;
  readonly now: () => Date;
  readonly redirectUri: (request: Request, provider: Provider) => string;
}): ProviderSignIns {
  const { tokens, write, now, redirectUri } = parts;

  const browserOf = (request: Request) => {
    const token = readToken(request);
    return token === null ? null : toTokenKey(token);
  };

  /** Takes what was begun, and leaves an outcome that is still to come. Another browser uses nothing up. */
  const take = (provider: Provider, state: string, browser: string, isParked: boolean) =>
    unlessLeft((leave: Leave<null>) =>
      write(async (transaction) => {
        const row = await tokens.take<Started>(transaction, 'provider log-in', state);
        if (row === null) return null;
        if (row.data.provider !== provider.id || row.data.browser !== browser) throw leave(null);
        const parked = isParked
          ? await tokens.take<{ readonly params: string }>(
              transaction,
              'provider answer',
              toName('parked', state),
            )
          : null;
        await putOutcome(transaction, state, browser, null);
        return { ...row, params: isParked ? (parked?.data.params ?? '') : null };
      }),
    );

  const putOutcome = async (
    transaction: Parameters<AccountTokens['add']>[0],
    state: string,
    browser: string,
    arrived: Stored | null,
  ) =>
    tokens.add(transaction, 'provider answer', toTokenKey(toName('outcome', state)), {
      accountId: null,
      data: { browser, arrived },
      lifetime: REPEAT_LIFE,
    });

  /** What the first arrival of the same answer has found; null if there is none. */
  async function findRepeat(state: string, browser: string): Promise<Arrived | null> {
    for (let waited = 0; waited < PATIENCE; waited += 100) {
      const row = await tokens.find<{ readonly browser: string; readonly arrived: Stored | null }>(
        'provider answer',
        toName('outcome', state),
      );
      if (row === null || row.data.browser !== browser) return null;
      if (row.data.arrived !== null) return fromStored(row.data.arrived);
      await wait(100);
    }
    return null;
  }

  return {
    browserOf,
    async begin(request, provider, { purpose, ticket }) {
      const isAgain = purpose.kind === 'log in again';
      const begun = await provider.begin({
        redirectUri: redirectUri(request, provider),
        again: isAgain,
      });
      if (begun.kind === 'away') return begun;
      const { state, nonce, verifier, url } = begun;
      // The same for two tabs: each has a state of its own.
      const token = readToken(request) ?? createToken();
      const data: Started = {
        ...{ provider: provider.id, purpose: purpose.kind, nonce, verifier, ticket },
        url: withState(url, null),
        browser: toTokenKey(token),
        next: toLocalPath(request.query.get('next')),
      };
      await write((transaction) =>
        tokens.add(transaction, 'provider log-in', toTokenKey(state), {
          accountId: purpose.accountId,
          data: { ...data },
          lifetime: BEGUN_LIFE,
        }),
      );
      const cookie = { name: COOKIE, value: token, maxAge: BEGUN_LIFE / 1_000 };
      return { state, bind: (response) => withHostCookie(response, request, cookie) };
    },
    async findUrl(request, provider) {
      const state = request.query.get('state') ?? '';
      const row = await tokens.find<Started>('provider log-in', state);
      const isMine = row?.data.browser === browserOf(request) && row?.data.provider === provider.id;
      return isMine ? withState(row.data.url, state) : null;
    },
    async park(provider, state, params) {
      const begun = await tokens.find<Started>('provider log-in', state);
      if (begun?.data.provider !== provider.id) return;
      await write(async (transaction) => {
        const name = toName('parked', state);
        await tokens.take(transaction, 'provider answer', name);
        await tokens.add(transaction, 'provider answer', toTokenKey(name), {
          accountId: begun.accountId,
          data: { params },
          lifetime: BEGUN_LIFE,
        });
      });
    },
    async arrive(request, provider) {
      const { query } = request;
      const parked = query.get('parked');
      const state = parked ?? query.get('state') ?? '';
      const browser = browserOf(request);
      if (!isToken(state) || browser === null) return null;
      const taken = await take(provider, state, browser, parked !== null);
      if (taken === null) return findRepeat(state, browser);
      const { data, accountId, createdAt } = taken;
      const found = await provider.finish({
        redirectUri: redirectUri(request, provider),
        params: taken.params ?? request.search,
        expected: { state, nonce: data.nonce, verifier: data.verifier },
      });
      const stored: Stored = {
        outcome: withoutToken(found),
        ...{ purpose: data.purpose, accountId, next: data.next, ticket: data.ticket, browser },
        begunAt: createdAt.toISOString(),
        at: now().toISOString(),
      };
      await write(async (transaction) => {
        const name = toName('outcome', state);
        await tokens.take(transaction, 'provider answer', name);
        await putOutcome(transaction, state, browser, stored);
      });
      return fromStored(stored);
    },
  };
}

/** Somebody may have planted one of two. */
function readToken(request: Request): string | null {
  const [token, ...others] = readHostCookie(request, COOKIE);
  return token === undefined || others.length > 0 || !isToken(token) ? null : token;
}

function withState(address: string, state: string | null): string {
  const url = new URL(address);
  if (state === null) url.searchParams.delete('state');
  else url.searchParams.set('state', state);
  return url.href;
}

/** The name of a row beside that of the state, in the form of a token. */
function toName(kind: 'parked' | 'outcome', state: string): string {
  return hash('sha256', `${kind} ${state}`, 'base64url');
}

/** As JSON has it. */
interface Stored {
  readonly outcome:
    | (Omit<Known, 'authenticatedAt'> & { readonly authenticatedAt: string | null })
    | Refused
    | Away;
  readonly purpose: Purpose['kind'];
  readonly accountId: number | null;
  readonly next: string | null;
  readonly ticket: string | null;
  readonly browser: string;
  readonly begunAt: string;
  readonly at: string;
}

function withoutToken(found: SignedIn | Refused | Away): Stored['outcome'] {
  if (found.kind !== 'signed in') return found;
  const { idToken: _, authenticatedAt, ...known } = found;
  return { ...known, authenticatedAt: authenticatedAt?.toISOString() ?? null };
}

function fromStored({
  outcome,
  purpose,
  accountId,
  next,
  ticket,
  browser,
  begunAt,
  at,
}: Stored): Arrived {
  const found =
    outcome.kind !== 'signed in'
      ? outcome
      : {
          ...outcome,
          authenticatedAt:
            outcome.authenticatedAt === null ? null : new Date(outcome.authenticatedAt),
        };
  return {
    purpose: { kind: purpose, accountId } as Purpose,
    outcome: found,
    begunAt: new Date(begunAt),
    at: new Date(at),
    ...{ ticket, browser },
    asked: { query: new URLSearchParams(next === null ? {} : { next }) },
  };
}
