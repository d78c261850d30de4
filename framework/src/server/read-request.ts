/** Turns a node:http message into a request value. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createRequest, type Request } from '../http/request.ts';
import { addressOf, type Peer, plainAddress, schemeOf, type Trust } from './forwarded.ts';

/**
 * Determined once for all requests of a connection. `unixAddress` is the address of every client of a Unix
 * socket, which has none of its own.
 */
export function toPeer(socket: Socket, trust: Trust, unixAddress: string | null = null): Peer {
  const address = unixAddress ?? plainAddress(socket.remoteAddress ?? '');
  // On Bun, a socket without TLS has the property too.
  const scheme = (socket as TLSSocket).encrypted === true ? 'https' : 'http';
  return { address, isProxy: trust.isProxy(address), scheme };
}

type MountedMessage = IncomingMessage & { readonly originalUrl?: string };

/** Express removes the path of a mount from `url`, but links contain it. */
export function targetOf({ originalUrl, url }: MountedMessage): string {
  return originalUrl ?? url ?? '/';
}

/** `body` is null for a request without one. */
export function readRequest(
  message: MountedMessage,
  body: AsyncIterable<Uint8Array> | null,
  peer: Peer,
  trust: Trust,
): Request {
  const headers = message.headers as Request['headers'];
  return createRequest({
    method: message.method ?? 'GET',
    target: targetOf(message),
    headers,
    body,
    scheme: schemeOf(headers, peer, trust),
    address: addressOf(headers, peer, trust),
  });
}
