/**
 * A TCP proxy between the application and its database that simulates faults of the network and the
 * server: it cuts connections or stalls them.
 */
import { once } from 'node:events';
import { createServer, connect as openSocket, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

export interface Proxy {
  /** The address of the database through the proxy. */
  readonly url: string;
  /** Cuts all connections. */
  readonly cut: () => void;
  /** Forwards nothing more, on open connections and on new ones. */
  readonly stall: () => void;
  readonly goOn: () => void;
  /** Cuts the connection that sends this text, once it is forwarded to the server. */
  readonly cutAfter: (text: string) => void;
}

export async function createProxy(t: TestContext, url: string): Promise<Proxy> {
  const { port, hostname } = new URL(url);
  const sockets = new Set<Socket>();
  let stalled = false;
  let fatal: string | null = null;
  const server = createServer((client) => {
    const upstream = openSocket(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
      socket.on('error', () => {});
      if (stalled) socket.pause();
    }
    client.on('data', (data) => {
      upstream.write(data, () => {
        if (fatal === null || !data.includes(fatal)) return;
        fatal = null;
        upstream.end(() => client.destroy());
      });
    });
    upstream.on('data', (data) => client.write(data));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  t.after(() => {
    cut();
    server.close();
  });
  const address = server.address();
  const ownPort = typeof address === 'object' ? address?.port : '';
  return {
    url: url.replace(`:${port}/`, `:${ownPort}/`),
    cut,
    stall() {
      stalled = true;
      for (const socket of sockets) socket.pause();
    },
    goOn() {
      stalled = false;
      for (const socket of sockets) socket.resume();
    },
    cutAfter(text) {
      fatal = text;
    },
  };
}
