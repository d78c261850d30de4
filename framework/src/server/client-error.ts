/**
 * Answers messages that the HTTP parser refuses, and closes the connection. Such a message never
 * becomes a request. A client assigns answers to its requests by order, so the refusal waits for the
 * answer to an earlier request.
 */
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { SECURE_HEADERS } from '../middleware/secure-headers.ts';
import { OTHER_VERSION } from './message-flaw.ts';
import { STATUS_CODES } from './node-http.ts';

/** Of the error for a CONNECT, with which Node leaves the connection to the server. */
export const TUNNEL = 'ERR_TUNNEL';

const STATUSES: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  [TUNNEL]: 501,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
  // The first line of HTTP/2.
  HPE_PAUSED_H2_UPGRADE: 505,
};
/** The parser reports this for any invalid request line, whether it is HTTP or not. */
const OF_REQUEST_LINE = /^HPE_INVALID_(?:METHOD|CONSTANT|VERSION)$/;

const ADVICE: Readonly<Record<number, string>> = {
  400: 'The request is not valid HTTP and was not processed.',
  408: 'The request took too long to arrive and was not processed.',
  413: 'The request is too large and was not processed.',
  431: 'The headers of the request are too large, so it was not processed.',
  501: 'The request has a method that this server does not support.',
  505: OTHER_VERSION.reason,
};

type ClientError = Error & {
  readonly code?: string;
  /** The bytes in which the parser found the error, and its position. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
};

/** `latest` is the answer to the last request on the connection, if there was one. */
export function answerClientError(
  error: ClientError,
  socket: Duplex,
  latest: ServerResponse | null,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (latest?.writableEnded && !latest.shouldKeepAlive) socket.end();
  else if (latest === null || latest.writableFinished) answerRefused(error, socket);
  else if (latest.req.complete) {
    latest.once('close', () => answerClientError(error, socket, null));
  }
  // The error is in the body of that request: refuse it, unless its answer is already on its way.
  else if (latest.writableEnded) socket.end();
  else if (latest.headersSent || latest.socket === null) socket.destroy();
  else answerRefused(error, socket);
}

function answerRefused(error: ClientError, socket: Duplex): void {
  const status = statusOf(error);
  const body = `${ADVICE[status]}\n`;
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: text/plain; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Date: ${new Date().toUTCString()}`,
      ...Object.entries(SECURE_HEADERS).map(([name, value]) => `${name}: ${value}`),
      '',
      body,
    ].join('\r\n'),
  );
}

function statusOf({ code = '', rawPacket, bytesParsed = 0 }: ClientError): number {
  if (!OF_REQUEST_LINE.test(code) || rawPacket === undefined) return STATUSES[code] ?? 400;
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf('\n', bytesParsed - 1) + 1;
  const end = rawPacket.indexOf('\n', start);
  return toStatus(rawPacket.toString('latin1', start, end === -1 ? rawPacket.length : end));
}

const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]{1,32} [!-~]+ HTTP\/(\d\.\d)\r?$/;

/**
 * The status for a request line that the parser has refused. If the line arrived in pieces, it is
 * indistinguishable from bytes that are not HTTP.
 */
function toStatus(line: string): 400 | 501 | 505 {
  const version = REQUEST_LINE.exec(line)?.[1];
  if (version === undefined) return 400;
  return version === '1.0' || version === '1.1' ? 501 : 505;
}
