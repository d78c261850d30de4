/** The forms of files-three-times.ts on PostgreSQL, and with their files in a bucket. */
import { startFauxqs } from 'fauxqs';
import { createPostgresPlace } from './disturb-postgres.ts';
import { sendFilesThreeTimes } from './files-three-times.ts';
import { openBucket } from './places-of-files.ts';

export async function sendFilesTo(
  { postgres, s3 }: { readonly postgres: boolean; readonly s3: boolean },
  count: number,
  kills: number,
) {
  const database = postgres ? await createPostgresPlace() : null;
  const server = s3 ? await startFauxqs({ port: 0, logger: false }) : null;
  try {
    return await sendFilesThreeTimes(count, kills, 'kill', {
      ...(database === null ? {} : { database: database.url }),
      ...(server === null ? {} : { bucket: await openBucket(server.port) }),
    });
  } finally {
    await server?.stop();
    await database?.remove();
  }
}
