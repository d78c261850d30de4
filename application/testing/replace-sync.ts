/** Replaces the function that syncs SQLite's log, until the end of the test. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { TestContext } from 'node:test';

type Sync = (descriptor: number, callback: (error: NodeJS.ErrnoException | null) => void) => void;

export function replaceSync(t: TestContext, sync: Sync): void {
  const { mock } = t.mock.method(fs, 'fdatasync', sync as typeof fs.fdatasync);
  syncBuiltinESMExports();
  t.after(() => {
    mock.restore();
    syncBuiltinESMExports();
  });
}

export function diskError(): NodeJS.ErrnoException {
  return Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
}
