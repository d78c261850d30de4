/**
 * Limits what visitors store in steps: anybody could fill the database with answers. Each new one takes a place of its
 * network and one of all visitors, and so does every further 16 KB. The places of a day come back little by little;
 * this process counts them.
 */
import { COUNT, checkOptions, type OptionKinds } from '../http/check-options.ts';
import { HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import type { Language } from '../language/language.ts';
import { createRefusals, sharesOf } from '../middleware/client-shares.ts';
import { createMemoryRateStore, secondsUntilNext } from '../middleware/rate-store.ts';

/** How many answers visitors may start within a day. Each 16 KB of one counts as another. */
export interface VisitorLimits {
  /** All visitors together; 10,000 by default. */
  readonly max?: number;
  /** Of one IPv4 address or IPv6 /64; 1,000 by default. */
  readonly maxPerNetwork?: number;
}

const VISITOR_KINDS = { max: COUNT, maxPerNetwork: COUNT } satisfies OptionKinds<VisitorLimits>;

const DAY = 86_400_000;
const PLACE_LENGTH = 16_384;
/** Characters of all answers of one visitor, as JSON. */
const MAX_LENGTH = 131_072;

/** Throws a 413, 429 or 503. `before` is null for new answers. */
export type LimitAnswers = (
  request: Request,
  before: unknown,
  after: NonNullable<unknown>,
) => Promise<void>;

export function limitAnswers(options: VisitorLimits = {}): LimitAnswers {
  checkOptions('stepPages with visitors', options, VISITOR_KINDS);
  const { max = 10_000, maxPerNetwork = 1_000 } = options;
  const rates = createMemoryRateStore();
  const refuse = createRefusals({});
  return async (request, before, after) => {
    const length = JSON.stringify(after).length;
    const earlier = before === null ? 0 : JSON.stringify(before).length;
    if (length > MAX_LENGTH && length > earlier)
      throw new HttpError(413, ({ words }) => words.answersTooLong);
    const count = placesOf(length) - (before === null ? 0 : placesOf(earlier));
    if (count <= 0) return;
    const shares = sharesOf(request, { max, maxPerNetwork });
    const taken = Array.from({ length: count }, () => shares).flat();
    const empty = await rates.take(taken, DAY);
    if (empty === null) return;
    const owner = shares.find(({ key }) => key === empty.key)?.owner ?? null;
    const seconds = secondsUntilNext(empty);
    const explain = ({ words, formatDuration }: Language) =>
      `${words.tooManySent} ${words.tryAgainIn(formatDuration(seconds))}`;
    throw refuse(owner, owner === null ? 503 : 429, explain, seconds);
  };
}

function placesOf(length: number): number {
  return 1 + Math.floor(length / PLACE_LENGTH);
}
