import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test, { type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { defineForm, errorsOf } from '../form/define-form.ts';
import { readForm } from '../form/read-form.ts';
import { readBody, streamBody } from '../http/body.ts';
import { text } from '../http/response.ts';
import { createSite } from '../site/create-site.ts';
import { createMemoryStores } from '../site/stores.ts';
import { connectRaw, readAnswers } from '../testing/raw-connection.ts';
import { startServer } from '../testing/start-server.ts';
import { fileField } from '../upload/file-field.ts';
import type { ServeSettings } from './node-server.ts';

const HOST = 'Host: seeother.test\r\n';
const MEGABYTE = 1_048_576;

const form = defineForm({ list: fileField({ label: 'List', maxSize: 32 * MEGABYTE }) });

/** `/slow` reads more slowly than a local client sends. */
function createUploads() {
  return createSite(createMemoryStores(), {
    log: false,
    crossOrigin: false,
    host: false,
    errors: { page: ({ status, message }) => text(`${message}`, status), report: () => {} },
  })
    .post('/slow', async ({ request }) => {
      let size = 0;
      for await (const chunk of streamBody(request) ?? []) {
        await setImmediate();
        size += chunk.byteLength;
      }
      return text(`read ${size}`);
    })
    .post('/text', async ({ request }) => text(`${(await readBody(request, 100)).length}`))
    .post('/upload', readForm(form), ({ validation }) =>
      validation.valid
        ? text(`${validation.values.list?.sha256}`)
        : text(errorsOf(validation)[0]?.message ?? '', 400),
    );
}

function start(t: TestContext, options: Partial<ServeSettings> = {}) {
  const site = createUploads();
  return startServer(t, (request) => site.handle(request), options);
}

const head = (path: string, length: number, more = '') =>
  `POST ${path} HTTP/1.1\r\n${HOST}Content-Length: ${length}\r\n${more}\r\n`;

test('a streamed body is larger than the memory for bodies', async (t) => {
  const { url } = await start(t, { bodiesLimit: MEGABYTE });
  const content = Buffer.alloc(20 * MEGABYTE, 'seeother');
  const data = new FormData();
  data.append('list', new File([content], 'large.bin'));
  const answer = await fetch(`${url}/upload`, { method: 'POST', body: data });
  assert.equal(await answer.text(), createHash('sha256').update(content).digest('hex'));
});

test('a client waits when the reader of its body is slower', async (t) => {
  const { url } = await start(t, { bodiesLimit: 2 * MEGABYTE });
  const connection = await connectRaw(url);
  const length = 30 * MEGABYTE;
  await connection.write(head('/slow', length));
  // Beyond 2 MiB in memory the body would be refused.
  await connection.write(Buffer.alloc(length, 'x'));
  assert.match(await connection.until('read '), new RegExp(`read ${length}`));
});

test('a body must arrive in time, unless it is streamed', async (t) => {
  const { url } = await start(t, { requestTimeout: 100 });
  const streamed = await connectRaw(url);
  await streamed.write(`${head('/slow', 10)}12345`);
  const slow = await connectRaw(url);
  await slow.write(`${head('/text', 10)}12345`);
  const [answer] = readAnswers(await slow.until('408'));
  assert.equal(answer?.status, 408);
  await streamed.write('67890');
  assert.match(await streamed.until('read '), /read 10/);
});

test('a client that leaves in the middle of a file breaks nothing', async (t) => {
  const { url, reported } = await start(t);
  const connection = await connectRaw(url);
  const type = 'Content-Type: multipart/form-data; boundary=x\r\n';
  await connection.write(head('/upload', 1_000_000, type));
  await connection.write(
    '--x\r\nContent-Disposition: form-data; name="list"; filename="a"\r\n\r\nhalf',
  );
  connection.leave();
  const data = new FormData();
  data.append('list', new File(['a'], 'a'));
  assert.equal((await fetch(`${url}/upload`, { method: 'POST', body: data })).status, 200);
  assert.deepEqual(reported, []);
});

test('2 GB that are announced are answered with 413 at once', async (t) => {
  const { url } = await start(t);
  const connection = await connectRaw(url);
  const type = 'Content-Type: multipart/form-data; boundary=x\r\n';
  await connection.write(head('/upload', 2 ** 31, type));
  const [answer] = readAnswers(await connection.until('that this site accepts'));
  assert.equal(answer?.status, 413);
});
