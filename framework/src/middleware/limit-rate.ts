/**
 * Limits how many forms are sent in a time; limit-requests.ts limits how many requests run at once. A request takes its
 * place before the rest of the chain runs, so requests at once cannot exceed the limit. One that turns out not to count
 * gives its place back. How places come back is in rate-store.ts.
 */
import { createHash } from 'node:crypto';
import type { Context, Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import type { Awaitable } from '../http/awaitable.ts';
import {
  ANYTHING,
  COUNT,
  checkOptions,
  FLAG,
  FUNCTION,
  needed,
  OBJECT,
  type OptionKinds,
  TEXT,
} from '../http/check-options.ts';
import { HttpError } from '../http/http-error.ts';
import { isSafe } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import type { Language } from '../language/language.ts';
import {
  checkNumbers,
  createRefusals,
  type OwnedShare,
  type ShareLimits,
  sharesOf,
} from './client-shares.ts';
import { createMemoryRateStore, type RateStore, secondsUntilNext } from './rate-store.ts';

/** Its numbers are of requests within the time `within`. */
export interface RateLimits<C> extends ShareLimits {
  /** Milliseconds. */
  readonly within: number;
  /** What else counts together, such as the username of a log-in form. Null for a request that does not count here. */
  readonly key?: (context: C) => Awaitable<string | null>;
  /** Requests of one `key`. */
  readonly maxPerKey?: number;
  /** Whether pages that are read (GET and HEAD) count too, and not only forms that are sent. */
  readonly reads?: boolean;
  /**
   * Whether a request with this status counts; all do by default. One that was refused with 429 or 503 never counts,
   * nor does a button that only changes its form, such as *Add another*, whose answer is a 200.
   */
  readonly counts?: (status: number) => boolean;
  /** By default in the memory of this process. */
  readonly store?: RateStore;
}

/** `checkRates` checks the numbers, which depend on each other. */
const RATE_KINDS: OptionKinds<RateLimits<Context>> = {
  message: TEXT,
  ownMessage: TEXT,
  max: ANYTHING,
  maxPerAccount: ANYTHING,
  maxPerNetwork: ANYTHING,
  report: FUNCTION,
  within: needed(COUNT, '60_000'),
  key: FUNCTION,
  maxPerKey: ANYTHING,
  reads: FLAG,
  counts: FUNCTION,
  store: OBJECT,
};

/** Of requests that never count. */
const REFUSED: readonly number[] = [429, 503];
const FORM_ONLY: readonly number[] = [...REFUSED, 200];

/**
 * Refuses forms beyond the limits: 429 if the client has sent too many, 503 if all clients together have, both with
 * `Retry-After`. `max` may come at once; each place comes back after `within / max` milliseconds. Put it before
 * `readForm`, or after it to count by a field of the form. The same one may stand on several routes.
 */
export function limitRate<Needs = unknown>(limits: RateLimits<Context & Needs>): Middleware<Needs> {
  checkOptions('limitRate', limits, RATE_KINDS);
  checkRates(limits);
  const { within, key, maxPerKey, reads = false, counts = () => true } = limits;
  const { store = createMemoryRateStore() } = limits;
  const { message, ownMessage = message } = limits;
  const refuse = createRefusals(limits);

  async function bucketsOf(context: Context & Needs): Promise<readonly OwnedShare[]> {
    const shares = sharesOf(context.request, limits);
    const own = (await key?.(context)) ?? null;
    if (own === null || maxPerKey === undefined) return shares;
    const owner = { account: null, network: null };
    return [...shares, { key: `key ${shorten(own)}`, max: maxPerKey, owner }];
  }

  return describeMiddleware(
    async function limitRate(context, next): Promise<Response> {
      const isRead = isSafe(context.request);
      if (isRead && !reads) return next(context);
      const buckets = await bucketsOf(context);
      const empty = await store.take(buckets, within);
      if (empty !== null) {
        const owner = buckets.find((one) => one.key === empty.key)?.owner ?? null;
        const seconds = secondsUntilNext(empty);
        const text = owner === null ? message : ownMessage;
        const explain = ({ words, translate, formatDuration }: Language) =>
          `${text === undefined ? words.tooManySent : translate(text)} ${words.tryAgainIn(formatDuration(seconds))}`;
        throw refuse(owner, owner === null ? 503 : 429, explain, seconds);
      }
      let status = 500;
      try {
        const response = await next(context);
        status = response.status;
        return response;
      } catch (error) {
        if (error instanceof HttpError) status = error.status;
        throw error;
      } finally {
        // The request is done. A place that could not be given back comes back by itself.
        const uncounted = isRead ? REFUSED : FORM_ONLY;
        if (uncounted.includes(status) || !counts(status))
          await Promise.resolve(store.giveBack(buckets, within)).catch(() => {});
      }
    },
    // What it needs depends on `key`.
    { needs: [] as never, adds: [] },
  );
}

/** What a store can hold for each of many: an attacker chooses the text. */
function shorten(text: string): string {
  if (/^[\x20-\x7e]{0,64}$/.test(text)) return text;
  return createHash('sha256').update(text).digest('base64url');
}

function checkRates<C>(limits: RateLimits<C>): void {
  const { max, maxPerAccount, maxPerNetwork, within, key, maxPerKey } = limits;
  const rates = { max, maxPerAccount, maxPerNetwork, maxPerKey };
  checkNumbers('limit the rate', { ...rates, within });
  const given = Object.values(rates).filter((rate) => rate !== undefined);
  if (given.length === 0) {
    throw new TypeError(
      'Cannot limit the rate without a number. Pass max, maxPerAccount, maxPerNetwork or maxPerKey.',
    );
  }
  if ((key === undefined) !== (maxPerKey === undefined)) {
    throw new TypeError(
      `Cannot limit the rate with ${key === undefined ? 'maxPerKey' : 'key'} alone: key says what counts together, and maxPerKey how many. Pass both.`,
    );
  }
  const largest = Math.max(...given) * (maxPerNetwork === undefined ? 1 : 4);
  if (within >= largest) return;
  throw new TypeError(
    `Cannot limit the rate to ${largest} within ${within} ms: a place comes back after a millisecond or more. Pass a longer time.`,
  );
}
