/**
 * Forms with files while a file cannot be stored: nothing typed is lost, and the form counts once when all is well
 * again.
 */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { createSite, defineForm, formPage, html, localPath } from 'seeother';
import { createStores, type Database } from 'seeother/database';
import { fileField, textField } from 'seeother/fields';
import { createFolder, type FileStore } from 'seeother/files';
import { openPostgres, parsePostgresUrl } from 'seeother/postgres';
import { openSqlite } from 'seeother/sqlite';
import { stepPages, steps } from 'seeother/steps';
import { bodyText, createVisitor } from 'seeother/testing';
import { fileOf } from '../testing/create-test-database.ts';
import { createBareDatabase } from '../testing/open-bare-database.ts';
import { createTestFolder, ENGINES } from '../testing/open-test-database.ts';
import { encodeForm } from '../testing/upload-file.ts';

/** Breaks what stores files; resolves to what repairs it. */
type Break = () => Promise<() => Promise<void>>;

interface Place {
  readonly fileStore: FileStore;
  readonly stop: Break;
}

/** Another instance keeps the lock of all writes, or of the records of files. */
function lock(other: Database): Break {
  return async () => {
    const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = other.write(async ({ run }) => {
      if (other.engine === 'postgres') await run('lock table seeother_files');
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    return async () => {
      released.resolve();
      await holding;
    };
  };
}

/** The path is that of a file, as nothing can be stored in. */
function replaceFolder(t: TestContext): Place {
  const path = join(createTestFolder(t), 'files');
  return {
    fileStore: createFolder(path),
    async stop() {
      mkdirSync(path, { recursive: true });
      renameSync(path, `${path}.away`);
      writeFileSync(path, '');
      return async () => {
        rmSync(path);
        renameSync(`${path}.away`, path);
      };
    },
  };
}

const fields = {
  title: textField({ label: 'Title', required: 'Enter a title', maxLength: 80 }),
  photo: fileField({ label: 'Photo', required: 'Choose a photo', maxSize: 1_000_000 }),
  note: textField({ label: 'Note', maxLength: 80 }),
};

/** The pages of a form, and of a step. */
const PAGES = ['/form', '/steps'] as const;

function createForms(database: Database, fileStore: FileStore, kept: string[]) {
  const stores = createStores(database, { fileStore });
  const site = createSite(stores, { log: false, errors: { report: () => {} } });
  const form = defineForm(fields);
  formPage(site, PAGES[0], form, {
    button: 'Send',
    show: ({ formHtml }) => html`${formHtml}`,
    async send({ values, transaction }) {
      kept.push(await values.photo.keep(transaction));
      return localPath('/done');
    },
  });
  stepPages(site, PAGES[1], steps().step('first', defineForm(fields), { title: 'First' }), {
    button: 'Send',
    show: ({ formHtml }) => html`${formHtml}`,
    send: () => localPath('/done'),
  });
  return { site, stores };
}

for (const { engine, name, skip } of ENGINES) {
  const open = async (url: string, timeout: number) =>
    engine === 'sqlite'
      ? await openSqlite(fileOf(url), { timeout })
      : await openPostgres(parsePostgresUrl(url), { timeout });

  for (const what of ['a locked database', 'a folder that is gone']) {
    test(`${what}: a form with a file gets a 503 with its text, and counts once afterwards (${name})`, {
      skip,
    }, async (t) => {
      const { url, open: openPatient } = await createBareDatabase(t, engine);
      const other = await openPatient();
      // Only a lock is waited for. On a busy machine, a statement may take longer than a short limit.
      const database = await open(url, what.includes('database') ? 1_000 : 10_000);
      const place = replaceFolder(t);
      const kept: string[] = [];
      const { site, stores } = createForms(database, place.fileStore, kept);
      t.after(() => database.close());
      await stores.files.records.parked();
      const visitor = createVisitor(site);
      const stop = what.includes('database') ? lock(other) : place.stop;
      for (const path of PAGES) {
        const photo = new File(['x'.repeat(300_000)], 'drill.jpg');
        const parts = { title: 'Drill <2>', photo, note: 'after it', _once: path };
        const send = async () => {
          const { body, type } = await encodeForm(parts);
          const headers = { 'content-type': type };
          return visitor.post(path, body, { headers });
        };
        const repair = await stop();
        const refused = await send().finally(repair);
        const page = bodyText(refused);
        assert.equal(refused.status, 503, page);
        assert.match(page, /<dd>Drill &lt;2&gt;<\/dd>/);
        assert.match(page, /<dd>drill\.jpg<\/dd>/);
        assert.match(page, /<dd>after it<\/dd>/);
        assert.equal((await send()).status, 303);
        assert.equal((await send()).status, 303);
      }
      assert.equal(kept.length, 1);
      await stores.files.removeExpired(new Date(8.64e15));
    });
  }
}
