/** What the service cleans up by itself, at night and once for all processes. */
import { createOutbox, type Outbox } from 'seeother/database';
import { every } from 'seeother/schedules';
import type { Database } from '../database/kysely.ts';
import { sweepZips } from '../imports/sweep-zips.ts';
import type { FileBytes } from '../items/files/file-bytes.ts';
import { sweepFiles } from '../items/files/sweep-files.ts';
import type { ErrorEntry } from '../settings/error-line.ts';
import { timeZoneName } from '../site/format.ts';
import { removeExpired } from './remove-expired.ts';

export type CleanUps = Pick<Outbox<never>, 'start' | 'stop' | 'run' | 'schedules'>;

/** Nights are those of the team. */
export function createCleanUps(
  { door, write }: Pick<Database, 'door' | 'write'>,
  files: Pick<FileBytes, 'remove'>,
  report: (entry: ErrorEntry) => void,
  now = () => new Date(),
): CleanUps {
  const sweep = () => write((transaction) => removeExpired(transaction, now()));
  const jobs = {
    removeExpired: every('day at 03:00', sweep, { timeZone: timeZoneName() }),
    sweepFiles: every('hour', () =>
      write(async (transaction) => {
        await sweepFiles(transaction, files);
        await sweepZips(transaction, files);
      }),
    ),
  };
  return createOutbox(door, jobs, { report });
}
