/**
 * Limits how many requests run at once on the routes that share it: in all, of each account and of each network.
 * It refuses before anything of the body is read. A request counts until its response has been made, and a
 * response with a stream until the stream has ended, because a slow reader holds what the stream needs.
 */
import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { ANYTHING, checkOptions, FUNCTION, type OptionKinds, TEXT } from '../http/check-options.ts';
import { toNetworks } from '../http/client-network.ts';
import { HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import { isStream, type Response } from '../http/response.ts';
import { holdStream } from './hold-stream.ts';
import { createSlots, type Full, type Share } from './slots.ts';
import { createTally } from './tally.ts';

/** The refused requests since the last report, and the client of the last one. */
export interface RefusedRequests {
  readonly count: number;
  /** The user's name, if the share of an account was full. */
  readonly account: string | null;
  /** If the share of a network was full. */
  readonly network: string | null;
}

export interface RequestLimits {
  /** What a client reads that is refused because of the requests of all clients, with a 503. */
  readonly message?: string;
  /** What a client reads that is refused because of its own, with a 429; `message` by default. */
  readonly ownMessage?: string;
  /** Requests at once, of all clients together. */
  readonly max?: number;
  /** Requests at once of one user. Without it, users count for their network. */
  readonly maxPerAccount?: number;
  /**
   * Requests at once of one IPv4 address or IPv6 /64. The /56 may have twice as many, the /48 four times. It applies
   * to visitors, and to users if there is no `maxPerAccount`.
   */
  readonly maxPerNetwork?: number;
  /** How many places of `max` visitors never get, so that users find one. */
  readonly reservedForAccounts?: number;
  /** Milliseconds that a request still counts after a response with a status below 400: `max` becomes a rate. */
  readonly within?: number;
  /** Milliseconds until a response with a stream is cut off; ten minutes by default. */
  readonly timeout?: number;
  /** Told of refused requests, at most every five seconds. No refusal is an error in the log. */
  readonly report?: (refused: RefusedRequests) => void;
}

/** `checkLimits` checks the numbers, which depend on each other. */
const LIMIT_KINDS: OptionKinds<RequestLimits> = {
  message: TEXT,
  ownMessage: TEXT,
  max: ANYTHING,
  maxPerAccount: ANYTHING,
  maxPerNetwork: ANYTHING,
  reservedForAccounts: ANYTHING,
  within: ANYTHING,
  timeout: ANYTHING,
  report: FUNCTION,
};

const TEN_MINUTES = 600_000;
/** Seconds, where it is not known when a place is given back. */
const RETRY_AFTER = 5;

/** Whose share it is; null for that of all clients. */
type Owner = Pick<RefusedRequests, 'account' | 'network'> | null;

interface OwnedShare extends Share {
  readonly owner: Owner;
}

/**
 * Refuses requests beyond the limits: 429 if the account or the network has used up its share, 503 if all clients
 * together have, both with `Retry-After`. Put it before what it limits, and before `readForm`; the same one may
 * stand on several routes. It counts within one process.
 */
export function limitRequests(limits: RequestLimits): Middleware {
  checkOptions('limitRequests', limits, LIMIT_KINDS);
  checkLimits(limits);
  const { message = 'Too many such requests are running right now.' } = limits;
  const { ownMessage = message } = limits;
  const { within = 0, timeout = TEN_MINUTES, report = () => {} } = limits;
  const take = createSlots<OwnedShare>();
  let last: Owner = null;
  const tally = createTally((count) => report({ count, account: null, network: null, ...last }));

  function refuse({ full, wait }: Full<OwnedShare>): HttpError {
    last = full.owner;
    tally.count();
    const seconds = wait === null ? RETRY_AFTER : Math.max(1, Math.ceil(wait / 1_000));
    const [status, words] =
      full.owner === null ? ([503, message] as const) : ([429, ownMessage] as const);
    return new HttpError(status, words, {
      headers: { 'Retry-After': String(seconds) },
      isReported: false,
    });
  }

  return describeMiddleware(
    async function limitRequests(context, next): Promise<Response> {
      const { request } = context;
      const slot = take(sharesOf(request, limits));
      if ('full' in slot) throw refuse(slot);
      try {
        const response = await next(context);
        const release = () => slot.release(response.status < 400 ? within : 0);
        const { body } = response;
        // The stream of a response to HEAD is never read.
        if (isStream(body) && request.method !== 'HEAD')
          return { ...response, body: holdStream(body, release, timeout) };
        release();
        return response;
      } catch (error) {
        slot.release();
        throw error;
      }
    },
    { needs: [], adds: [] },
  );
}

function sharesOf({ address, state }: Request, limits: RequestLimits): readonly OwnedShare[] {
  const { max, maxPerAccount, maxPerNetwork, reservedForAccounts = 0 } = limits;
  const user = state.session?.user;
  const shares: OwnedShare[] = [];
  if (user !== undefined && maxPerAccount !== undefined) {
    const owner = { account: user.name, network: null };
    shares.push({ key: `account ${user.id}`, max: maxPerAccount, owner });
  } else if (maxPerNetwork !== undefined) {
    for (const [index, network] of toNetworks(address).entries()) {
      const owner = { account: null, network };
      shares.push({ key: `network ${network}`, max: maxPerNetwork * 2 ** index, owner });
    }
  }
  if (max !== undefined) {
    const available = user === undefined ? max - reservedForAccounts : max;
    shares.push({ key: 'all', max: available, owner: null });
  }
  return shares;
}

/** The longest time of a timer, and the largest of all limits. */
const LARGEST = 2_147_483_647;

function checkLimits(limits: RequestLimits = {}): void {
  const { max, maxPerAccount, maxPerNetwork, reservedForAccounts = 0, within, timeout } = limits;
  const given = { max, maxPerAccount, maxPerNetwork, within, timeout };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || (Number.isInteger(value) && value > 0 && value <= LARGEST)) continue;
    throw new TypeError(
      `Cannot limit requests with ${name} ${value}: it must be a whole number from 1 to ${LARGEST}.`,
    );
  }
  if (max === undefined && maxPerAccount === undefined && maxPerNetwork === undefined) {
    throw new TypeError(
      'Cannot limit requests without a number. Pass max, maxPerAccount or maxPerNetwork.',
    );
  }
  const largest = max === undefined ? 0 : max - 1;
  const isCount = Number.isInteger(reservedForAccounts) && reservedForAccounts >= 0;
  if (isCount && reservedForAccounts <= largest) return;
  throw new TypeError(
    `Cannot limit requests with reservedForAccounts ${reservedForAccounts}: it must be a whole number from 0 to ${largest}, less than max.`,
  );
}
