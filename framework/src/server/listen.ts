/**
 * Where a server listens: a TCP port, or a Unix socket for a proxy on the same machine. A process that was
 * killed leaves the file of its socket behind: it is removed if nobody listens on it any more.
 */
import { lstatSync, unlinkSync } from 'node:fs';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type ListenOptions } from 'node:net';
import type { TcpAddress, UnixSocket } from './serve-options.ts';

/** Connections that the system queues until they are accepted, as far as it allows. */
const BACKLOG = 4_096;

/**
 * Set while `seeother/develop` runs the program: the address that it owns, and for which the first server of the
 * program serves on a port of its own.
 */
export const PARENT_URL = 'SEEOTHER_DEVELOP';

/** What the program tells `seeother/develop`. */
export interface Serving {
  readonly port: number;
}

/** Resolves to the URL, such as `http://127.0.0.1:8000` or `unix:/run/things.sock`. */
export async function listen(
  server: Server,
  { host, port, socket }: TcpAddress | UnixSocket,
  scheme: string,
): Promise<string> {
  const parentUrl = process.env[PARENT_URL];
  if (parentUrl !== undefined && process.send !== undefined) {
    delete process.env[PARENT_URL];
    await listenOn(server, { host: '127.0.0.1', port: 0 });
    const { port } = server.address() as AddressInfo;
    process.send({ port } satisfies Serving);
    // Without its parent, the program would never end.
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM')).channel?.unref();
    return parentUrl;
  }
  if (socket === undefined) {
    await listenOn(server, { host, port });
    return toUrl(server.address() as AddressInfo, scheme);
  }
  try {
    await listenOn(server, { path: socket });
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    if (!isTaken || !lstatSync(socket).isSocket() || (await isUsed(socket))) throw error;
    unlinkSync(socket);
    await listenOn(server, { path: socket });
  }
  return `unix:${socket}`;
}

function listenOn(server: Server, options: ListenOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ ...options, backlog: BACKLOG }, () => {
    server.off('error', reject);
    resolve();
  });
  return promise;
}

/** Only a refused connection proves that nobody listens. */
function isUsed(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ path });
  socket.once('connect', () => resolve(true));
  socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED'));
  return promise.finally(() => socket.destroy());
}

export function toUrl({ address, family, port }: AddressInfo, scheme: string): string {
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
