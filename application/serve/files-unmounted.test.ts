import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyText, createVisitor } from 'seeother/testing';
import { createTestFolder } from '../testing/open-test-database.ts';
import { reachInstance } from '../testing/reach-instance.ts';
import { startApplication } from '../testing/start-application.ts';
import { uploadFile } from '../testing/upload-file.ts';

test('a service whose volume of files is not mounted says so, refuses files, and goes on when it is back', async (t) => {
  const folder = createTestFolder(t);
  const files = join(folder, 'files');
  const site = await startApplication({
    DATABASE_URL: `sqlite:${join(folder, 'application.db')}`,
    FILES_FOLDER: files,
    SAMPLE_ITEMS: '0',
  });
  t.after(() => site.stop());
  const ada = createVisitor(reachInstance(() => site.url));
  const password = 'correct horse battery';
  await ada.submit('/register', { username: 'ada', password, passwordagain: password });
  const send = () =>
    uploadFile(
      ada,
      '/items/import',
      new File(['name\nDrill\n'], 'drills.csv', { type: 'text/csv' }),
    );
  const until = async (expected: string) => {
    let found = '';
    for (let tries = 0; tries < 200 && found !== expected; tries++) {
      await sleep(20);
      found = bodyText(await ada.get('/readyz'));
    }
    assert.equal(found, expected);
  };
  assert.equal((await send()).status, 303);
  await until('ready\n');
  renameSync(files, `${files}-volume`);
  mkdirSync(files);
  await until('ready, but files cannot be stored\n');
  const refused = await send();
  assert.equal(refused.status, 503);
  assert.match(bodyText(refused), /The file cannot be stored right now/);
  rmSync(files, { recursive: true });
  renameSync(`${files}-volume`, files);
  await until('ready\n');
  assert.equal((await send()).status, 303);
  assert.match(site.output().errors, /Cannot find the files of the site in /);
});
