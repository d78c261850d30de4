/**
 * Handles the requests of a connection one after the other, each after the previous answer has been
 * sent. So a client that sends many requests and reads nothing makes the server hold one answer in
 * memory. If the connection ends while requests wait, this code releases their bodies: older versions
 * of Node report the end only to the answer that is being sent.
 */
import type { Socket } from 'node:net';
import type { Arrival } from './admission.ts';
import type { Connection } from './connections.ts';

/** Per connection. Browsers and the usual proxies send one request at a time. */
const MAX_UNANSWERED = 64;

/** Passes each request to `admit` in turn, and a connection that sends too many to `drop`. */
export function createPipeline(
  admit: (arrival: Arrival) => void,
  drop: (socket: Socket) => void,
): (arrival: Arrival) => void {
  /** The waiting requests; most connections have none. */
  const queues = new Map<Connection, Arrival[]>();

  function next(connection: Connection): void {
    const queue = queues.get(connection) ?? [];
    if (!connection.socket.writable) {
      for (const { body } of queue) body.letGo();
      queues.delete(connection);
      return;
    }
    const arrival = queue.shift();
    if (queue.length === 0) queues.delete(connection);
    else arrival?.out.once('close', () => next(connection));
    if (arrival !== undefined) admit(arrival);
  }

  return (arrival) => {
    const { connection, out } = arrival;
    const { latest } = connection;
    connection.latest = out;
    if (latest === null || latest.writableFinished) {
      admit(arrival);
      return;
    }
    const queue = queues.get(connection);
    if (queue === undefined) {
      queues.set(connection, [arrival]);
      latest.once('close', () => next(connection));
    } else if (queue.push(arrival) === MAX_UNANSWERED) drop(connection.socket);
  };
}
