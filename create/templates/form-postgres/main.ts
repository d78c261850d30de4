/**
 * Connects to the database, serves the site, and stops both on a signal. The settings
 * come from the environment.
 */
import { parseProxies, serve } from 'seeother/node';
import { explainPostgres, openPostgres, parsePostgresUrl } from 'seeother/postgres';
import { createTables } from './notes.ts';
import { createRouter } from './router.ts';

const {
  DATABASE_URL,
  HOST = '127.0.0.1',
  PORT = '8000',
  PUBLIC_ORIGIN,
  TRUST_PROXY = '',
} = process.env;

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
const server = await serve(router, {
  host: HOST,
  port: Number(PORT),
  development: process.argv.includes('--development'),
  trust: {
    isProxy: parseProxies(TRUST_PROXY),
    scheme: PUBLIC_ORIGIN?.startsWith('https:') ? 'https' : null,
  },
});
console.log(`Listening on ${server.url}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await server.stop(10_000);
    await database.close();
  });
}
