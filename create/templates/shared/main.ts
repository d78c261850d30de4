/**
 * Opens the database, serves the site, and stops both on a signal. The settings
 * come from the environment.
 */
import { parseProxies, serve } from 'seeother/node';
import { migrate } from './database.ts';
// link: import { openOutbox } from './mail.ts';
import { openDatabase } from './open-database.ts';
import { createRouter } from './router.ts';

const { HOST = '127.0.0.1', PORT = '8000', PUBLIC_ORIGIN, TRUST_PROXY = '' } = process.env;

const database = await openDatabase(migrate);
// link: const outbox = openOutbox(database);
// unless link:
const router = createRouter(database, { publicOrigin: PUBLIC_ORIGIN });
// link: const router = createRouter(database, { publicOrigin: PUBLIC_ORIGIN }, outbox);
const server = await serve(router, {
  host: HOST,
  port: Number(PORT),
  development: process.argv.includes('--development'),
  trust: {
    isProxy: parseProxies(TRUST_PROXY),
    scheme: PUBLIC_ORIGIN?.startsWith('https:') ? 'https' : null,
  },
});
// link: outbox.start();
console.log(`Listening on ${server.url}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await server.stop(10_000);
    // link: await outbox.stop();
    await database.close();
  });
}
