/** Serving with node:http. */

export type { Application } from './src/server/application.ts';
export { parseProxies, type Trust } from './src/server/forwarded.ts';
export { createLineWriter, type LineWriter, writeLastLine } from './src/server/line-writer.ts';
export { toNodeListener } from './src/server/node-listener.ts';
export { serve } from './src/server/node-server.ts';
