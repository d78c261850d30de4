/** Opens the database, serves the site, and stops both on a signal. */
import { serve } from 'seeother/node';
import { openSqlite } from 'seeother/sqlite';
import { createTables } from './notes.ts';
import { createRouter } from './router.ts';

const {
  DATABASE_FILE = 'notes.db',
  HOST = '127.0.0.1',
  PORT = '8000',
  PUBLIC_ORIGIN,
} = process.env;

const database = await openSqlite(DATABASE_FILE, { migrate: createTables });
const router = createRouter(database, { publicOrigin: PUBLIC_ORIGIN });
const server = await serve(router, { host: HOST, port: Number(PORT) });
console.log(`Listening on ${server.url}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await server.stop(10_000);
    await database.close();
  });
}
