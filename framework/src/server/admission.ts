/**
 * Decides which requests are handled as they are read, which wait, and which are shed. Health checks never
 * wait; other requests wait when a turn has no time left, and while the database has enough to do: a request
 * that waits here costs far less to refuse than one that has begun. A request that has waited too long gets a
 * 503. No middleware sees a shed request, and the log counts them instead of writing a line for each.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createPublisher } from '../events/events.ts';
import { readLevel } from '../events/levels.ts';
import { type Response, text } from '../http/response.ts';
import { withSecureHeaders } from '../middleware/secure-headers.ts';
import { createTally } from '../middleware/tally.ts';
import type { Connection } from './connections.ts';
import type { Trust } from './forwarded.ts';
import type { MessageBody } from './message-body.ts';
import { readRequest } from './read-request.ts';
import type { Answer } from './responder.ts';
import type { OverloadOptions } from './serve-options.ts';
import { createTurns, TURN_LIMITS, type Waiting } from './turns.ts';

/** A request that has arrived, and where its answer goes. */
export interface Arrival extends Waiting {
  readonly connection: Connection;
  readonly message: IncomingMessage;
  readonly out: ServerResponse;
  readonly body: MessageBody;
}

export interface Admission {
  readonly admit: (arrival: Arrival) => void;
  /** Told of each new connection. */
  readonly accept: () => void;
  /** Sends an answer together with others that are there. */
  readonly post: (answer: Answer) => void;
  /** The number of requests that are read and wait. */
  readonly waiting: () => number;
  /** Reports the requests that were shed and not reported yet. */
  readonly report: () => void;
}

const sheds = createPublisher('shed');

/** More requests would not make a database faster for which so many statements or writes wait. */
const ENOUGH = 32;

/** SQLite reads while its disk is slow to write. */
function awaitsDatabase({ message: { method } }: Arrival): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return (
    readLevel('database connections awaited') >= ENOUGH ||
    (!isRead && readLevel('writes waiting') >= ENOUGH)
  );
}

const BUSY: Response = {
  ...text('There are too many requests right now. Try again in a few seconds.\n', 503),
  headers: Object.freeze({ 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '5' }),
};

export function createAdmission(
  {
    urgentPaths = [],
    busy = () => BUSY,
    reportShed = () => {},
    limits = TURN_LIMITS,
  }: OverloadOptions,
  trust: Trust,
  handle: (arrival: Arrival) => void,
  send: (answer: Answer) => void,
): Admission {
  const tally = createTally(reportShed);
  const { arrive, post, accept, waiting } = createTurns({
    handle: handleNext,
    shed,
    send,
    isHeld: awaitsDatabase,
    limits,
  });

  function handleNext(arrival: Arrival): void {
    // Its client may have gone while it waited.
    if (!arrival.out.destroyed) handle(arrival);
  }

  function shed({ connection, message, out, body }: Arrival): void {
    if (out.destroyed) return;
    tally.count();
    sheds.publish({});
    const request = readRequest(message, null, connection, trust);
    send({ out, body, response: withSecureHeaders(busy(request), request.scheme) });
  }

  return {
    admit(arrival) {
      if (urgentPaths.includes(arrival.message.url ?? '')) handle(arrival);
      else arrive(arrival);
    },
    post,
    accept,
    waiting,
    report: tally.report,
  };
}
