/**
 * Preloaded into a contender for what its code does not offer. SIGTERM makes it write its compile cache and end:
 * most contenders would end without writing it. SIGUSR2 collects garbage.
 */
import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

process.once('SIGTERM', () => {
  flushCompileCache();
  process.exit();
});
process.on('SIGUSR2', () => {
  // As an option of the process, it would lead to another compile cache.
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
});
