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

/** Resolves to the URL, such as `http://127.0.0.1:8000` or `unix:/run/things.sock`. */
export async function listen(
  server: Server,
  { host, port, socket }: TcpAddress | UnixSocket,
  scheme: string,
): Promise<string> {
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

function toUrl({ address, family, port }: AddressInfo, scheme: string): string {
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
