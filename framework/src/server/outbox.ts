/**
 * Answers that are there in the same turn of the event loop leave together at its end. Who reads them
 * sleeps until something comes, and to wake a sleeper is the dearest part of a small answer: so it is
 * woken once, and finds all of them.
 *
 * An answer waits for the requests that have arrived with its own, and for nothing that is still to
 * come. The hard case is a turn with much to do: it sends what it has before there is too much, or
 * before the first has waited for long.
 */

/** Answers that wait at most; when there are as many, they leave at once. */
const MOST_WAITING = 16;
/** Milliseconds after which the next answer takes those along that wait. */
const LONGEST_WAIT = 1;

/**
 * Gives `send` everything that is put in, in its order, before the next turn of the event loop. `now` is
 * in milliseconds.
 */
export function createOutbox<Answer>(
  send: (answer: Answer) => void,
  now: () => number = () => performance.now(),
): (answer: Answer) => void {
  let waiting: Answer[] = [];
  let firstAt = 0;
  const flush = () => {
    const answers = waiting;
    waiting = [];
    for (const answer of answers) send(answer);
  };
  return (answer) => {
    const count = waiting.push(answer);
    if (count === 1) {
      firstAt = now();
      setImmediate(flush);
    } else if (count === MOST_WAITING || now() - firstAt >= LONGEST_WAIT) flush();
  };
}
