/**
 * Serves a router with node:http: turns messages into request values and response values into messages.
 * No other code uses sockets. Every wait has a limit: for headers, bodies, idle connections, and the
 * last requests at shutdown.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addLevel } from '../events/levels.ts';
import {
  COUNT,
  checkOptions,
  describeValue,
  FLAG,
  FUNCTION,
  OBJECT,
  type OptionKinds,
} from '../http/check-options.ts';
import { createAdmission } from './admission.ts';
import { type Application, reportToConsole } from './application.ts';
import { answerClientError, TUNNEL } from './client-error.ts';
import { createConnections } from './connections.ts';
import { TRUST_NO_PROXY, type Trust } from './forwarded.ts';
import { listen } from './listen.ts';
import { readMessageBody } from './message-body.ts';
import { createServer, createTlsServer, stopParsing } from './node-http.ts';
import { createPipeline } from './pipeline.ts';
import { createResponder } from './responder.ts';
import {
  ADDRESS_KINDS,
  type Dropped,
  OVERLOAD_KINDS,
  type OverloadOptions,
  type TcpAddress,
  type UnixSocket,
} from './serve-options.ts';
import { stopServer } from './stop-server.ts';

export interface ServeSettings {
  /**
   * The proxies in front; none by default. The clients of a Unix socket have the address 127.0.0.1, so a
   * proxy that connects to one is trusted as that address is.
   */
  readonly trust?: Trust;
  /** The private key and the certificate with its chain, as PEM; without them, HTTP is served. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /**
   * Milliseconds that a connection may be idle, or an answer make no progress, plus a few seconds.
   * 65,000 by default: longer than the idle timeout of the usual proxies, so that they close first.
   */
  readonly stallTimeout?: number;
  /**
   * Milliseconds in which the body of a request must arrive; 30,000 by default. A form with files has more time: see
   * `forms.uploads` of `createSite`.
   */
  readonly requestTimeout?: number;
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
   * Whether browsers get pages for the developer, which reveal code and requests: an unexpected error shows
   * its stack, source and chain, an unknown address the routes. False by default, whatever NODE_ENV says.
   */
  readonly development?: boolean;
  /**
   * Called with errors that no middleware caught; the client gets a bare 500. Of an `HttpError` the client
   * gets status, headers and message, and only those from 500 on are reported. By default they go to
   * standard error.
   */
  readonly report?: (error: unknown) => void;
}

export type ServeOptions = ServeSettings & (TcpAddress | UnixSocket);

const SERVE_KINDS = {
  ...ADDRESS_KINDS,
  trust: OBJECT,
  tls: OBJECT,
  stallTimeout: COUNT,
  requestTimeout: COUNT,
  bodiesLimit: COUNT,
  maxConnections: COUNT,
  maxConnectionsPerNetwork: COUNT,
  reportDropped: FUNCTION,
  overload: OBJECT,
  development: FLAG,
  report: FUNCTION,
} satisfies OptionKinds<ServeOptions>;

export interface RunningServer {
  /** The address it listens on, such as `http://127.0.0.1:8000` or `unix:/run/things.sock`. */
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
  // Node would also limit a form with files; see message-body.ts.
  requestTimeout: 0,
  connectionsCheckingInterval: 1_000,
  // Node would set a timer per request; see connections.ts.
  keepAliveTimeout: 0,
  // Checked with the other flaws of a message; see message-flaw.ts.
  requireHostHeader: false,
  maxHeaderSize: 16_384,
  optimizeEmptyRequests: true,
};
const TLS = {
  /** Milliseconds that a client has to begin an encrypted connection. */
  handshakeTimeout: 10_000,
  minVersion: 'TLSv1.2',
  // With forward secrecy and authenticated encryption alone. Node would take others too.
  ciphers: [
    ...['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'],
    ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
    ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
    ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ].join(':'),
} as const;
/** The address of the clients of a Unix socket: programs on this machine. */
const THIS_MACHINE = '127.0.0.1';

/**
 * Serves an application with `node:http`, with limits for everything that a client can make wait. Rejects
 * if it cannot listen on the address.
 */
