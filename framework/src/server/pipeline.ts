/**
 * Handles the requests of a connection one after the other, each after the previous answer has been
 * sent. So a client that sends many requests and reads nothing makes the server hold one answer in
 * memory. If the connection ends while requests wait, this code releases their bodies: older versions
 * of Node report the end only to the answer that is being sent.
 *
 * After an answer that closes the connection, no request is handled (RFC 9112 section 9.6): what follows a
 * refused message may be a part of it. Node itself ensures this from 24.21 on, but makes the objects of
 * each request, so its parser is stopped.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Arrival } from './admission.ts';
import type { Connection } from './connections.ts';
import { stopParsing } from './node-http.ts';

/** Per connection. Browsers and the usual proxies send one request at a time. */
const MAX_UNANSWERED = 64;
/**
 * Requests that wait on all connections. The first of each connection does not count, because a client can send
 * it before Node reports that the answer has left. Each holds up to 16 KiB of headers, so together 64 MiB.
 */
const MAX_WAITING = 4_096;

/** Passes each request to `admit` in turn, and a connection that sends too many to `drop`. */
export function createPipeline(
  admit: (arrival: Arrival) => void,
  drop: (socket: Socket) => void,
): (arrival: Arrival) => void {
  /** The waiting requests; most connections have none. */
  const queues = new Map<Connection, Arrival[]>();
  /** The number of requests in the queues, without the first of each. */
  let waiting = 0;

  function next(connection: Connection, previous: ServerResponse): void {
    const queue = queues.get(connection) ?? [];
    if (!connection.socket.writable || !previous.shouldKeepAlive) {
      for (const { body } of queue) body.letGo();
      queues.delete(connection);
      waiting -= queue.length - 1;
      connection.latest = previous;
      return;
    }
    const arrival = queue.shift();
    if (queue.length === 0) queues.delete(connection);
    else {
      waiting--;
      arrival?.out.once('close', () => next(connection, arrival.out));
    }
    if (arrival !== undefined) admit(arrival);
  }

  return (arrival) => {
    const { connection, out, body } = arrival;
    const { latest } = connection;
    if (latest?.writableFinished === true && !latest.shouldKeepAlive) {
      body.letGo();
      stopParsing(connection.socket);
      return;
    }
    connection.latest = out;
    if (latest === null || latest.writableFinished) {
      admit(arrival);
      return;
    }
    const queue = queues.get(connection);
    if (queue === undefined) {
      queues.set(connection, [arrival]);
      latest.once('close', () => next(connection, latest));
      return;
    }
    waiting++;
    if (queue.push(arrival) === MAX_UNANSWERED || waiting > MAX_WAITING) drop(connection.socket);
  };
}
