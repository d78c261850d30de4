/** Serving on hosts that speak fetch: Bun, Deno, Hono and others. */
export type { Application } from './src/server/application.ts';
export { toFetchHandler } from './src/server/fetch-handler.ts';
export { parseProxies, type Trust } from './src/server/forwarded.ts';
