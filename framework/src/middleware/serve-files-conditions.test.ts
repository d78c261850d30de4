/** Conditional requests, sent byte for byte over a connection. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { createRouter } from '../router/router.ts';
import { exchange, readAnswers } from '../testing/raw-connection.ts';
import { startServer } from '../testing/start-server.ts';
import { loadFiles, serveFiles } from './serve-files.ts';

const STYLES = 'body { color: black }';

test('the conditions of a raw request are evaluated, and Range is ignored', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'conditions-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'styles.css'), STYLES);
  const time = Date.UTC(2020, 10, 20, 18, 2, 11) / 1000;
  utimesSync(join(folder, 'styles.css'), time, time);
  const router = createRouter().use(serveFiles(loadFiles(folder)));
  const { url } = await startServer(t, (request) => router.handle(request));
  const ask = async (header: string) => {
    const head = `GET /styles.css HTTP/1.1\r\nHost: seeother.test\r\nConnection: close\r\n`;
    const [answer] = readAnswers(await exchange(url, `${head}${header}\r\n\r\n`));
    return answer;
  };
  const tag = (await ask('Accept: */*'))?.header('ETag');
  const statuses = {
    'If-Modified-Since: Fri, 20 Nov 2020 18:02:11 GMT': 304,
    'If-Modified-Since: Friday, 20-Nov-20 18:02:11 GMT': 304,
    'If-Modified-Since: Fri Nov 20 18:02:11 2020': 304,
    'If-Unmodified-Since: Fri Nov 20 18:02:10 2020': 412,
    'If-Match: "other"': 412,
    [`If-Match: ${tag}`]: 200,
    [`If-None-Match: junk ${tag}`]: 200,
    [`If-None-Match: "other"\r\nIf-None-Match: ${tag}`]: 304,
    'Range: bytes=0-1': 200,
  };
  for (const [header, status] of Object.entries(statuses)) {
    const answer = await ask(header);
    assert.equal(answer?.status, status, header);
    if (status === 200) assert.equal(answer?.body, STYLES);
  }
});
