/**
 * Carries out a large change of many items in several transactions, so that other writes run in between. One form works
 * for ten seconds at most; its page offers the rest.
 */

/** Milliseconds. */
const MAX_TIME = 10_000;

/** Repeats `next` with what the piece before has come to, until it resolves to null or the time is over. */
export async function inPieces<Done>(
  begun: Done,
  next: (done: Done) => Promise<Done | null>,
  maxTime = MAX_TIME,
): Promise<Done> {
  const end = performance.now() + maxTime;
  let done = begun;
  while (performance.now() < end) {
    const more = await next(done);
    if (more === null) return done;
    done = more;
  }
  return done;
}
