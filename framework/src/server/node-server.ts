/**
 * Serves a router with node:http: turns messages into request values and response values into messages.
 * No other code uses sockets. Every wait has a limit: for headers, bodies, idle connections, and the
 * last requests at shutdown.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, type Arrival, createAdmission, type OverloadOptions } from './admission.ts';
import { type Application, BARE_FAILURE, bareAnswer, reportToConsole } from './application.ts';
import { answerClientError } from './client-error.ts';
import { createConnections, type Dropped } from './connections.ts';
import { TRUST_NO_PROXY, type Trust } from './forwarded.ts';
import { type MessageBody, readMessageBody } from './message-body.ts';
import { findFlaw } from './message-flaw.ts';
import { createServer } from './node-http.ts';
import { createPipeline } from './pipeline.ts';
import { readRequest } from './read-request.ts';
import { stopServer } from './stop-server.ts';
import { writeResponse } from './write-response.ts';

export interface ServeOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly trust?: Trust;
  /**
   * Milliseconds that a connection may be idle, or an answer make no progress, plus a few seconds.
   * 65,000 by default: longer than the idle timeout of the usual proxies, so that they close first.
   */
  readonly stallTimeout?: number;
  /**
   * Bytes of all bodies that have arrived and are not answered; 64 MiB by default. Beyond it, bodies
   * over 16 KiB are refused with 503.
   */
  readonly bodiesLimit?: number;
  /**
   * Maximum connections: by default 12,000 in all and 2,000 per network (an IPv4 address, or the /64 of
   * an IPv6 address). At a limit, connections that have been idle longest are closed for new ones. A
   * trusted proxy has no limit of its own.
   */
  readonly maxConnections?: number;
  readonly maxConnectionsPerNetwork?: number;
  /** Called every few seconds with the number of closed connections by reason, if there were any. */
  readonly reportDropped?: (dropped: Dropped) => void;
  readonly overload?: OverloadOptions;
  /**
   * Called with errors that no middleware caught; the client gets a bare 500. By default they go to
   * standard error.
   */
  readonly report?: (error: unknown) => void;
}

export interface RunningServer {
  /** The address it listens on, such as `http://127.0.0.1:8000`. */
  readonly url: string;
  /**
   * Accepts no more connections, finishes running requests, and closes the remaining connections after
   * the given milliseconds. Resolves to whether all requests were answered. Before that, it continues
   * to serve for `notice` milliseconds (default 0) with `Connection: close`, so that load balancers
   * notice.
   */
  readonly stop: (milliseconds: number, notice?: number) => Promise<boolean>;
}

const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  // Node would set a timer per request; see connections.ts.
  keepAliveTimeout: 0,
  // Checked with the other flaws of a message; see message-flaw.ts.
  requireHostHeader: false,
  maxHeaderSize: 16_384,
  optimizeEmptyRequests: true,
};
/** Connections that the system queues until they are accepted, as far as it allows. */
const BACKLOG = 4_096;

/** Rejects if it cannot listen on the address. */
export async function serve(
  application: Application,
  options: ServeOptions,
): Promise<RunningServer> {
  const { trust = TRUST_NO_PROXY, stallTimeout = 65_000, report = reportToConsole } = options;
  const { bodiesLimit = 64 * 1_048_576 } = options;
  const connections = createConnections({
    trust,
    stallTimeout,
    maxConnections: options.maxConnections ?? 12_000,
    maxConnectionsPerNetwork: options.maxConnectionsPerNetwork ?? 2_000,
    refuseSlowBody: (socket) => server.emit('clientError', new SlowBody(), socket),
    reportDropped: options.reportDropped ?? (() => {}),
  });
  const bodies = { limit: bodiesLimit, held: 0, drop: connections.dropFlooding };
  let stopping = false;
  const admission = createAdmission(options.overload ?? {}, trust, respond, send);
  const arrive = createPipeline(admission.admit, connections.dropFlooding);
  application.prepare?.();

  function receive(message: IncomingMessage, out: ServerResponse, expectsContinue: boolean): void {
    const connection = connections.find(message.socket);
    // Bytes that had arrived before the connection was closed.
    if (connection === undefined || !message.socket.writable) return;
    const body = readMessageBody(message, out, expectsContinue, bodies);
    arrive({ connection, message, out, body, at: 0 });
  }

  function respond({ connection, message, out, body }: Arrival): void {
    try {
      const request = readRequest(message, body.chunks, connection, trust);
      const flaw = findFlaw(message, request.scheme);
      if (flaw !== null) {
        refuse(out, flaw);
        return;
      }
      const answer = application.handle(request);
      // A synchronous answer needs no promise.
      if (!(answer instanceof Promise)) answerWith({ out, body, response: answer });
      else {
        answer.then(
          (response) => answerWith({ out, body, response }),
          (error) => fail(out, body, error),
        );
      }
    } catch (error) {
      fail(out, body, error);
    }
  }

  /** Decides now what to do with the rest of the body, before more of it arrives. */
  function answerWith(answer: Answer): void {
    if (answer.body.chunks === null) admission.post(answer);
    else send(answer);
  }

  function send({ out, body, response }: Answer): void {
    if (out.destroyed) return;
    const leftover = body.hasLeftover();
    try {
      const sent = writeResponse(out, response, {
        close: stopping || leftover,
        beforeEnd: leftover ? body.discard : null,
      });
      sent?.catch((error) => {
        report(error);
        out.destroy();
      });
    } catch (error) {
      fail(out, body, error);
    }
  }

  function fail(out: ServerResponse, body: MessageBody, error: unknown): void {
    report(error);
    if (out.headersSent) out.destroy();
    else send({ out, body, response: BARE_FAILURE });
  }

  const server = createServer(LIMITS, (message, out) => receive(message, out, false));
  server.on('connection', admission.accept);
  server.on('checkContinue', (message, out) => receive(message, out, true));
  server.on('checkExpectation', (_message, out) => refuse(out, UNMET_EXPECTATION));
  server.on('clientError', (error, socket) =>
    answerClientError(error, socket, connections.find(socket)?.latest ?? null),
  );
  server.on('connection', connections.open);
  // Node would silently drop headers beyond this count; the size limit bounds them anyway.
  server.maxHeadersCount = 0;
  await listen(server, options);
  const endWatch = connections.watch();

  return {
    url: toUrl(server.address() as AddressInfo),
    async stop(milliseconds, notice = 0) {
      stopping = true;
      if (notice > 0) await new Promise((resolve) => setTimeout(resolve, notice));
      const drained = await stopServer(
        server,
        milliseconds,
        connections.isBusy,
        connections.closeUnused,
      );
      endWatch();
      admission.report();
      return drained;
    },
  };
}

const UNMET_EXPECTATION = {
  status: 417,
  reason: 'Only the expectation 100-continue is supported.',
};

function refuse(out: ServerResponse, flaw: { readonly status: number; readonly reason: string }) {
  writeResponse(out, bareAnswer(`${flaw.reason}\n`, flaw.status), { close: true, beforeEnd: null });
}

/** The same answer as for Node's own request timeout. */
class SlowBody extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}

function listen(server: Server, { host, port }: ServeOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ host, port, backlog: BACKLOG }, () => {
    server.off('error', reject);
    resolve();
  });
  return promise;
}

function toUrl({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
