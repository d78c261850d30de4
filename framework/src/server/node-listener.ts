/**
 * Turns an application into a listener for node:http, for hosts that own the server: Express, Fastify,
 * a custom server of Next. What belongs to the connection is up to the host: timeouts, limits, overload,
 * draining.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { COUNT, checkOptions, FUNCTION, OBJECT, type OptionKinds } from '../http/check-options.ts';
import { type Application, bodyIsRead, reportToConsole } from './application.ts';
import { TRUST_NO_PROXY, type Trust } from './forwarded.ts';
import { readMessageBody } from './message-body.ts';
import { targetOf, toPeer } from './read-request.ts';
import { createResponder } from './responder.ts';

export interface NodeListenerOptions {
  /** The proxies in front of the host; none by default. */
  readonly trust?: Trust;
  /** Bytes of all bodies that have arrived and are not answered; 64 MiB by default. */
  readonly bodiesLimit?: number;
  /**
   * Called with errors that no middleware caught, without an `HttpError` below 500; by default they go to
   * standard error.
   */
  readonly report?: (error: unknown) => void;
}

const LISTENER_KINDS = {
  trust: OBJECT,
  bodiesLimit: COUNT,
  report: FUNCTION,
} satisfies OptionKinds<NodeListenerOptions>;

/** What `createServer` of node:http calls, and Express and others. Declared without `@types/node`. */
export type NodeListener = (message: NodeMessage, out: NodeResponse) => void;

/** An `IncomingMessage` of node:http. */
export interface NodeMessage {
  readonly httpVersion: string;
  readonly rawHeaders: readonly string[];
  readonly socket: object;
  readonly readableDidRead: boolean;
}

/** The `ServerResponse` of node:http for the message. */
export interface NodeResponse {
  readonly headersSent: boolean;
  readonly statusCode: number;
  readonly req: object;
  readonly writableEnded: boolean;
}

/**
 * A listener for an application inside another server on `node:http`, such as Express. Throws if the
 * application has a configuration error, such as unreachable routes.
 */
export function toNodeListener(
  application: Application,
  options: NodeListenerOptions = {},
): NodeListener {
  checkOptions('toNodeListener', options, LISTENER_KINDS);
  const { trust = TRUST_NO_PROXY, report = reportToConsole } = options;
  const { bodiesLimit = 64 * 1_048_576 } = options;
  application.prepare?.();
  const { respond, send, fail } = createResponder(application, {
    trust,
    report,
    isStopping: () => false,
    post: (answer) => send(answer),
  });
  const bodies = {
    limit: bodiesLimit,
    held: 0,
    drop: (socket: Destroyable) => socket.destroy(),
    time: null,
  };
  return (request, answer) => {
    const message = request as IncomingMessage;
    const out = answer as ServerResponse;
    const isRead = message.readableDidRead;
    const body = readMessageBody(message, out, false, bodies);
    if (isRead && body.chunks !== null)
      fail(out, body, bodyIsRead(message.method, targetOf(message)));
    else respond(toPeer(message.socket, trust), { message, out, body });
  };
}

interface Destroyable {
  readonly destroy: () => unknown;
}
