/**
 * Node's HTTP server without an import of `node:http`: the import would evaluate all its exports, and
 * one of them loads Node's HTTP client, which takes a tenth of the start time.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');

/** Loaded when it is needed: few serve TLS themselves. */
export function createTlsServer(...options: Parameters<typeof import('node:https').createServer>) {
  return process.getBuiltinModule('node:https').createServer(...options);
}
