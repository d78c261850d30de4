/** Builds and configures `slow-disk.c` if there is a C compiler: it counts syncs, and can delay them. */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { median } from './statistics.ts';
import { FOLDER } from './things.ts';

const LIBRARY = join(FOLDER, 'slow-disk.so');
const COUNT_FILE = join(FOLDER, 'sync-count');

let built: boolean | null = null;

/** What a server's environment has to say for its syncs to be counted; nothing without a compiler. */
export function slowDisk(delayMilliseconds: number): Readonly<Record<string, string>> {
  built ??= build();
  if (!built) return {};
  writeFileSync(COUNT_FILE, Buffer.alloc(8));
  return {
    LD_PRELOAD: LIBRARY,
    FSYNC_DELAY_US: String(Math.round(delayMilliseconds * 1_000)),
    FSYNC_COUNT_FILE: COUNT_FILE,
  };
}

/** How often the server has synced so far; NaN without the counter. */
export function countSyncs(): number {
  return built ? Number(readFileSync(COUNT_FILE).readBigUInt64LE()) : Number.NaN;
}

function build(): boolean {
  const source = join(import.meta.dirname, 'slow-disk.c');
  const words = ['-O2', '-shared', '-fPIC', '-o', LIBRARY, source, '-ldl'];
  return spawnSync('cc', words, { stdio: 'ignore' }).status === 0;
}

/** Milliseconds that a sync of a small write takes here: the median of a hundred. */
export function measureSync(): number {
  const descriptor = openSync(join(FOLDER, 'sync-test'), 'w');
  const page = Buffer.alloc(4_096, 1);
  const times = Array.from({ length: 100 }, () => {
    writeSync(descriptor, page);
    const started = performance.now();
    fdatasyncSync(descriptor);
    return performance.now() - started;
  });
  closeSync(descriptor);
  return median(times);
}
