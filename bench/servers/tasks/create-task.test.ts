import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type TestContext } from 'node:test';
import { checkCreated, checkForms, checkSynced } from './create-task.ts';

/** A server that does all that is asked, but for what is left out. */
async function start(context: TestContext, leaveOut: 'check' | 'origin' | 'session' | 'nothing') {
  const respond = (response: ServerResponse, status: number, rest: string) => {
    response.writeHead(status, status === 303 ? { Location: rest } : {});
    response.end(rest);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const { cookie, 'sec-fetch-site': site } = request.headers;
    if (site === 'cross-site' && leaveOut !== 'origin') return respond(response, 403, '');
    if (cookie === undefined && leaveOut !== 'session') return respond(response, 303, '/login');
    const isRight = leaveOut === 'check' || !body.includes('name=&');
    respond(response, isRight ? 303 : 400, isRight ? '/items/1' : 'Enter a name');
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('a server that checks what it is sent is measured', async (context) => {
  await checkForms(await start(context, 'nothing'), 'sid=1');
});

for (const what of ['check', 'origin', 'session'] as const) {
  test(`a server that leaves out the ${what} is refused`, async (context) => {
    const server = await start(context, what);
    await assert.rejects(checkForms(server, 'sid=1'), { name: 'AssertionError' });
  });
}

test('items that were acknowledged and are not there are found', () => {
  checkCreated(1_000, 1_000);
  assert.throws(() => checkCreated(999, 1_000), /1000 creates were acknowledged, and 999/);
  assert.throws(() => checkCreated(2_000, 1_000), /2000 items are there/);
});

test('more creates than 32 connections can wait for are found to be not on disk', () => {
  checkSynced(32_000, 1_000);
  checkSynced(10, 20);
  assert.throws(() => checkSynced(5_000, 12), /5000 creates were acknowledged after 12 syncs/);
});
