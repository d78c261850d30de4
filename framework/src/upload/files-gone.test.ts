/** Files in a folder that is gone, in one that does not do what it should, and in a store that hangs. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { DatabaseUnavailable } from '../database/database.ts';
import { textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import type { ErrorReport } from '../middleware/error-report.ts';
import { createSite } from '../site/create-site.ts';
import { formPage } from '../site/form-page.ts';
import { createMemoryStores } from '../site/stores.ts';
import { post, request } from '../testing/make-request.ts';
import { startServer } from '../testing/start-server.ts';
import { storedKeys } from '../testing/stored-keys.ts';
import { createTestFolder } from '../testing/test-folder.ts';
import { bodyText, toFormData } from '../testing/visitor.ts';
import { createFolder } from './create-folder.ts';
import { fileField } from './file-field.ts';
import type { FileRecords } from './file-records.ts';
import type { FileStore } from './file-store.ts';
import { Files } from './files.ts';
import { createMemoryFileRecords } from './memory-file-records.ts';
import { sendFile } from './send-file.ts';

const form = defineForm({
  title: textField({ label: 'Title', required: 'Enter a title', maxLength: 20 }),
  list: fileField({ label: 'List', required: 'Choose a file', maxSize: 100_000 }),
});

/** A form that keeps its file, and serves it at `/files/:id`. */
async function openSite(
  t: TestContext,
  {
    records = createMemoryFileRecords(),
    store,
  }: { records?: FileRecords<null>; store?: FileStore },
) {
  const folder = join(createTestFolder(t), 'files');
  const cleaning: string[] = [];
  const files = new Files<null>(store ?? createFolder(folder), records, ({ message, error }) =>
    cleaning.push(`${message} ${error}`),
  );
  const reports: ErrorReport[] = [];
  const kept: string[] = [];
  const errors = { report: (report: ErrorReport) => reports.push(report) };
  const site = formPage(
    createSite({ ...createMemoryStores(), files }, { log: false, crossOrigin: false, errors }).get(
      '/files/:id',
      (context) => sendFile(context, context.params.id),
    ),
    '/',
    form,
    {
      button: 'Send',
      show: ({ formHtml }) => html`${formHtml}`,
      async send({ values, transaction }) {
        kept.push(await values.list.keep(transaction));
        return localPath('/done');
      },
    },
  );
  const send = async (title = 'May', content = 'x'.repeat(1_000)) => {
    const list = new File([content], 'a.csv');
    return site.handle(post('/', toFormData({ title, list })));
  };
  const get = async (id: string, method = 'GET') =>
    site.handle(request(method, `/files/${id}`, null));
  return { site, files, records, folder, kept, reports, cleaning, send, get };
}

test('the first two files at once are both stored', async (t) => {
  const inner = createMemoryFileRecords();
  let isFirst = true;
  // The second one makes the folder while the first one asks whether there were files before.
  const isNew = async () => {
    if (isFirst) {
      isFirst = false;
      assert.equal((await send('June')).status, 303);
    }
    return inner.isNew();
  };
  const { send, kept } = await openSite(t, { records: { ...inner, isNew } });
  assert.equal((await send()).status, 303);
  assert.equal(kept.length, 2);
});

test('a folder whose volume is not mounted stores, serves and removes nothing, until it is back', async (t) => {
  const { files, records, folder, kept, reports, cleaning, send, get } = await openSite(t, {});
  await send();
  await send('');
  const [one = ''] = kept;
  await rename(folder, `${folder}-unmounted`);
  await mkdir(folder);
  await assert.rejects(files.check(), ({ reason }) => {
    assert.match(
      reason,
      /Cannot find the files of the site in .*: it has no files-of-this-site\.txt/,
    );
    return true;
  });
  const answer = await send('June');
  assert.equal(answer.status, 503);
  assert.match(await bodyText(answer), /<dd>June<\/dd>/);
  assert.equal((await get(one)).status, 503);
  assert.match(`${reports.at(-1)?.message}`, /ENOENT/);
  await files.removeExpired(new Date(8.64e15));
  assert.match(
    cleaning[0] ?? '',
    /^Cannot remove 1 of 1 files that have expired\..*Cannot find the files/,
  );
  assert.deepEqual(await readdir(folder), []);
  await rm(folder, { recursive: true });
  await rename(`${folder}-unmounted`, folder);
  assert.equal((await storedKeys(folder)).length, 2);
  await files.removeExpired();
  assert.equal((await storedKeys(folder)).length, 1);
  assert.equal((await send('June')).status, 303);
  assert.equal((await get(one)).status, 200);
  // Another process, after the last file has ended.
  for (const id of kept) await files.remove(id, null);
  await files.removeExpired();
  await rename(folder, `${folder}-unmounted`);
  await assert.rejects(new Files(createFolder(folder), records).check(), { status: 503 });
});

