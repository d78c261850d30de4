/**
 * The shares that limits divide among clients: all of them together, each account, each network. A user counts for
 * the account and not for the network, because a team often has one address.
 */

import { toNetworks } from '../http/client-network.ts';
import { type ErrorStatus, HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import { sessionOf } from '../session/session.ts';
import { createTally } from './tally.ts';

/** The refused requests since the last report, and the client of the last one. */
export interface RefusedRequests {
  readonly count: number;
  /** The user's name, if the share of an account was full. */
  readonly account: string | null;
  /** If the share of a network was full. */
  readonly network: string | null;
}

export interface ShareLimits {
  /** What a client reads that is refused because of the requests of all clients, with a 503. */
  readonly message?: string;
  /** What a client reads that is refused because of its own, with a 429; `message` by default. */
  readonly ownMessage?: string;
  /** Of all clients together. */
  readonly max?: number;
  /** Of one user. Without it, users count for their network. */
  readonly maxPerAccount?: number;
  /**
   * Of one IPv4 address or IPv6 /64. The /56 may have twice as many, the /48 four times. It applies to visitors, and
   * to users if there is no `maxPerAccount`.
   */
  readonly maxPerNetwork?: number;
  /** Told of refused requests, at most every five seconds. No refusal is an error in the log. */
  readonly report?: (refused: RefusedRequests) => void;
}

/** Whose share it is; null for that of all clients. */
export type Owner = Pick<RefusedRequests, 'account' | 'network'> | null;

export interface OwnedShare {
  readonly key: string;
  readonly max: number;
  readonly owner: Owner;
}

export function sharesOf(
  request: Request,
  { max, maxPerAccount, maxPerNetwork }: ShareLimits,
): readonly OwnedShare[] {
  const user = sessionOf(request)?.user;
  const shares: OwnedShare[] = [];
  if (user !== undefined && maxPerAccount !== undefined) {
    const owner = { account: user.name, network: null };
    shares.push({ key: `account ${user.id}`, max: maxPerAccount, owner });
  } else if (maxPerNetwork !== undefined) {
    for (const [index, network] of toNetworks(request.address).entries()) {
      const owner = { account: null, network };
      shares.push({ key: `network ${network}`, max: maxPerNetwork * 2 ** index, owner });
    }
  }
  if (max !== undefined) shares.push({ key: 'all', max, owner: null });
  return shares;
}

/** Makes the error of a refused request, and counts it. `status` is 429 for the client's own share, or 503. */
export function createRefusals({ report = () => {} }: ShareLimits) {
  let last: Owner = null;
  const tally = createTally((count) => report({ count, account: null, network: null, ...last }));
  return (
    owner: Owner,
    status: ErrorStatus,
    message: ConstructorParameters<typeof HttpError>[1],
    seconds: number,
  ): HttpError => {
    last = owner;
    tally.count();
    const headers = { 'Retry-After': String(seconds) };
    return new HttpError(status, message, { headers, isReported: false });
  };
}

/** The longest time of a timer, and the largest of all limits. */
const LARGEST = 2_147_483_647;

/** `what` is what is limited, for the error: `limit requests`. */
export function checkNumbers(
  what: string,
  given: Readonly<Record<string, number | undefined>>,
): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || (Number.isInteger(value) && value > 0 && value <= LARGEST)) continue;
    throw new TypeError(
      `Cannot ${what} with ${name} ${value}: it must be a whole number from 1 to ${LARGEST}.`,
    );
  }
}
