/** Connects to the database, serves the site, and stops both on a signal. */
import { serve } from 'seeother/node';
import { explainPostgres, openPostgres, parsePostgresUrl } from 'seeother/postgres';
import { createTables } from './notes.ts';
import { createRouter } from './router.ts';

const { DATABASE_URL, HOST = '127.0.0.1', PORT = '8000', PUBLIC_ORIGIN } = process.env;

if (DATABASE_URL === undefined) {
  console.error(
    'Cannot start: DATABASE_URL is not set. Write it into .env, such as postgres://user:password@localhost:5432/notes',
  );
  process.exit(1);
}

const database = await openPostgres(parsePostgresUrl(DATABASE_URL), {
  migrate: createTables,
}).catch((error: unknown) => {
  console.error(`Cannot open the database of DATABASE_URL: ${explainPostgres(error)}`);
  process.exit(1);
});
const router = createRouter(database, { publicOrigin: PUBLIC_ORIGIN });
const server = await serve(router, { host: HOST, port: Number(PORT) });
console.log(`Listening on ${server.url}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await server.stop(10_000);
    await database.close();
  });
}
