/**
 * Stops a server of node:http without cutting anybody off who could still be served: no new
 * connections, what is under way is answered, connections that are only kept for later end.
 *
 * Node counts an answer that was handed over as done, although the client may still be reading it,
 * and a connection that has just been accepted as idle; its own `close` ends both at once. So idle
 * connections are ended here, once every answer has left and every new connection has had its time.
 */
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/** Milliseconds between two sweeps of idle connections. */
const SWEEP_INTERVAL = 50;

/**
 * Cuts what is left after so many milliseconds. Resolves to whether all could be answered. `closeUnused`
 * closes connections over which nothing was sent: Node 24 does not count them as idle.
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
  // Of net, not of http: see above. The server of Bun is none of net.
  const { close } = server instanceof NetServer ? NetServer.prototype : server;
  close.call(server, () => {
    clearTimeout(timer);
    clearInterval(sweep);
    resolve(drained);
  });
  return promise;
}
