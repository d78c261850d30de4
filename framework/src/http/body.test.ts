import assert from 'node:assert/strict';
import test from 'node:test';
import { readBody, readRefusedBody } from './body.ts';
import { HttpError } from './http-error.ts';
import { createRequest, type Request } from './request.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

interface Sent {
  readonly request: Request;
  /** How many chunks were taken, and whether the source was let go before its end. */
  readonly taken: { count: number; released: boolean };
}

function send(chunks: readonly string[], contentLength?: string): Sent {
  const taken = { count: 0, released: false };
  async function* produce() {
    try {
      for (const chunk of chunks) {
        taken.count++;
        yield bytes(chunk);
      }
    } finally {
      taken.released = true;
    }
  }
  const headers = { 'content-length': contentLength };
  return {
    request: createRequest({ method: 'POST', target: '/', headers, body: produce() }),
    taken,
  };
}

const tooLarge = (error: unknown) =>
  error instanceof HttpError &&
  error.status === 413 &&
  /larger than the 4 bytes/.test(error.message);

test('the chunks of a body are concatenated', async () => {
  const { request } = send(['a', 'bc', '', 'd']);
  assert.equal(Buffer.from(await readBody(request, 4)).toString(), 'abcd');
});

test('a request without a body has an empty one', async () => {
  const request = createRequest({ method: 'POST', target: '/' });
  assert.equal((await readBody(request, 4)).byteLength, 0);
});

test('reading again gives the same bytes', async () => {
  const { request, taken } = send(['abcd']);
  const first = await readBody(request, 4);
  assert.equal(await readBody(request, 4), first);
  assert.equal(taken.count, 1);
});

test('a body as large as the limit is read', async () => {
  assert.equal((await readBody(send(['ab', 'cd'], '4').request, 4)).byteLength, 4);
});

test('a body with a declared length over the limit is refused before anything is read', async () => {
  const { request, taken } = send(['ab', 'cd', 'e'], '5');
  await assert.rejects(readBody(request, 4), tooLarge);
  assert.equal(taken.count, 0);
});

test('a body without a length is refused as soon as it is larger than the limit', async () => {
  const { request, taken } = send(['ab', 'cd', 'e', 'f', 'g']);
  await assert.rejects(readBody(request, 4), tooLarge);
  assert.deepEqual(taken, { count: 3, released: true });
});

test('a body larger than its declared length is refused', async () => {
  await assert.rejects(readBody(send(['abc', 'def'], '3').request, 4), tooLarge);
});

test('a body that was refused stays refused', async () => {
  const { request } = send(['abcde']);
  await assert.rejects(readBody(request, 4), tooLarge);
  await assert.rejects(readBody(request, 4), tooLarge);
});

test('a truncated body rejects with the reason', async () => {
  async function* broken() {
    yield bytes('ab');
    throw new Error('The client has gone.');
  }
  const request = createRequest({ method: 'POST', target: '/', body: broken() });
  await assert.rejects(readBody(request, 4), /The client has gone/);
});

/** A source that goes on where reading has stopped, as that of the server does. */
function sendOn(chunks: readonly string[], headers: Record<string, string> = {}): Request {
  const left = [...chunks];
  const body = {
    async *[Symbol.asyncIterator]() {
      for (let chunk = left.shift(); chunk !== undefined; chunk = left.shift()) yield bytes(chunk);
    },
  };
  return createRequest({ method: 'POST', target: '/', headers, body });
}

async function readAfterRefusal(request: Request, most: number): Promise<string | null> {
  await assert.rejects(readBody(request, 4), tooLarge);
  const body = await readRefusedBody(request, most);
  return body === null ? null : Buffer.from(body).toString();
}

test('a body that was refused for its size can still be returned, up to a bound', async () => {
  const announced = () => sendOn(['ab', 'cd', 'ef'], { 'content-length': '6' });
  assert.equal(await readAfterRefusal(announced(), 6), 'abcdef');
  assert.equal(await readAfterRefusal(announced(), 5), null);
});

test('a refused body without a length is not read to its end', async () => {
  assert.equal(await readAfterRefusal(sendOn(['ab', 'cd', 'e', 'f']), 9), null);
});

test('after a refusal, a client that waits for a 100 does not get one', async () => {
  const request = sendOn(['abcde'], { 'content-length': '5', expect: '100-continue' });
  assert.equal(await readAfterRefusal(request, 9), null);
});
