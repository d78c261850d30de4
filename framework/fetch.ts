/** Serving on hosts that speak fetch: Bun, Deno, Hono and others. */
export type { Application } from './src/server/application.ts';
export { type FetchHandlerOptions, toFetchHandler } from './src/server/fetch-handler.ts';
export { parseProxies, TRUST_NOBODY, type Trust } from './src/server/forwarded.ts';
