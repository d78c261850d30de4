/** What the HTTP parser refuses never becomes a request: it is answered here, and the connection ends. */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

const STATUSES: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
  HPE_INVALID_METHOD: 501,
};

const ADVICE: Readonly<Record<number, string>> = {
  400: 'The request is not valid HTTP and was not processed.',
  408: 'The request took too long to arrive and was not processed.',
  413: 'The request is too large and was not processed.',
  431: 'The headers of the request are too large, so it was not processed.',
  501: 'The request has a method that this server does not know.',
};

export function answerClientError(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUSES[error.code ?? ''] ?? 400;
  const body = `${ADVICE[status]}\n`;
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Cache-Control: no-store',
      'Content-Type: text/plain; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Date: ${new Date().toUTCString()}`,
      'X-Content-Type-Options: nosniff',
      '',
      body,
    ].join('\r\n'),
  );
}
