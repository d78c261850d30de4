/**
 * The open connections, with the peer and the latest answer of each. Their number is limited, in all
 * and per network. At a limit, the connections that have been idle longest are closed; a new one is
 * refused only if none is idle. Closed connections are counted and reported once per sweep. All
 * connections of a proxy come from one address, so a trusted proxy has no limit of its own.
 */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { toNetworks } from '../http/client-network.ts';
import { type Connection, findStall, isIdle } from './connection-progress.ts';
import type { Trust } from './forwarded.ts';
import { toPeer } from './read-request.ts';
import type { Dropped, DropReason } from './serve-options.ts';

export type { Connection } from './connection-progress.ts';

export interface ConnectionOptions {
  readonly trust: Trust;
  /** The address of every client, on a Unix socket; otherwise null. */
  readonly unixAddress?: string | null;
  /** Maximum connections: in all, and per network (an IPv4 address, or the /64 of an IPv6 address). */
  readonly maxConnections: number;
  readonly maxConnectionsPerNetwork: number;
  /** Milliseconds that a connection may be idle, or an answer make no progress, plus a few seconds. */
  readonly stallTimeout: number;
  /** Answers a client whose body arrives too slowly, and closes the connection. */
  readonly refuseSlowBody: (socket: Socket) => void;
  readonly reportDropped: (dropped: Dropped) => void;
  /** Milliseconds. */
  readonly now?: () => number;
}

export interface Connections {
  /** Registers a new connection, or closes it. */
  readonly open: (socket: Socket) => void;
  /** Undefined for a closed connection. */
  readonly find: (socket: Duplex) => Connection | undefined;
  /** Closes a connection whose client behaves as only an attacker does. */
  readonly dropFlooding: (socket: Duplex) => void;
  /** Whether a client is still reading an answer, or has just connected and may be sending a request. */
  readonly isBusy: () => boolean;
  /** Closes connections on which no request has begun. */
  readonly closeUnused: () => void;
  /** The number of open connections. */
  readonly size: () => number;
  /** Starts the periodic sweep; the returned function stops it. */
  readonly watch: () => () => void;
}

/** Milliseconds between two sweeps. */
const SWEEP_INTERVAL = 5_000;
/**
 * Milliseconds that a new connection has for its first request at shutdown, on a slow network or
 * machine.
 */
const FIRST_REQUEST = 1_000;
/** Milliseconds in which no idle connection is searched for after none was found: that visits all connections. */
const FULL = 100;
/** The share of connections closed at once to make room: finding them costs more than closing one. */
const SHARE = 0.01;

export function createConnections(options: ConnectionOptions): Connections {
  const {
    trust,
    maxConnections,
    maxConnectionsPerNetwork,
    stallTimeout,
    refuseSlowBody,
    reportDropped,
  } = options;
  const { unixAddress = null, now = () => performance.now() } = options;
  const connections = new Map<Duplex, Connection>();
  const networks = new Map<string, number>();
  let dropped: Dropped = {};
  /** When none was idle, of a network or (null) of all. */
  const fullAt = new Map<string | null, number>();

  function count(reason: DropReason): void {
    dropped = { ...dropped, [reason]: (dropped[reason] ?? 0) + 1 };
  }

  function forget(connection: Connection): void {
    const { socket, network } = connection;
    if (!connections.delete(socket) || network === null) return;
    const left = (networks.get(network) ?? 1) - 1;
    if (left === 0) networks.delete(network);
    else networks.set(network, left);
  }

  function close(connection: Connection, reason: DropReason): void {
    count(reason);
    forget(connection);
    connection.socket.destroy();
  }

  /** Closes those that have been idle longest, of one network or of all; false if none is idle. */
  function makeRoom(limit: number, network: string | null): boolean {
    const time = now();
    if (time - (fullAt.get(network) ?? Number.NEGATIVE_INFINITY) < FULL) return false;
    const idle = [...connections.values()]
      .filter((one) => (network === null || one.network === network) && isIdle(one, time))
      .sort((one, other) => one.since - other.since);
    for (const one of idle.slice(0, Math.ceil(limit * SHARE))) close(one, 'madeRoom');
    if (idle.length === 0) fullAt.set(network, time);
    return idle.length > 0;
  }

  /** Whether there is room for one more. */
  function admits(network: string | null): boolean {
    if (network !== null && (networks.get(network) ?? 0) >= maxConnectionsPerNetwork) {
      dropped = { ...dropped, network };
      if (!makeRoom(maxConnectionsPerNetwork, network)) return false;
    }
    return connections.size < maxConnections || makeRoom(maxConnections, null);
  }

  function open(socket: Socket): void {
    const peer = toPeer(socket, trust, unixAddress);
    const network = peer.isProxy ? null : (toNetworks(peer.address)[0] ?? null);
    if (!admits(network)) {
      count('refused');
      socket.destroy();
      return;
    }
    const progress = { latest: null, since: now(), seen: null, read: 0, sent: 0 };
    const connection = { ...peer, socket, network, ...progress };
    connections.set(socket, connection);
    if (network !== null) networks.set(network, (networks.get(network) ?? 0) + 1);
    socket.once('close', () => forget(connection));
  }

  function sweep(): void {
    const time = now();
    for (const connection of connections.values()) {
      const stall = findStall(connection, time, stallTimeout);
      if (stall === 'idle') connection.socket.destroy();
      else if (stall === 'slowBody') {
        count(stall);
        refuseSlowBody(connection.socket);
      } else if (stall !== null) close(connection, stall);
    }
    fullAt.clear();
    tellDropped();
  }

  function tellDropped(): void {
    if (Object.keys(dropped).length > 0) reportDropped(dropped);
    dropped = {};
  }

  return {
    open,
    size: () => connections.size,
    find: (socket) => connections.get(socket),
    dropFlooding(socket) {
      const connection = connections.get(socket);
      if (connection !== undefined) close(connection, 'flooding');
    },
    isBusy() {
      const time = now();
      return connections
        .values()
        .some(({ latest, since }) =>
          latest === null ? time - since < FIRST_REQUEST : !latest.writableFinished,
        );
    },
    closeUnused() {
      for (const { latest, socket } of connections.values())
        if (latest === null && socket.bytesRead === 0) socket.destroy();
    },
    watch() {
      const timer = setInterval(sweep, Math.min(SWEEP_INTERVAL, stallTimeout)).unref();
      return () => {
        clearInterval(timer);
        tellDropped();
      };
    },
  };
}
