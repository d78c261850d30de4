/**
 * Whether a connection makes progress, as a periodic sweep sees it: one sweep of all connections
 * replaces a timer per request. A connection is idle from its last answer on, whatever bytes it sends;
 * under a request, the body must arrive and the answer must leave at a minimum rate.
 *
 * The hard case: an answer is handed over in pieces of 64 KiB, and only a whole one counts as sent.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Peer } from './forwarded.ts';

export interface Connection extends Peer {
  readonly socket: Socket;
  /** Whose share of the connections it takes; null for a trusted proxy. */
  readonly network: string | null;
  /** The answer to its last request; null before the first, and once a sweep has seen that it has left. */
  latest: ServerResponse | null;
  /** When a sweep last saw progress, in milliseconds, and what it saw. */
  since: number;
  seen: ServerResponse | null;
  read: number;
  sent: number;
}

/** Milliseconds in which so many bytes of a body must arrive. */
const BODY_TIMEOUT = 10_000;
const LEAST_READ = 1_024;
/** Bytes of an answer that must leave within the stall timeout, while the client has not taken all. */
const LEAST_SENT = 65_536;

/**
 * Why a connection has to go: idle for too long, a body that arrives too slowly, a client that reads its
 * answer too slowly, or an application that makes none.
 */
export type Stall = 'idle' | 'slowBody' | 'slowReader' | 'unanswered';

/** Null for a connection that may stay. */
export function findStall(connection: Connection, now: number, stallTimeout: number): Stall | null {
  if (isIdle(connection, now)) return now - connection.since < stallTimeout ? null : 'idle';
  const { socket, latest, seen, since } = connection;
  const read = socket.bytesRead;
  const sent = socket.bytesWritten - socket.writableLength;
  const isReading = latest?.req.complete === false;
  const isSending = socket.writableLength > 0;
  const moves = isReading
    ? read - connection.read >= LEAST_READ
    : sent - connection.sent >= (isSending ? LEAST_SENT : 1);
  if (moves || seen === null || seen.writableFinished) {
    Object.assign(connection, { since: now, seen: latest, read, sent });
    return null;
  }
  if (now - since < (isReading ? BODY_TIMEOUT : stallTimeout)) return null;
  if (isReading) return 'slowBody';
  return isSending ? 'slowReader' : 'unanswered';
}

/** Lets go of an answer that has left: an idle connection is no reason to keep it. */
export function isIdle(connection: Connection, now: number): boolean {
  if (connection.latest === null) return true;
  if (!connection.latest.writableFinished) return false;
  Object.assign(connection, { since: now, seen: null, latest: null });
  return true;
}
