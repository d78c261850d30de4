/**
 * What the server does in one turn of the event loop. Requests are handled as they are read, for about ten
 * milliseconds; those that are read after that wait in a queue, and the next turns handle them for as long.
 * So a thousand requests that arrive together delay a new connection by a few milliseconds, not by their
 * sum: libuv accepts one connection in each turn. Waking a client is the most expensive part of a small
 * answer, so answers are sent together.
 *
 * A burst may wait for half a second. A queue that has not been empty for so long does not get shorter by waiting: that
 * is overload. Then a request that has waited for 200 milliseconds is shed, because clients that wait for long open
 * more and more connections; and turns are short, for the sake of health checks on new connections.
 */

/** Milliseconds. */
export interface TurnLimits {
  /** How long a turn handles requests as they are read, and how long it handles those that wait. */
  readonly turn: number;
  /** How long the queue may be without a moment in which it is empty. Then it is overload. */
  readonly burst: number;
  /** How long a turn handles requests that wait, under overload. */
  readonly overloadTurn: number;
  /** Under overload, a request that has waited for longer is shed. */
  readonly shed: number;
}

export const TURN_LIMITS: TurnLimits = { turn: 10, burst: 500, overloadTurn: 1, shed: 200 };
/** Milliseconds after which the held requests are looked at again. */
const HELD = 2;
/** Answers that wait before all of them are sent at once. */
const MAX_WAITING_ANSWERS = 16;
/** Milliseconds that an answer waits at most before it is sent with the next one. */
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
  /** Whether a request waits now even if a turn has time, because it would only wait elsewhere. */
  readonly isHeld?: (arrival: Arrival) => boolean;
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
  isHeld = () => false,
  now = () => performance.now(),
  limits = TURN_LIMITS,
}: TurnOptions<Arrival, Answer>): Turns<Arrival, Answer> {
  const queue: Arrival[] = [];
  let answers: Answer[] = [];
  let firstAnswerAt = 0;
  let isScheduled = false;
  /** Whether a timer will look at those that are held. */
  let isAwaited = false;
  let hasAccepted = false;
  /** Until when requests are handled as they are read. */
  let end = 0;
  /** When the queue was empty last. */
  let emptyAt = 0;

  function begin(time: number): void {
    if (isScheduled) return;
    isScheduled = true;
    end = time + limits.turn;
    setImmediate(finish);
  }

  /** Runs when everything that had arrived is read. */
  function finish(): void {
    isScheduled = false;
    shedLate();
    const hasTimeLeft = handleWaiting();
    flush();
    if (queue.length === 0) return;
    if (!hasTimeLeft) begin(now());
    else if (!isAwaited) {
      isAwaited = true;
      setTimeout(() => {
        isAwaited = false;
        begin(now());
      }, HELD);
    }
  }

  function isOverloaded(time: number): boolean {
    return time - emptyAt > limits.burst;
  }

  function shedLate(): void {
    let time = now();
    if (!isOverloaded(time)) return;
    const until = time + (hasAccepted ? limits.overloadTurn : limits.turn);
    while (queue[0] !== undefined && time - queue[0].at > limits.shed) {
      const oldest = queue.shift();
      if (oldest !== undefined) shed(oldest);
      time = now();
      if (time >= until) return;
    }
  }

  /** Returns whether all that are left are held. */
  function handleWaiting(): boolean {
    let time = now();
    const turn = isOverloaded(time) ? limits.overloadTurn : limits.turn;
    const until = time + (hasAccepted ? 0 : turn);
    hasAccepted = false;
    for (let at = 0; ; ) {
      const next = queue[at];
      if (next === undefined) return true;
      if (isHeld(next)) {
        at++;
        continue;
      }
      queue.splice(at, 1);
      handle(next);
      time = now();
      if (time >= until) return false;
    }
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
      if (queue.length === 0 && !hasAccepted && time < end && !isHeld(arrival)) {
        handle(arrival);
        return;
      }
      if (queue.length === 0) emptyAt = time;
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
