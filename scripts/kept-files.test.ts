/** What a database knows of kept files is where it should be, and goes along with backups and copies. */
import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { startFauxqs } from 'fauxqs';
import { createStores } from 'seeother/database';
import { createFolder } from 'seeother/files';
import {
  createTestFolder,
  ENGINES,
  openTestDatabase,
} from '../application/testing/open-test-database.ts';
import { runScript } from '../application/testing/run-script.ts';
import { runDoctor } from './run-doctor.ts';

for (const { engine, name, skip } of ENGINES) {
  test(`kept files are checked, backed up and copied to a bucket (${name})`, {
    skip,
  }, async (t) => {
    const { url, door } = await openTestDatabase(t, engine);
    const folder = join(createTestFolder(t), 'files');
    const { files } = createStores(door, { fileStore: createFolder(folder) });
    const keys = [];
    for (const name of ['drill.jpg', 'saw.jpg', 'vice.pdf']) {
      const chunks = (async function* () {
        yield Buffer.from(`the bytes of ${name}`);
      })();
      const file = await files.add({ name, type: '' }, chunks);
      const id = await door.write((transaction) => file.keep(transaction));
      keys.push((await files.find(id))?.key ?? '');
    }
    const settings = { DATABASE_URL: url, FILES_FOLDER: folder, PORT: '0' };
    (await runDoctor(settings)).has(/^good {2}kept files: all 3 are whole, by their hash\.$/);

    const server = await startFauxqs({ port: 0, logger: false });
    t.after(() => server.stop());
    const endpoint = `http://127.0.0.1:${server.port}`;
    await fetch(`${endpoint}/files`, { method: 'PUT' });
    const bucket = {
      FILES_URL: `s3://files/things?endpoint=${endpoint}`,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'secret',
    };
    for (let times = 0; times < 2; times++) {
      const copied = await runScript('database', ['files', `file://${folder}`, bucket.FILES_URL], {
        ...settings,
        ...bucket,
      });
      assert.equal(copied.errors, '');
      assert.match(copied.output, /^3 files in .*files were copied to s3:\/\/files\/things\.\n$/);
    }
    (await runDoctor({ ...settings, ...bucket })).has(/^good {2}kept files: all 3 are whole/);

    const [drill, saw] = keys;
    rmSync(join(folder, `${drill}`));
    writeFileSync(join(folder, `${saw}`), 'other bytes');
    const { code, has } = await runDoctor(settings);
    assert.equal(code, 1);
    has(
      /^bad {3}1 file that was kept is missing in .*: "drill\.jpg" \([0-9a-f]{12}…\)\. Copy them from a backup/,
    );
    has(/^bad {3}1 file has other bytes than it had, in .*: "saw\.jpg" \([0-9a-f]{12}…\)\. Copy/);

    const target = join(createTestFolder(t), engine === 'sqlite' ? 'backup.db' : 'copy.db');
    if (engine === 'sqlite') {
      // From the bucket, where they are whole.
      const made = await runScript('backup', [target], { ...settings, ...bucket });
      assert.match(made.output, / and 3 files to .* the copy was checked and is intact\.\n$/);
      assert.deepEqual(
        readdirSync(`${target}.files`).toSorted(),
        [...keys, 'files-of-this-site.txt'].toSorted(),
      );
      const flawed = await runScript('backup', [`${target}2`], settings);
      assert.match(
        flawed.output,
        /2 files to .* intact\. 1 file that was kept is missing in .*"drill\.jpg".* 1 file has other/,
      );
    } else {
      const to = `sqlite:${target}`;
      const whole = await runScript('database', ['copy', url, to], { ...settings, ...bucket });
      assert.match(whole.output, /\n3 files in s3:\/\/files\/things are whole\.\n$/);
      rmSync(target);
      const flawed = await runScript('database', ['copy', url, to], settings);
      assert.equal(flawed.code, 1);
      assert.match(flawed.errors, /^1 file that was kept is missing in /);
    }
  });
}
