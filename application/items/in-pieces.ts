/**
 * Carries out a large change of many items in several transactions, so that other writes run in between. One form works
 * for ten seconds at most; its page offers the rest.
 */
import { DatabaseUnavailable } from 'seeother/database';

/** Milliseconds. */
const MAX_TIME = 10_000;

/**
 * Repeats `next` with what the pieces before have come to, until it resolves to null, the time is over or the database
 * is unavailable. The pieces before that are committed, so the form answers with them. The piece that failed is not
 * repeated: its write has waited for the database as long as a form may.
 */
export async function inPieces<Done>(
  begun: Done,
  next: (done: Done) => Promise<Done | null>,
  maxTime = MAX_TIME,
): Promise<Done> {
  const end = performance.now() + maxTime;
  let done = begun;
  while (performance.now() < end) {
    const more = await next(done).catch(stopIfUnavailable);
    if (more === null) return done;
    done = more;
  }
  return done;
}

function stopIfUnavailable(error: unknown): null {
  if (error instanceof DatabaseUnavailable) return null;
  throw error;
}
