/**
 * Node's HTTP server without an import of `node:http`: the import would evaluate all its exports, and
 * one of them loads Node's HTTP client, which takes a tenth of the start time.
 */
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
