/** How long a session lives: until its idle timeout or its absolute timeout, whichever is first. */
import type { Session } from './session.ts';

/**
 * In milliseconds. `idle` is the longest pause between two requests; `absolute` counts from log-in.
 */
export interface Lifetime {
  readonly idle: number;
  readonly absolute: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const LIFETIME: Lifetime = { idle: 12 * HOUR, absolute: 14 * DAY };
/** For "stay logged in". */
export const REMEMBERED_LIFETIME: Lifetime = { idle: 14 * DAY, absolute: 90 * DAY };

/** The end of a session that gets no further request. */
export function endOf(
  { startedAt, seenAt }: Pick<Session, 'startedAt' | 'seenAt'>,
  { idle, absolute }: Lifetime,
): Date {
  return new Date(Math.min(seenAt.getTime() + idle, startedAt.getTime() + absolute));
}