test('a folder that is there already gets its mark, and so does a new one', async (t) => {
  const { folder, send } = await openSite(t, {});
  await mkdir(folder);
  await writeFile(join(folder, randomBytes(32).toString('hex')), 'another');
  assert.equal((await send()).status, 303);
  assert.ok((await readdir(folder)).includes('files-of-this-site.txt'));
  const other = await openSite(t, {});
  await mkdir(other.folder);
  await other.files.check();
  assert.deepEqual(await readdir(other.folder), []);
  assert.equal((await other.send()).status, 303);
});

test('a kept file that is gone or has another size is a 503 with a report, also for HEAD', async (t) => {
  const { site, kept, folder, reports, send, get } = await openSite(t, {});
  await send();
  await send('June', 'y'.repeat(90_000));
  const [id = '', long = ''] = kept;
  const { url } = await startServer(t, (incoming) => site.handle(incoming));
  const [first = '', second = ''] = await storedKeys(folder);
  for (const [key, size] of [
    [first, 10],
    [second, 70_000],
  ] as const)
    await truncate(join(folder, key), size);
  // More than the first chunk of the second one is there, so its answer has begun.
  for (const one of kept) {
    const cut = await fetch(`${url}/files/${one}`)
      .then((answer) => answer.text())
      .catch(() => 'cut');
    assert.match(cut, /cut|cannot be read right now/);
  }
  for (const key of await storedKeys(folder)) await rm(join(folder, key));
  for (const one of [id, long]) {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await get(one, method);
      assert.deepEqual([status, headers['Retry-After']], [503, '60']);
      assert.match(`${reports.at(-1)?.message}`, /ENOENT: no such file/);
    }
  }
  assert.equal((await get('unknown')).status, 404);
});

test('one file that cannot be removed keeps no other one, and is reported and tried again', async (t) => {
  const { files, folder, cleaning, send } = await openSite(t, {});
  for (let count = 0; count < 5; count++) await send('');
  const [stuck = ''] = await storedKeys(folder);
  await rm(join(folder, stuck));
  await mkdir(join(folder, stuck));
  const later = new Date(8.64e15);
  await files.removeExpired(later);
  assert.deepEqual(await storedKeys(folder), [stuck]);
  assert.equal(cleaning.length, 1);
  assert.match(
    cleaning[0] ?? '',
    /^Cannot remove 1 of 5 files that have expired\..*EISDIR|ERR_FS_EISDIR/,
  );
  await rm(join(folder, stuck), { recursive: true });
  await writeFile(join(folder, stuck), '');
  await files.removeExpired();
  assert.deepEqual(await storedKeys(folder), []);
  assert.equal(cleaning.length, 1);
});

test('a form whose file was stored, but not noted because the database went away, is a 503 with everything typed', async (t) => {
  const inner = createMemoryFileRecords();
  let isAway = true;
  const complete: typeof inner.complete = async (...noted) => {
    if (isAway) throw new DatabaseUnavailable('it is gone.');
    await inner.complete(...noted);
  };
  const { send, kept, reports, folder } = await openSite(t, { records: { ...inner, complete } });
  const refused = await send();
  assert.equal(refused.status, 503, `${reports[0]?.error}`);
  assert.match(bodyText(refused), /<dd>May<\/dd>/);
  assert.deepEqual(await storedKeys(folder), []);
  isAway = false;
  assert.equal((await send()).status, 303);
  assert.equal(kept.length, 1);
});

test('a store that hangs is a 503 after half a minute without a byte, and its file is removed when it expires', async (t) => {
  let hangs = true;
  const never = new Promise<never>(() => {});
  const stored = new Map<string, Uint8Array>();
  const store: FileStore = {
    async write(key, chunks) {
      const all: Uint8Array[] = [];
      for await (const chunk of chunks) all.push(chunk);
      stored.set(key, Buffer.concat(all));
      if (hangs) await never;
    },
    async *read(key) {
      if (hangs) await never;
      yield stored.get(key) ?? assert.fail('it is not stored');
    },
    async remove(key) {
      if (hangs) await never;
      stored.delete(key);
    },
  };
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { files, kept, cleaning, send, get } = await openSite(t, { store });
  const afterHalfAMinute = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    for (let turns = 0; turns < 50; turns++) await setImmediate();
    assert.equal(isDone, false);
    t.mock.timers.tick(30_000);
    return done;
  };
  const answer = await afterHalfAMinute(send());
  assert.equal(answer.status, 503);
  assert.match(await bodyText(answer), /<dd>May<\/dd>/);
  assert.equal(stored.size, 1);
  hangs = false;
  await files.removeExpired(new Date(8.64e15));
  assert.equal(stored.size, 0);
  await send();
  hangs = true;
  assert.equal((await afterHalfAMinute(get(kept[0] ?? ''))).status, 503);
  await files.remove(kept[0] ?? '', null);
  await afterHalfAMinute(files.removeExpired());
  assert.match(cleaning[0] ?? '', /^Cannot remove 1 of 1 files/);
});
