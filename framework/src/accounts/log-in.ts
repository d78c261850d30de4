/**
 * The end of each way to log in. A proved first factor starts a session, or leads to the second factor: meanwhile there
 * is no session, only a token in a cookie of this browser. The path that follows stays in the query, with the key of a
 * form that waits for the log-in.
 */
import { type Href, localPath, withPair } from '../http/href.ts';
import { toLocalPath } from '../http/local-path.ts';
import type { Request } from '../http/request.ts';
import { type Response, seeOther, withSession } from '../http/response.ts';
import { readHostCookie, withHostCookie } from '../session/host-cookie.ts';
import type { Draft } from '../session/session.ts';
import { addFlash, startSession } from '../session/session-change.ts';
import { type Account, isUsable, toAccountUser } from './account.ts';
import type { AccountEvents } from './account-events.ts';
import type { CheckedOptions } from './account-options.ts';
import type { AccountStore, Write } from './account-store.ts';
import type { AccountTokens, TokenRow } from './account-tokens.ts';
import { describeEvents } from './describe-event.ts';
import { readDevice, withDevice } from './device-cookie.ts';
import type { Devices } from './devices.ts';
import { withNeededFactor } from './needed-factor.ts';
import type { ProvedByProvider } from './provider-sessions.ts';

/** How the first factor was proved. */
export type LogInMethod = 'password' | 'link' | 'passkey' | 'provider';

export interface Proof {
  readonly method: LogInMethod;
  /** "Stay logged in". */
  readonly remembered?: boolean;
  /** Whether the method proves two factors by itself, as a passkey that knows its user does. */
  readonly isWhole?: boolean;
  /** What has asked for the path that follows, if it is not this request: the one before the way over another site. */
  readonly asked?: Asked;
  /** Whether the user was logged in and has to prove it anew; by default, whether the path says so. */
  readonly isAgain?: boolean;
  readonly provider?: ProvedByProvider;
  /** What is filled in afterwards, on its own page: the log-in leads there. */
  readonly draft?: Draft | null;
}

export type Asked = Pick<Request, 'query'>;

/** A log-in that waits for the second factor. */
export interface WaitingLogIn {
  /** Of the account, at the first factor. */
  readonly version: number;
  readonly method: LogInMethod;
  readonly remembered: boolean;
  readonly provider?: ProvedByProvider;
  readonly draft?: Draft;
}

/** A browser that is not asked for the second factor. */
interface Trusted {
  /** Of the account, when it was proved: any change of what one logs in with ends the trust. */
  readonly version: number;
}

