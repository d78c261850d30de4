/**
 * Loaded before the backup command: between two steps of a backup, another connection writes to the
 * database, like a busy service. After a hundred writes, a backup that is not finished fails.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { BackupOptions, DatabaseSync } from 'node:sqlite';

const MOST = 100;

const sqlite = createRequire(import.meta.url)('node:sqlite');
const { backup } = sqlite;
sqlite.backup = (source: DatabaseSync, target: string, options: BackupOptions) => {
  const writer: DatabaseSync = new sqlite.DatabaseSync(source.location());
  const tick = writer.prepare(
    "insert into counters values ('tick', 1) on conflict do update set value = value + 1",
  );
  let writes = 0;
  return backup(source, target, {
    ...options,
    progress() {
      tick.run();
      if (++writes === MOST) throw new Error(`The backup is not done after ${MOST} writes.`);
    },
  });
};
syncBuiltinESMExports();
