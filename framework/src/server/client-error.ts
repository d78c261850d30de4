/**
 * What the HTTP parser refuses never becomes a request: it is answered here, and the connection
 * ends. A client takes answers in the order of its requests, so a refusal never overtakes the
 * answer to an earlier one, nor breaks into it.
 */
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { SECURE_HEADERS } from '../middleware/secure-headers.ts';
import { OTHER_VERSION } from './message-flaw.ts';
import { STATUS_CODES } from './node-http.ts';

const STATUSES: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
  // The first line of HTTP/2.
  HPE_PAUSED_H2_UPGRADE: 505,
};
/** What the parser says of a request line, whether it is one of HTTP or not. */
const OF_REQUEST_LINE = /^HPE_INVALID_(?:METHOD|CONSTANT|VERSION)$/;

const ADVICE: Readonly<Record<number, string>> = {
  400: 'The request is not valid HTTP and was not processed.',
  408: 'The request took too long to arrive and was not processed.',
  413: 'The request is too large and was not processed.',
  431: 'The headers of the request are too large, so it was not processed.',
  501: 'The request has a method that this server does not know.',
  505: OTHER_VERSION.reason,
};

type ClientError = Error & {
  readonly code?: string;
  /** The bytes in which the parser has found the error, and its place in them. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
};

/** `latest` is the answer to the last request that came over the connection, if there was one. */
export function answerClientError(
  error: ClientError,
  socket: Duplex,
  latest: ServerResponse | null,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (latest === null || latest.writableFinished) refuse(error, socket);
  else if (latest.req.complete) {
    latest.once('close', () => answerClientError(error, socket, null));
  }
  // Its own body is at fault: it can still be refused, unless an answer is on its way already.
  else if (latest.writableEnded) socket.end();
  else if (latest.headersSent || latest.socket === null) socket.destroy();
  else refuse(error, socket);
}

function refuse(error: ClientError, socket: Duplex): void {
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
 * Of a request line that the parser has refused. One that comes in pieces cannot be told from what is
 * not HTTP.
 */
function toStatus(line: string): 400 | 501 | 505 {
  const version = REQUEST_LINE.exec(line)?.[1];
  if (version === undefined) return 400;
  return version === '1.0' || version === '1.1' ? 501 : 505;
}
