/**
 * Node's HTTP server without an import of `node:http`: the import would evaluate all its exports, and
 * one of them loads Node's HTTP client, which takes a tenth of the start time.
 */
import type { Socket } from 'node:net';

type Http = typeof import('node:http');
type Https = typeof import('node:https');

const http = process.getBuiltinModule('node:http');

export const createServer: Http['createServer'] = http.createServer;
export const STATUS_CODES: Http['STATUS_CODES'] = http.STATUS_CODES;

/** Loaded when it is needed: few serve TLS themselves. */
export function createTlsServer(
  ...options: Parameters<Https['createServer']>
): ReturnType<Https['createServer']> {
  return process.getBuiltinModule('node:https').createServer(...options);
}

/** The HTTP parser of a socket of Node's server. Node documents no way to stop it. */
interface Parser {
  onIncoming: (() => number) | null;
}

/** `onIncoming` returns this for a connection that changes to another protocol. The parser then stops. */
const IS_UPGRADE = 2;

/**
 * For a connection whose further requests are not handled. The parser would go through the rest of what
 * was read, up to 64 KiB, and Node would keep the objects of each of 1,900 requests until the connection
 * has ended, which also takes 15 ms.
 */
export function stopParsing(socket: Socket & { readonly parser?: Parser | null }): void {
  if (socket.parser != null) socket.parser.onIncoming = () => IS_UPGRADE;
}