export interface LogIn {
  /** What follows a first factor. Call it after its check, with the account that was checked. */
  readonly proved: (request: Request, account: Account, proof: Proof) => Promise<Response<303>>;
  /** The log-in of this browser that waits for the second factor; null if there is none, or it has expired. */
  readonly waiting: (request: Request) => Promise<TokenRow<WaitingLogIn> | null>;
  /** The token of it, in the cookie of this browser; null without one, or with two. */
  readonly waitingToken: (request: Request) => string | null;
  /** The same log-in for a form: also after the form has used it up. */
  readonly waitingFor: (
    token: string,
    form: { readonly once: string | null },
  ) => Promise<TokenRow<WaitingLogIn> | null>;
  /** What follows the second factor. `trusts`: this browser is not asked for it again for 30 days. */
  readonly provedBoth: (
    request: Request,
    account: Account,
    waiting: WaitingLogIn,
    second: { readonly proved: string; readonly trusts: boolean },
  ) => Promise<Response<303>>;
  /** Starts the session. `isTrusted`: the browser was trusted instead of the second factor. */
  readonly start: (
    request: Request,
    account: Account,
    remembered: boolean,
    proved: string,
    by?: Pick<Proof, 'asked' | 'provider' | 'draft'> & { readonly isTrusted?: boolean },
  ) => Promise<Response<303>>;
  /** Where the log-in leads: `next` of the query, if it is a page of this site and not the log-in. */
  readonly pathAfter: (request: Asked) => Href;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
const WAITING_LIFE = 10 * MINUTE;
const TRUSTED_LIFE = 30 * DAY;
/** Characters. The path may come from the body, and stands in addresses, which servers and proxies limit. */
const MAX_NEXT_LENGTH = 4_096;
const WAITING = 'second-factor';
const TRUSTED = 'trusted';

export interface LogInParts {
  readonly options: CheckedOptions;
  readonly store: AccountStore;
  readonly tokens: AccountTokens;
  readonly events: AccountEvents;
  readonly write: Write;
  readonly devices: Devices;
}

export function createLogIn(parts: LogInParts): LogIn {
  const { options, tokens, events, write, devices } = parts;
  const { home } = options;

  const toPathAfter = (path: Href | null): Href =>
    path === null || LOG_IN_PAGE.test(path) ? home : path;
  const pathAfter: LogIn['pathAfter'] = (asked) => toPathAfter(readNext(asked));

  const isTrusted = async (request: Request, { id, version }: Account): Promise<boolean> => {
    const [token, ...others] = readHostCookie(request, TRUSTED);
    if (token === undefined || others.length > 0) return false;
    const found = await tokens.find<Trusted>('trusted browser', token);
    return found?.accountId === id && found.data.version === version;
  };

  const start: LogIn['start'] = async (
    request,
    account,
    remembered,
    proved,
    { asked = request, provider, draft = null, isTrusted = false } = {},
  ) => {
    const untold = await events.untold(account.id);
    const told = untold.map(({ id }) => id);
    const user = { ...toAccountUser(account), started: { told, proved, isTrusted, provider } };
    const started = withSession(
      seeOther(draft === null ? pathAfter(asked) : toPathAfter(toLocalPath(draft.path))),
      startSession(user, { remembered, draft }),
      // Not for the page at the path: that may redirect, or refuse this user.
      ...(untold.length === 0 ? [] : [addFlash(null, describeEvents(untold, request, options))]),
    );
    // Others cannot lock the account out of this browser.
    return withDevice(started, request, await devices.renew(readDevice(request), account.id));
  };

  return {
    pathAfter,
    start,
    async proved(request, checked, { method, remembered = false, isWhole = false, ...by }) {
      const { asked = request, provider, draft = null } = by;
      const account = await withNeededFactor(parts, checked);
      const needsMore = account.hasSecondFactor && !isWhole;
      // Who logs in again does so with everything.
      const isAgain = by.isAgain ?? request.path.startsWith('/login/again');
      if (!needsMore) return start(request, account, remembered, method, by);
      if (!isAgain && (await isTrusted(request, account))) {
        const trusted = { ...by, isTrusted: true };
        return start(request, account, remembered, `${method}, trusted browser`, trusted);
      }
      const { id: accountId, version } = account;
      const data: WaitingLogIn = {
        ...{ version, method, remembered },
        ...(provider === undefined ? {} : { provider }),
        ...(draft === null ? {} : { draft }),
      };
      const token = await write((transaction) =>
        tokens.create(transaction, 'second factor', {
          accountId,
          data: { ...data },
          lifetime: WAITING_LIFE,
        }),
      );
      return withHostCookie(seeOther(withNext(asked, '/login/second-factor')), request, {
        name: WAITING,
        value: token,
        maxAge: WAITING_LIFE / 1000,
      });
    },
    async waiting(request) {
      return tokens.find('second factor', waitingToken(request) ?? '');
    },
    waitingToken,
    waitingFor: (token, form) => tokens.findForForm('second factor', token, form),
    async provedBoth(request, account, waiting, { proved, trusts }) {
      const { method, remembered, ...by } = waiting;
      const started = withHostCookie(
        await start(request, account, remembered, `${method}, ${proved}`, by),
        request,
        {
          name: WAITING,
          value: '',
          maxAge: 0,
        },
      );
      if (!trusts) return started;
      const token = await write((transaction) =>
        tokens.create(transaction, 'trusted browser', {
          accountId: account.id,
          data: { version: account.version },
          lifetime: TRUSTED_LIFE,
        }),
      );
      const maxAge = TRUSTED_LIFE / 1000;
      return withHostCookie(started, request, { name: TRUSTED, value: token, maxAge });
    },
  };
}

/** Somebody may have planted one of two. */
function waitingToken(request: Request): string | null {
  const [token, ...others] = readHostCookie(request, WAITING);
  return token === undefined || others.length > 0 ? null : token;
}

const LOG_IN_PAGE = /^\/log(?:in|out)(?:[/?]|$)/;

/** The path that follows; null if it is none of this site, or too long. */
function readNext({ query }: Asked): Href | null {
  const next = query.get('next') ?? '';
  return next.length > MAX_NEXT_LENGTH ? null : toLocalPath(next);
}

/** The path of another page of the log-in, with `next` of this one. */
export function withNext(asked: Asked, path: string): Href {
  const next = readNext(asked);
  return localPath(next === null ? path : withPair(path, 'next', next));
}

/**
 * Whether the session may start now, in its transaction with the account locked: nothing that one logs in with has
 * changed since it was checked.
 */
export function mayStart(
  account: Account | null,
  { version }: { readonly version?: string },
): account is Account {
  return account !== null && isUsable(account) && version === String(account.version);
}
