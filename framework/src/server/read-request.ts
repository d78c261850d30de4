/** A message of node:http as a request value. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createRequest, type Request } from '../http/request.ts';
import { addressOf, type Peer, plainAddress, schemeOf, type Trust } from './forwarded.ts';

/** Found out once for all requests of a connection. */
export function toPeer(socket: Socket, trust: Trust): Peer {
  const address = plainAddress(socket.remoteAddress ?? '');
  return { address, isProxy: trust.isProxy(address) };
}

/** `body` is null for a request that has none. */
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
