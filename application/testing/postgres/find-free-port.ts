/**
 * A port of this machine that nobody listens on: for a server that cannot pick one itself. It lies
 * below those that systems give to connections, so that none has taken it when the server comes.
 */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const FIRST = 20_000;
/** Linux gives connections ports from 32,768 on, the others from 49,152 on. */
const LAST = 32_000;
const TRIES = 100;

export async function findFreePort(): Promise<number> {
  for (let count = 0; count < TRIES; count++) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
  throw new Error(`There is no free port between ${FIRST} and ${LAST}.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
