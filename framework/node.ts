/** Serving with node:http. */
export { createLineWriter, type LineWriter, writeLastLine } from './src/server/line-writer.ts';
export {
  type Application,
  type RunningServer,
  type ServeOptions,
  serve,
} from './src/server/node-server.ts';
export { parseProxies, TRUST_NOBODY, type Trust } from './src/server/read-request.ts';
