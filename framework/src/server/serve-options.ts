/**
 * Types of what `serve` is given that name nothing of Node: a project compiles with them without
 * `@types/node`. The parts of the server that use them import them from here.
 */
import {
  COUNT,
  FUNCTION,
  LIST,
  OBJECT,
  type OptionKind,
  type OptionKinds,
  TEXT,
} from '../http/check-options.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import type { TurnLimits } from './turns.ts';

export interface TcpAddress {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly socket?: never;
}

export interface UnixSocket {
  /** The path of the socket. */
  readonly socket: string;
  readonly host?: never;
  readonly port?: never;
}

export interface OverloadOptions {
  /** Paths whose requests are handled before all others and never shed: those of health checks. */
  readonly urgentPaths?: readonly string[];
  /** The answer to a request that is shed, a 503 with `Retry-After`; plain text unless said otherwise. */
  readonly busy?: (request: Request) => Response;
  /** Told how many requests were shed, at most every five seconds. */
  readonly reportShed?: (count: number) => void;
  /** How long a turn of the event loop handles requests, and how long they wait for it. */
  readonly limits?: TurnLimits;
}

export const OVERLOAD_KINDS: OptionKinds<OverloadOptions> = {
  urgentPaths: LIST,
  busy: FUNCTION,
  reportShed: FUNCTION,
  limits: OBJECT,
};

const PORT: OptionKind = {
  noun: 'a whole number from 0 to 65535',
  example: 'Number(process.env.PORT ?? 8000)',
  accepts: (value) => COUNT.accepts(value) && (value as number) <= 65_535,
};

export const ADDRESS_KINDS: OptionKinds<TcpAddress | UnixSocket> = {
  host: TEXT,
  port: PORT,
  socket: TEXT,
};

/**
 * Why a connection must be closed: idle for too long, a body that arrives too slowly, a client that
 * reads its answer too slowly, or an application that does not answer.
 */
export type Stall = 'idle' | 'slowBody' | 'slowReader' | 'unanswered';

/** `madeRoom`: idle, and closed for a new one. `refused`: new, and none was idle. */
export type DropReason = Exclude<Stall, 'idle'> | 'madeRoom' | 'refused' | 'flooding';

/** The number of closed connections by reason, and the last network at its limit. */
export type Dropped = Partial<Record<DropReason, number>> & { readonly network?: string };
