/**
 * Preloaded into a contender: SIGTERM makes it write its compile cache and end. Most contenders would end without
 * writing it.
 */
import { flushCompileCache } from 'node:module';

process.once('SIGTERM', () => {
  flushCompileCache();
  process.exit();
});
