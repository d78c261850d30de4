/**
 * Finds a free port for a server that cannot choose one itself. The port is below the range of
 * ephemeral ports, so that no outgoing connection takes it before the server starts.
 */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const FIRST = 20_000;
/** Ephemeral ports start at 32,768 on Linux, and at 49,152 on other systems. */
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
