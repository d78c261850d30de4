/**
 * Whether a connection makes progress, as a periodic sweep sees it. One sweep of all connections
 * replaces a timer per request. Idle time counts from the last answer, whatever bytes the client sends.
 * During a request, the body must arrive and the answer must leave at a minimum rate. An answer is
 * written in pieces of 64 KiB, because Node reports a write only when all of it has been sent.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Peer } from './forwarded.ts';
import type { Stall } from './serve-options.ts';

export interface Connection extends Peer {
  readonly socket: Socket;
  /** The network whose limit applies; null for a trusted proxy. */
  readonly network: string | null;
  /**
   * The answer to the last request; null before the first, and after a sweep has seen that it was sent.
   */
  latest: ServerResponse | null;
  /** When a sweep last saw progress, in milliseconds, and what it saw. */
  since: number;
  seen: ServerResponse | null;
  read: number;
  sent: number;
}

/** Milliseconds in which the minimum number of bytes of a body must arrive. */
const BODY_TIMEOUT = 10_000;
const MIN_READ = 1_024;
/** Bytes of an answer that must leave within the stall timeout, unless the client has taken all. */
const MIN_SENT = 65_536;

/** Null if the connection may stay. */
export function findStall(connection: Connection, now: number, stallTimeout: number): Stall | null {
  if (isIdle(connection, now)) return now - connection.since < stallTimeout ? null : 'idle';
  const { socket, latest, seen, since } = connection;
  const read = socket.bytesRead;
  const sent = socket.bytesWritten - socket.writableLength;
  const isReading = latest?.req.complete === false;
  const isSending = socket.writableLength > 0;
  const moves = isReading
    ? read - connection.read >= MIN_READ
    : sent - connection.sent >= (isSending ? MIN_SENT : 1);
  if (moves || seen === null || seen.writableFinished) {
    Object.assign(connection, { since: now, seen: latest, read, sent });
    return null;
  }
  if (now - since < (isReading ? BODY_TIMEOUT : stallTimeout)) return null;
  if (isReading) return 'slowBody';
  return isSending ? 'slowReader' : 'unanswered';
}

/** Releases an answer that has been sent, so that an idle connection does not keep it in memory. */
export function isIdle(connection: Connection, now: number): boolean {
  if (connection.latest === null) return true;
  if (!connection.latest.writableFinished) return false;
  Object.assign(connection, { since: now, seen: null, latest: null });
  return true;
}
