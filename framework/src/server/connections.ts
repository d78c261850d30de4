/**
 * The connections that requests have come over: who is at the other end, the answer to the last
 * request, and the clock that each is held to. One that stands still is cut off, whether its client
 * sends nothing more or does not read its answer.
 *
 * A timer of each connection would be set anew with every request. So all are looked at every few
 * seconds, and only one that has not moved since the look before gets Node's own timer, which knows
 * of an answer how much has left.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Peer, type Trust, toPeer } from './read-request.ts';

export interface Connection extends Peer {
  /** The answer to its last request, or null when nothing of it is left to be sent. */
  latest: ServerResponse | null;
  /** Requests that wait until the answer before theirs has left. */
  waiting: number;
  /** Bytes that have gone over it, either way, at the last look. */
  bytes: number;
  isTimed: boolean;
}

export interface Connections {
  readonly of: (socket: Socket) => Connection;
  /** Undefined before its first request. */
  readonly find: (socket: Duplex) => Connection | undefined;
  /** Whether a client is still to read an answer. */
  readonly hasUnreadAnswer: () => boolean;
  /**
   * Cuts off a connection `stallTimeout` milliseconds after the look that has found it standing
   * still. What it returns ends the looking.
   */
  readonly watch: (stallTimeout: number) => () => void;
}

/** Milliseconds between two looks. */
const LOOK_INTERVAL = 5_000;

export function createConnections(trust: Trust): Connections {
  const connections = new Map<Duplex, Connection>();

  function open(socket: Socket): Connection {
    const connection = {
      ...toPeer(socket, trust),
      latest: null,
      waiting: 0,
      bytes: 0,
      isTimed: false,
    };
    connections.set(socket, connection);
    socket.once('close', () => connections.delete(socket));
    return connection;
  }

  return {
    of: (socket) => connections.get(socket) ?? open(socket),
    find: (socket) => connections.get(socket),
    hasUnreadAnswer: () =>
      connections.values().some(({ latest }) => latest?.writableFinished === false),
    watch(stallTimeout) {
      const timer = setInterval(
        () => {
          for (const [socket, connection] of connections)
            look(socket as Socket, connection, stallTimeout);
        },
        Math.min(LOOK_INTERVAL, stallTimeout),
      );
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}

function look(socket: Socket, connection: Connection, stallTimeout: number): void {
  const bytes = socket.bytesRead + socket.bytesWritten;
  const stands = bytes === connection.bytes;
  if (stands !== connection.isTimed) socket.setTimeout(stands ? stallTimeout : 0);
  connection.isTimed = stands;
  connection.bytes = bytes;
  // An idle connection is no reason to keep a request and its answer.
  if (connection.latest?.writableFinished) connection.latest = null;
}
