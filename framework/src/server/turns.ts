/**
 * What the server does in one turn of the event loop. Requests that have arrived wait in a queue; a turn
 * handles them for about a millisecond, sends the answers together, and lets the event loop go on. So a
 * thousand requests that arrive together delay a new connection by a millisecond, not by their sum:
 * libuv accepts one connection in each turn. To wake a client is the most expensive part of a small
 * answer, so answers leave together.
 *
 * Under overload the oldest request has waited for long. Then the newest one is handled first: its
 * client is still waiting. One that nobody got round to is shed.
 */

/** Milliseconds. */
export interface TurnLimits {
  /** How long a turn handles requests. */
  readonly turn: number;
  /** When the oldest request has waited for longer, the newest is handled first. */
  readonly late: number;
  /** A request that has waited for longer is shed. */
  readonly shed: number;
}

export const TURN_LIMITS: TurnLimits = { turn: 1, late: 500, shed: 3_000 };
/** Answers that wait at most; when there are as many, they leave at once. */
const MOST_WAITING = 16;

/** Something that waits in the queue. */
export interface Waiting {
  /** When it was put in, in milliseconds. */
  at: number;
}

export interface TurnOptions<Arrival extends Waiting, Answer> {
  /** Puts its answer in with `post`, now or later. */
  readonly handle: (arrival: Arrival) => void;
  readonly shed: (arrival: Arrival) => void;
  readonly send: (answer: Answer) => void;
  /** Milliseconds. */
  readonly now?: () => number;
  readonly limits?: TurnLimits;
}

export interface Turns<Arrival extends Waiting, Answer> {
  readonly arrive: (arrival: Arrival) => void;
  /** A connection was accepted, so another one may wait for the next turn: this one is kept short. */
  readonly accept: () => void;
  /** Answers leave in their order, within about a millisecond. */
  readonly post: (answer: Answer) => void;
}

export function createTurns<Arrival extends Waiting, Answer>({
  handle,
  shed,
  send,
  now = () => performance.now(),
  limits = TURN_LIMITS,
}: TurnOptions<Arrival, Answer>): Turns<Arrival, Answer> {
  const queue: Arrival[] = [];
  let answers: Answer[] = [];
  let firstAnswerAt = 0;
  let isScheduled = false;
  let isHandling = false;
  let hasAccepted = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(run);
  }

  function run(): void {
    isScheduled = false;
    isHandling = true;
    let time = now();
    const end = time + (hasAccepted ? 0 : limits.turn);
    hasAccepted = false;
    do {
      handleNext(time);
      time = now();
    } while (queue.length > 0 && time < end);
    // After what the promises of the handlers have left to do, and before anything new is read.
    queueMicrotask(() => process.nextTick(endTurn));
  }

  function endTurn(): void {
    isHandling = false;
    flush();
    if (queue.length > 0) schedule();
  }

  function handleNext(time: number): void {
    const waited = time - (queue[0]?.at ?? time);
    const isNewestFirst = waited > limits.late && waited <= limits.shed;
    const next = isNewestFirst ? queue.pop() : queue.shift();
    if (next === undefined) return;
    if (waited > limits.shed) shed(next);
    else handle(next);
  }

  function flush(): void {
    const leaving = answers;
    answers = [];
    for (const answer of leaving) send(answer);
  }

  return {
    arrive(arrival) {
      arrival.at = now();
      queue.push(arrival);
      schedule();
    },
    accept() {
      hasAccepted = true;
    },
    post(answer) {
      const count = answers.push(answer);
      if (count === MOST_WAITING) flush();
      else if (isHandling) return;
      else if (count > 1) {
        if (now() - firstAnswerAt >= limits.turn) flush();
      } else {
        firstAnswerAt = now();
        schedule();
      }
    },
  };
}
