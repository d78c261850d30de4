/**
 * Stops a node:http server without interrupting clients that can still be served: it accepts no new
 * connections, finishes running requests, and closes idle connections.
 *
 * Node's own `close` would interrupt two kinds of clients: it treats an answer as finished although the
 * client may still be reading it, and a connection that has just been accepted as idle. So this code
 * closes idle connections after every answer has left and every new connection has had time to send a
 * request.
 */
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/** Milliseconds between two sweeps of idle connections. */
const SWEEP_INTERVAL = 50;

/**
 * Closes the remaining connections after the given milliseconds. Resolves to whether all requests were
 * answered. `closeUnused` closes connections on which nothing was sent: Node 24 does not count them as
 * idle.
 */
export function stopServer(
  server: Server,
  milliseconds: number,
  isBusy: () => boolean,
  closeUnused: () => void,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let drained = true;
  const timer = setTimeout(() => {
    drained = false;
    server.closeAllConnections();
  }, milliseconds);
  const endIdle = () => {
    if (isBusy()) return;
    server.closeIdleConnections();
    closeUnused();
  };
  const sweep = setInterval(endIdle, SWEEP_INTERVAL);
  // The method of net.Server, not of http.Server: see above. Bun's server is not a net.Server.
  const { close } = server instanceof NetServer ? NetServer.prototype : server;
  close.call(server, () => {
    clearTimeout(timer);
    clearInterval(sweep);
    resolve(drained);
  });
  return promise;
}
