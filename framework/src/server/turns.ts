/**
 * What the server does in one turn of the event loop. Requests are handled as they are read, for about ten
 * milliseconds; those that are read after that wait in a queue, and the next turns handle them for as long.
 * So a thousand requests that arrive together delay a new connection by a few milliseconds, not by their
 * sum: libuv accepts one connection in each turn. Waking a client is the most expensive part of a small
 * answer, so answers are sent together.
 *
 * Under overload the oldest request has waited for long. Then turns are short, for the sake of health
 * checks on new connections, and the newest request is handled first: its client is still waiting. A
 * request that has waited for too long is shed.
 */

/** Milliseconds. */
export interface TurnLimits {
  /** How long a turn handles requests as they are read, and how long it handles those that wait. */
  readonly turn: number;
  /** When the oldest request has waited for longer, the newest is handled first, and turns are short. */
  readonly late: number;
  /** How long a turn handles requests that wait when the oldest is late. */
  readonly lateTurn: number;
  /** A request that has waited for longer is shed. */
  readonly shed: number;
}

export const TURN_LIMITS: TurnLimits = { turn: 10, late: 500, lateTurn: 1, shed: 3_000 };
/** When so many answers wait, all of them are sent at once. */
const MAX_WAITING_ANSWERS = 16;
/** When the first answer has waited for so many milliseconds, it is sent with the next one. */
const MAX_ANSWER_WAIT = 1;

/** Something that waits in the queue. */
export interface Waiting {
  /** When it was queued, in milliseconds. */
  at: number;
}

export interface TurnOptions<Arrival extends Waiting, Answer> {
  /** Passes its answer to `post`, now or later. */
  readonly handle: (arrival: Arrival) => void;
  readonly shed: (arrival: Arrival) => void;
  readonly send: (answer: Answer) => void;
  /** Milliseconds. */
  readonly now?: () => number;
  readonly limits?: TurnLimits;
}

export interface Turns<Arrival extends Waiting, Answer> {
  readonly arrive: (arrival: Arrival) => void;
  /** A connection was accepted, so another one may wait for the next turn: this turn handles one request. */
  readonly accept: () => void;
  /** Answers are sent in their order, within about a millisecond. */
  readonly post: (answer: Answer) => void;
  /** The length of the queue. */
  readonly waiting: () => number;
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
  let hasAccepted = false;
  /** Until when requests are handled as they are read. */
  let end = 0;

  function begin(time: number): void {
    if (isScheduled) return;
    isScheduled = true;
    end = time + limits.turn;
    setImmediate(finish);
  }

  /** Runs when everything that had arrived is read. */
  function finish(): void {
    isScheduled = false;
    handleWaiting();
    flush();
    if (queue.length > 0) begin(now());
  }

  function handleWaiting(): void {
    let time = now();
    const isLate = waitOfOldest(time) > limits.late;
    const until = time + (hasAccepted ? 0 : isLate ? limits.lateTurn : limits.turn);
    hasAccepted = false;
    while (queue.length > 0) {
      handleNext(time);
      time = now();
      if (time >= until) return;
    }
  }

  function handleNext(time: number): void {
    const waited = waitOfOldest(time);
    const isNewestFirst = waited > limits.late && waited <= limits.shed;
    const next = isNewestFirst ? queue.pop() : queue.shift();
    if (next === undefined) return;
    if (waited > limits.shed) shed(next);
    else handle(next);
  }

  function waitOfOldest(time: number): number {
    return time - (queue[0]?.at ?? time);
  }

  function flush(): void {
    const leaving = answers;
    answers = [];
    for (const answer of leaving) send(answer);
  }

  return {
    waiting: () => queue.length,
    arrive(arrival) {
      const time = now();
      begin(time);
      if (queue.length === 0 && !hasAccepted && time < end) {
        handle(arrival);
        return;
      }
      arrival.at = time;
      queue.push(arrival);
    },
    accept() {
      hasAccepted = true;
      begin(now());
    },
    post(answer) {
      const time = now();
      begin(time);
      const count = answers.push(answer);
      if (count === 1) firstAnswerAt = time;
      else if (count === MAX_WAITING_ANSWERS || time - firstAnswerAt >= MAX_ANSWER_WAIT) flush();
    },
  };
}
