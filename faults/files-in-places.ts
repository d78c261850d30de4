/** The forms of files-three-times.ts on PostgreSQL, and with their files in a bucket. */
import { startFauxqs } from 'fauxqs';
import { createPostgresPlace } from './disturb-postgres.ts';
import { sendFilesThreeTimes } from './files-three-times.ts';

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

async function openBucket(port: number) {
  const endpoint = `http://127.0.0.1:${port}`;
  await fetch(`${endpoint}/papers`, { method: 'PUT' });
  return {
    address: `s3://papers/site?endpoint=${endpoint}`,
    async list() {
      const keys: string[] = [];
      for (let after = ''; ; after = keys.at(-1) ?? '') {
        const query = `list-type=2&prefix=site/&start-after=${encodeURIComponent(after)}`;
        const page = await (await fetch(`${endpoint}/papers?${query}`)).text();
        const found = [...page.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key);
        if (found.length === 0) break;
        keys.push(...found);
      }
      return keys
        .map((key) => key.slice('site/'.length))
        .filter((key) => /^[0-9a-f]{64}$/.test(key));
    },
  };
}
