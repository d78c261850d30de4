/**
 * The requests of a connection are handled one after the other, each once the answer before it has left:
 * a client that sends many and reads nothing holds one answer in memory.
 *
 * The hard case: the connection ends while requests wait. Older versions of Node tell only the answer
 * that is being sent, so the bodies of the requests behind it are let go here.
 */
import type { Socket } from 'node:net';
import type { Arrival } from './admission.ts';
import type { Connection } from './connections.ts';

/** Of one connection. Browsers and the usual proxies send one request at a time. */
const MOST_UNANSWERED = 64;

/** Gives each request to `admit` when it is its turn, and a connection that sends too many to `drop`. */
export function createPipeline(
  admit: (arrival: Arrival) => void,
  drop: (socket: Socket) => void,
): (arrival: Arrival) => void {
  /** The requests that wait; most connections have none. */
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
    } else if (queue.push(arrival) === MOST_UNANSWERED) drop(connection.socket);
  };
}
