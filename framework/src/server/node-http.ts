/**
 * Node's HTTP server, without an import: that would read everything which `node:http` offers, and one
 * of these things loads Node's whole HTTP client, for a tenth of the time of a start.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
