/**
 * Limits how many requests run at once on the routes that share it; limit-rate.ts limits how many come in a time.
 * It refuses before anything of the body is read. A request counts until its response has been made, and a
 * response with a stream until the stream has ended, because a slow reader holds what the stream needs; and never
 * longer than a time.
 */

import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { ANYTHING, checkOptions, FUNCTION, type OptionKinds, TEXT } from '../http/check-options.ts';
import type { Request } from '../http/request.ts';
import { isStream, type Response } from '../http/response.ts';
import type { Language } from '../language/language.ts';
import { sessionOf } from '../session/session.ts';
import {
  checkNumbers,
  createRefusals,
  type OwnedShare,
  type ShareLimits,
  sharesOf,
} from './client-shares.ts';
import { holdStream } from './hold-stream.ts';
import { createSlots } from './slots.ts';

/** Its numbers are of requests at once. */
export interface RequestLimits extends ShareLimits {
  /** How many places of `max` visitors never get, so that users find one. */
  readonly reservedForAccounts?: number;
  /**
   * Milliseconds until the place of a request is given back, whatever it waits for, and until a response with a stream
   * is cut off; ten minutes by default.
   */
  readonly timeout?: number;
}

/** `checkLimits` checks the numbers, which depend on each other. */
const LIMIT_KINDS: OptionKinds<RequestLimits> = {
  message: TEXT,
  ownMessage: TEXT,
  max: ANYTHING,
  maxPerAccount: ANYTHING,
  maxPerNetwork: ANYTHING,
  reservedForAccounts: ANYTHING,
  timeout: ANYTHING,
  report: FUNCTION,
};

const TEN_MINUTES = 600_000;
/** Seconds: it is not known when a place is given back. */
const RETRY_AFTER = 5;

/**
 * Refuses requests beyond the limits: 429 if the account or the network has used up its share, 503 if all clients
 * together have, both with `Retry-After`. Put it before what it limits, and before `readForm`; the same one may
 * stand on several routes. It counts within one process.
 */
export function limitRequests(limits: RequestLimits): Middleware {
  checkOptions('limitRequests', limits, LIMIT_KINDS);
  checkLimits(limits);
  const { message = ({ words }: Language) => words.tooManyRequests } = limits;
  const { ownMessage = message, timeout = TEN_MINUTES } = limits;
  const take = createSlots<OwnedShare>(timeout);
  const refuse = createRefusals(limits);

  return describeMiddleware(
    async function limitRequests(context, next): Promise<Response> {
      const { request } = context;
      const slot = take(placesOf(request, limits));
      if ('full' in slot) {
        const { owner } = slot.full;
        if (owner === null) throw refuse(owner, 503, message, RETRY_AFTER);
        throw refuse(owner, 429, ownMessage, RETRY_AFTER);
      }
      try {
        const response = await next(context);
        const { body } = response;
        // The stream of a response to HEAD is never read.
        if (isStream(body) && request.method !== 'HEAD')
          return { ...response, body: holdStream(body, slot.release, timeout) };
        slot.release();
        return response;
      } catch (error) {
        slot.release();
        throw error;
      }
    },
    { needs: [], adds: [] },
  );
}

function placesOf(request: Request, limits: RequestLimits): readonly OwnedShare[] {
  const { max, reservedForAccounts = 0 } = limits;
  const isVisitor = sessionOf(request) === null;
  if (max === undefined || !isVisitor) return sharesOf(request, limits);
  return sharesOf(request, { ...limits, max: max - reservedForAccounts });
}

function checkLimits(limits: RequestLimits = {}): void {
  const { max, maxPerAccount, maxPerNetwork, reservedForAccounts = 0, timeout } = limits;
  checkNumbers('limit requests', { max, maxPerAccount, maxPerNetwork, timeout });
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