export async function serve(
  application: Application,
  options: ServeOptions,
): Promise<RunningServer> {
  requireServable(application, options);
  const { trust = TRUST_NO_PROXY, stallTimeout = 65_000, report = reportToConsole } = options;
  const { bodiesLimit = 64 * 1_048_576, maxConnections = 12_000 } = options;
  const refuseSlowBody = (socket: Socket) =>
    void server.emit('clientError', new CodedError(SLOW_BODY), socket);
  const connections = createConnections({
    trust,
    stallTimeout,
    unixAddress: options.socket === undefined ? null : THIS_MACHINE,
    maxConnections,
    maxConnectionsPerNetwork: options.maxConnectionsPerNetwork ?? 2_000,
    refuseSlowBody,
    reportDropped: options.reportDropped ?? (() => {}),
  });
  const bodies = {
    limit: bodiesLimit,
    held: 0,
    drop: connections.dropFlooding,
    time: { limit: options.requestTimeout ?? 30_000, refuse: refuseSlowBody },
  };
  let stopping = false;
  const served = options.development === true ? await develop(application, report) : application;
  const { respond, send } = createResponder(served, {
    trust,
    report,
    isStopping: () => stopping,
    post: (answer) => admission.post(answer),
  });
  const admission = createAdmission(
    options.overload ?? {},
    trust,
    (arrival) => respond(arrival.connection, arrival),
    send,
  );
  const arrive = createPipeline(admission.admit, connections.dropFlooding);
  application.prepare?.();

  function receive(message: IncomingMessage, out: ServerResponse, expectsContinue: boolean): void {
    const connection = connections.find(message.socket);
    // Bytes that had arrived before the connection was closed.
    if (connection === undefined || !message.socket.writable) {
      stopParsing(message.socket);
      return;
    }
    const body = readMessageBody(message, out, expectsContinue, bodies);
    arrive({ connection, message, out, body, at: 0 });
  }

  const onRequest = (message: IncomingMessage, out: ServerResponse) => receive(message, out, false);
  const { tls } = options;
  const server: Server =
    tls === undefined
      ? createServer(LIMITS, onRequest)
      : createTlsServer({ ...LIMITS, ...TLS, ...tls }, onRequest);
  server.on('connection', admission.accept);
  server.on('checkContinue', (message, out) => receive(message, out, true));
  server.on('checkExpectation', onRequest);
  server.on('connect', ({ socket }, stream) => {
    // Node has stopped listening to errors, and to the end of the connection.
    for (const one of new Set([socket, stream])) one.on('error', () => socket.destroy()).resume();
    server.emit('clientError', new CodedError(TUNNEL), socket);
  });
  server.on('clientError', (error, socket) =>
    answerClientError(error, socket, connections.find(socket)?.latest ?? null),
  );
  // Connections that have not begun encryption are only counted.
  if (tls !== undefined) server.maxConnections = maxConnections;
  server.on(tls === undefined ? 'connection' : 'secureConnection', connections.open);
  // Node would silently drop headers beyond this count; the size limit bounds them anyway.
  server.maxHeadersCount = 0;
  const url = await listen(server, options, tls === undefined ? 'http' : 'https');
  const endWatch = connections.watch();
  const removeLevels = [
    addLevel('requests waiting', admission.waiting),
    addLevel('connections', connections.size),
  ];

  return {
    url,
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
      for (const remove of removeLevels) remove();
      admission.report();
      return drained;
    },
  };
}

function requireServable(application: Application, options: ServeOptions): void {
  if (typeof application?.handle !== 'function') {
    throw new TypeError(
      `Cannot serve ${describeValue(application)}: pass a router, serve(router, { host: '127.0.0.1', port: 8000 }).`,
    );
  }
  const { socket, host, port } = options ?? {};
  checkOptions('serve', options, SERVE_KINDS);
  checkOptions('serve as overload', options?.overload, OVERLOAD_KINDS);
  if (socket === undefined && (host === undefined || port === undefined)) {
    throw new TypeError(
      "Cannot serve without an address: pass { host: '127.0.0.1', port: 8000 }, or { socket } with the path of a Unix socket.",
    );
  }
}

/** Loaded when it is needed: production never runs it. */
async function develop(
  application: Application,
  report: (error: unknown) => void,
): Promise<Application> {
  const { isExplainable, withDevelopmentPages } = await import('./development-pages.ts');
  return isExplainable(application) ? withDevelopmentPages(application, report) : application;
}

/** The same answer as for Node's own request timeout. */
const SLOW_BODY = 'ERR_HTTP_REQUEST_TIMEOUT';

/** For `clientError`, as Node's own refusals. */
class CodedError extends Error {
  readonly code: string;

  constructor(code: string) {
    super();
    this.code = code;
  }
}
