import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBody } from '../http/body.ts';
import { text } from '../http/response.ts';
import { catchErrors } from '../middleware/catch-errors.ts';
import { createRouter } from '../router/router.ts';
import {
  connectRaw,
  exchange,
  type RawConnection,
  readAnswers,
} from '../testing/raw-connection.ts';
import { startServer } from '../testing/start-server.ts';

const HOST = 'Host: seeother.test\r\n';
const CLOSE = 'Connection: close\r\n';
const inChunks = (path: string) =>
  `POST ${path} HTTP/1.1\r\n${HOST}${CLOSE}Transfer-Encoding: chunked\r\n\r\n`;
const withLength = (length: number) =>
  `POST /read HTTP/1.1\r\n${HOST}${CLOSE}Content-Length: ${length}\r\n\r\n`;
const bytesOneByOne = (count: number) => '1\r\nx\r\n'.repeat(count);

test('chunks of one byte reach their reader merged', async (t) => {
  const lengths: number[] = [];
  const { url } = await startServer(t, async ({ body }) => {
    for await (const piece of body ?? []) lengths.push(piece.byteLength);
    return text('read');
  });
  await exchange(url, `${inChunks('/read')}${bytesOneByOne(900)}0\r\n\r\n`);
  assert.equal(
    lengths.reduce((sum, length) => sum + length, 0),
    900,
  );
  assert.ok(lengths.length <= 15, `${lengths.length} pieces`);
});

test('a body with too many chunks for its bytes ends the connection, whether it is read or not', async (t) => {
  const { url } = await startServer(t, async (request) => {
    if (request.path === '/alive') return text('alive');
    if (request.path === '/read') await readBody(request, 100_000);
    return new Promise(() => {});
  });
  for (const path of ['/read', '/wait']) {
    const connection = await connectRaw(url);
    const sent = [connection.write(inChunks(path)), connection.write(bytesOneByOne(20_000))];
    // The server closes it while bytes are still on their way: the client may see a reset.
    await connection.untilEnd().catch((error) => assert.doesNotMatch(error.message, /silent/));
    await Promise.allSettled(sent);
  }
  const [alive] = readAnswers(await exchange(url, `GET /alive HTTP/1.1\r\n${HOST}${CLOSE}\r\n`));
  assert.equal(alive?.body, 'alive');
});

const ALL = 100_000;
const LARGE = 60_000;
const SMALL = 16_000;

/**
 * A server that takes 100,000 bytes of bodies at once, and a body of 60,000 whose last byte is still to
 * come.
 */
async function startFull(t: test.TestContext) {
  const arrived = Promise.withResolvers<void>();
  const site = createRouter()
    .use(
      catchErrors({ page: ({ status, message }) => text(`${message}`, status), report: () => {} }),
    )
    .post('/read', async ({ request }) => text(String((await readBody(request, ALL)).byteLength)))
    .post('/hold', async ({ request }) => {
      let size = 0;
      for await (const { byteLength } of request.body ?? []) {
        size += byteLength;
        // A chunk that is small waits for others, or for the end.
        if (size > LARGE - 4_096) arrived.resolve();
      }
      return text('held');
    });
  const { url } = await startServer(t, (request) => site.handle(request), { bodiesLimit: ALL });
  const holder = await connectRaw(url);
  await holder.write(
    `POST /hold HTTP/1.1\r\n${HOST}Content-Length: ${LARGE}\r\n\r\n${'x'.repeat(LARGE - 1)}`,
  );
  await arrived.promise;
  const send = async (size: number) =>
    readAnswers(await exchange(url, withLength(size) + 'x'.repeat(size)))[0];
  return { holder, send };
}

/** Asks over and over: the server hears of what a client does a little later. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (await isSo()) return;
    await sleep(100);
  }
  assert.fail('it has not become so within half a minute');
}

const endings: Record<string, (holder: RawConnection) => Promise<unknown>> = {
  'has been answered': async (holder) => {
    await holder.write('x');
    await holder.until('held');
  },
  'was given up by its client': async (holder) => holder.leave(),
};

for (const [ending, end] of Object.entries(endings)) {
  test(`bodies over the memory limit: 503 until one ${ending}, and small ones are accepted`, async (t) => {
    const { holder, send } = await startFull(t);
    const refused = await send(LARGE);
    assert.equal(refused?.status, 503);
    assert.equal(refused?.header('Retry-After'), '5');
    assert.match(refused?.body ?? '', /Too much is being sent/);
    assert.equal((await send(SMALL))?.body, String(SMALL));
    await end(holder);
    await until(async () => (await send(LARGE))?.status === 200);
    holder.leave();
  });
}

test('bodies that wait behind another answer are let go when their client leaves', async (t) => {
  const site = createRouter()
    .use(catchErrors({ page: ({ status }) => text('', status), report: () => {} }))
    .get('/wait', () => new Promise<never>(() => {}))
    .post('/read', async ({ request }) => text(String((await readBody(request, ALL)).byteLength)));
  const { url } = await startServer(t, (request) => site.handle(request), { bodiesLimit: ALL });
  const large = withLength(LARGE) + 'x'.repeat(LARGE);
  const send = async () => readAnswers(await exchange(url, large))[0]?.status;
  const queued = `POST /read HTTP/1.1\r\n${HOST}Content-Length: 30000\r\n\r\n${'x'.repeat(30_000)}`;
  const holder = await connectRaw(url);
  await holder.write(`GET /wait HTTP/1.1\r\n${HOST}\r\n${queued}${queued}`);
  await until(async () => (await send()) === 503);
  holder.leave();
  await until(async () => (await send()) === 200);
});
