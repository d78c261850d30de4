/**
 * A disk without space: pages are served, and say what could not be saved and why. Everything continues by itself
 * once there is space. The disk is a small one in memory, which only root can mount.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeFields, hiddenFields } from 'seeother/testing';
import { formIn } from '../application/testing/form-in.ts';
import { startApplication } from '../application/testing/start-application.ts';
import { encodeForm } from '../application/testing/upload-file.ts';
import { FORM, logIn } from './send-forms.ts';

const ROWS = 20_000;
/** Enough for the database and its log, however late the log is carried over. */
const MEGABYTES = 120;
/** Milliseconds. */
const LIMIT = 120_000;
const CSV = `name\n${Array.from({ length: ROWS }, (_, at) => `Thing ${at} of the import\n`).join('')}`;
const skip =
  (process.platform !== 'linux' || process.getuid?.() !== 0) && 'Only root mounts a disk.';

/** Takes all space that is left. */
function fill(path: string): void {
  const descriptor = openSync(path, 'w');
  try {
    for (let size = 1_048_576; size > 0; ) {
      try {
        writeSync(descriptor, Buffer.alloc(size));
      } catch {
        size = Math.floor(size / 2);
      }
    }
  } finally {
    closeSync(descriptor);
  }
}

test('on a full disk an import waits and says why, forms say that nothing was saved, and all goes on with space', {
  skip,
  timeout: 4 * LIMIT,
}, async (t) => {
  const disk = mkdtempSync(join(tmpdir(), 'seeother-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m`, 'tmpfs', disk]);
  assert.equal(mounted.status, 0, String(mounted.stderr));
  const url = `sqlite:${join(disk, 'application.db')}`;
  const site = await startApplication({ SAMPLE_ITEMS: '0', DATABASE_URL: url });
  t.after(async () => {
    await site.stop();
    spawnSync('umount', [disk]);
    rmSync(disk, { recursive: true });
  });
  const cookie = await logIn(site.url);
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { cookie, accept: 'text/html', ...(init.headers as Record<string, string>) };
    const answer = await fetch(site.url + path, { redirect: 'manual', ...init, headers });
    const location = answer.headers.get('location') ?? '';
    return { status: answer.status, location, body: await answer.text() };
  };
  const send = (path: string, fields: Parameters<typeof encodeFields>[0]) =>
    ask(path, { method: 'POST', headers: { 'content-type': FORM }, body: encodeFields(fields) });
  const until = async (path: string, expected: RegExp) => {
    for (const end = Date.now() + LIMIT; ; await sleep(100)) {
      const { body } = await ask(path);
      if (expected.test(body)) return;
      assert.ok(Date.now() < end, `the page does not say ${expected}: ${body}`);
    }
  };
  const linesWith = (text: string) =>
    site
      .output()
      .errors.split('\n')
      .filter((line) => line.includes(`"message":"${text}`));

  const file = new File([CSV], 'things.csv', { type: 'text/csv' });
  const { body, type } = await encodeForm({ file, _once: 'upload' });
  const headers = { 'content-type': type };
  const { location } = await ask('/items/import', { method: 'POST', headers, body });
  const preview = formIn((await ask(location)).body, '/run');
  assert.equal((await send(`${location}/run`, hiddenFields(preview))).status, 303);
  fill(join(disk, 'ballast'));

  await until(
    location,
    /The import waits: the server can&#8217;t save anything, because its disk is full\./,
  );
  const form = (at: number) => ({
    name: `Drill ${at}`,
    description: 'x'.repeat(9_999),
    _once: `drill-${at}`,
  });
  let last = 0;
  // A small write may find room where a step of the import does not.
  let refused = await send('/items', form(last));
  while (refused.status === 303) refused = await send('/items', form(++last));
  assert.equal(refused.status, 503);
  assert.match(refused.body, /We could not save this: the server&#8217;s disk is full\./);
  assert.match(refused.body, /Nothing was saved or changed\./);
  assert.doesNotMatch(refused.body, /database right now|lost the connection/);
  const ready = await ask('/readyz');
  assert.deepEqual([ready.status, ready.body], [200, 'ready, but writes fail: the disk is full\n']);
  assert.equal(linesWith('Writes fail: the disk is full').length, 1);

  rmSync(join(disk, 'ballast'));
  await until(location, /things\.csv was imported/);
  assert.equal((await send('/items', form(last))).status, 303);
  // Not before ten seconds without a failure.
  for (; (await ask('/readyz')).body !== 'ready\n'; await sleep(1_000))
    await send('/items', form(++last));
  assert.equal(linesWith('Writes succeed again').length, 1);
  assert.equal(linesWith('Writes fail').length, 1);
});
