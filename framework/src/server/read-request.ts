/** Turns a node:http message into a request value. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createRequest, type Request } from '../http/request.ts';
import { addressOf, type Peer, plainAddress, schemeOf, type Trust } from './forwarded.ts';

/** Determined once for all requests of a connection. */
export function toPeer(socket: Socket, trust: Trust): Peer {
  const address = plainAddress(socket.remoteAddress ?? '');
  return { address, isProxy: trust.isProxy(address) };
}

/** `body` is null for a request without one. */
export function readRequest(
  message: IncomingMessage,
  body: AsyncIterable<Uint8Array> | null,
  peer: Peer,
  trust: Trust,
): Request {
  const headers = message.headers as Request['headers'];
  return createRequest({
    method: message.method ?? 'GET',
    target: message.url ?? '/',
    headers,
    body,
    scheme: schemeOf(headers, peer, trust),
    address: addressOf(headers, peer, trust),
  });
}
