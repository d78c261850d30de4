/**
 * Forms with files over a socket, from clients that stop in the middle or leave: the answer does not wait for the rest
 * of the body, and the place of the request is free again.
 */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { readForm } from '../form/read-form.ts';
import { text } from '../http/response.ts';
import { limitRequests } from '../middleware/limit-requests.ts';
import { createSite } from '../site/create-site.ts';
import { createMemoryStores } from '../site/stores.ts';
import { connectRaw, readAnswers } from '../testing/raw-connection.ts';
import { startServer } from '../testing/start-server.ts';
import { fileField } from './file-field.ts';

const form = defineForm({
  title: textField({ label: 'Title', maxLength: 100 }),
  list: fileField({ label: 'List', maxSize: 10_000_000 }),
});

/** Bytes of text. */
const LIMIT = 5_000;

const part = (disposition: string, content: string) =>
  `--limit\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
const END = '--limit--\r\n';
const title = (content: string) => part('name="title"', content);
const file = (content: string) => part('name="list"; filename="a.csv"', content);

/** A form that is received for one client at a time. */
async function startSite(t: TestContext) {
  const site = createSite(createMemoryStores(), {
    log: false,
    crossOrigin: false,
    host: false,
    errors: { page: ({ status, message }) => text(`${message}`, status), report: () => {} },
  }).post(
    '/',
    limitRequests({ max: 1 }),
    readForm(form, { limit: LIMIT }),
    ({ validation, status }) =>
      text(validation.valid ? `${validation.values.list?.size} bytes.` : 'invalid.', status),
  );
  const { url } = await startServer(t, (request) => site.handle(request));
  /** Sends the form, of which `more` bytes never come. */
  const send = async (body: string, more = 0) => {
    const connection = await connectRaw(url);
    const head = `POST / HTTP/1.1\r\nHost: seeother.test\r\nContent-Type: multipart/form-data; boundary=limit\r\nContent-Length: ${body.length + more}\r\n\r\n`;
    // A server that has answered may not take all of it.
    connection.write(head + body);
    return connection;
  };
  return {
    send,
    async statusOf(body: string, more = 0) {
      const connection = await send(body, more);
      const [answer] = readAnswers(await connection.until('.'));
      connection.leave();
      return answer?.status;
    },
  };
}

test('a form with too much text, or with a part that fails, is refused before it has arrived', async (t) => {
  const { statusOf } = await startSite(t);
  for (const [status, body] of [
    [413, title('x'.repeat(LIMIT + 1))],
    [413, title('x'.repeat(1_200_000))],
    [413, title('x'.repeat(5_000_000))],
    [413, file('a') + title('x'.repeat(1_200_000)) + file('x'.repeat(1_000_000))],
    [400, part(`name="${'x'.repeat(1_001)}"`, 'x'.repeat(1_000_000))],
    [400, part('name="x"', '').repeat(300) + file('x'.repeat(1_000_000))],
  ] as const) {
    assert.equal(await statusOf(body + END), status, 'a client that sends all of it');
    assert.equal(await statusOf(body, 1_000_000), status, 'a client that waits');
    assert.equal(await statusOf(file('abc') + END), 200);
  }
});

test('a client that leaves in the middle of a form gives its place back', async (t) => {
  const { send, statusOf } = await startSite(t);
  const whole = title('T') + file('x'.repeat(1_000_000)) + END;
  for (const length of [0, 20, 150, 300, 100_000, 1_000_000]) {
    const connection = await send(whole.slice(0, length), whole.length - length);
    // The place is taken.
    while ((await statusOf(file('abc') + END)) === 200);
    connection.leave();
    let status: number | undefined = 503;
    for (let tries = 0; tries < 100 && status === 503; tries++) {
      await sleep(10);
      status = await statusOf(file('abc') + END);
    }
    assert.equal(status, 200, `after ${length} bytes`);
  }
});
