/** Imports with a zip: which photos are attached, once each, and what is told of the others. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createMemoryStores } from 'seeother';
import { createFolder } from 'seeother/files';
import { undoBatch } from '../items/history/undo-batch.ts';
import { EMPTY_ITEM as EMPTY } from '../items/item-fields.ts';
import { makeZip, type ZippedFile } from '../testing/make-zip.ts';
import { ADA, openImport } from '../testing/open-import.ts';
import { createTestFolder, testOnEngines } from '../testing/open-test-database.ts';
import { PHOTOS } from '../testing/photos.ts';
import type { Choice } from './import-step.ts';
import { positionsOf } from './store-plan.ts';
import { sweepZips } from './sweep-zips.ts';

/** Each has other bytes. */
function photo(path: string, mark = path): ZippedFile {
  return { path, content: Buffer.concat([PHOTOS.jpeg, Buffer.from(mark)]), method: 0 };
}

const TABLE = `name,serial number,photo
Drill,AB-1,
Saw,AB-2,front.jpg
Vice,AB-3,
Lamp,AB-4,
`;
const ZIP = makeZip([
  ...['AB-1.jpg', 'AB-1-2.jpg', 'more/front.jpg', 'vice.jpg', 'IMG_1.jpg'].map((path) =>
    photo(path),
  ),
]);

testOnEngines('the photos of a zip are attached to the things of the table, once', async (t) => {
  const { database, files, planPhotos, loadPhotos, confirm, runAll, photos } = await openImport(t);
  const planned = await planPhotos(ZIP, TABLE);
  const { summary = planned.photos } = {};
  assert.deepEqual(
    [summary?.planned, summary?.things, summary?.left, summary?.without, summary?.missing],
    [4, 3, [{ problem: 'no thing has its name', count: 1, paths: ['IMG_1.jpg'] }], ['Lamp'], []],
  );
  await confirm(planned);
  const ended = await runAll(planned);
  assert.deepEqual([ended.state, ended.photos?.added, ended.photos?.failed], ['done', 4, 0]);
  const all = { 1: ['AB-1.jpg', 'AB-1-2.jpg'], 2: ['front.jpg'], 3: ['vice.jpg'] };
  assert.deepEqual(await photos(), all);

  const again = await loadPhotos(ZIP, TABLE);
  assert.deepEqual([again.photos?.added, again.photos?.there, again.done.created], [0, 4, 0]);
  assert.deepEqual(await photos(), all);

  // Undone as the rest of the import, and the zips are gone.
  const zips = await database.read.selectFrom('import_zips').select('file').execute();
  assert.equal(zips.length, 2);
  await database.write((transaction) => undoBatch(transaction, ended.batch ?? 0, ADA));
  const items = await database.read.selectFrom('items').select('number').execute();
  assert.deepEqual(items, []);
  await database.write((transaction) => sweepZips(transaction, files));
  for (const { file } of zips) assert.equal(await files.find(file), null);
});

testOnEngines('a zip alone has photos of things that are here, each with an undo', async (t) => {
  const { database, items, loadPhotos, planPhotos, photos, history, files } = await openImport(t);
  await database.write(async (transaction) => {
    for (const name of ['Drill', 'Saw', 'Saw'])
      await items.create(
        transaction,
        { ...EMPTY, name, serial: name === 'Drill' ? 'S9' : '' },
        ADA,
      );
  });
  const zip = makeZip([
    ...['No. 1/a.jpg', 's9_2.jpg', '3.jpg', 'Saw.jpg', 'drill-3.jpg', '4.jpg'].map((path) =>
      photo(path),
    ),
  ]);
  const { batch, ...ended } = await loadPhotos(zip);
  assert.equal(ended.photos?.added, 4);
  assert.deepEqual(await photos(), { 1: ['drill-3.jpg', 'a.jpg', 's9_2.jpg'], 3: ['3.jpg'] });
  assert.deepEqual(
    ended.photos?.left.map(({ problem, paths }) => `${paths}: ${problem}`),
    ['4.jpg: no thing has its name', 'Saw.jpg: several things have its name'],
  );
  const { events } = await history.ofItem(1, 10);
  assert.deepEqual(
    events.map(({ kind, batch: own }) => [kind, own]),
    Array(3).fill(['files', batch]),
  );
  const undone = await database.write((transaction) => undoBatch(transaction, batch ?? 0, ADA));
  assert.deepEqual([undone.undone, undone.left], [4, []]);
  assert.deepEqual(await photos(), {});
  // What was removed is no photo that the thing has.
  assert.equal((await loadPhotos(zip)).photos?.added, 4);
  // A preview that waits keeps its zip.
  await planPhotos(zip);
  await database.write((transaction) => sweepZips(transaction, files));
  const rows = await database.read.selectFrom('import_zips').select('file').execute();
  assert.equal(rows.length, 1);
});

testOnEngines('a row that repeats another has its photo if it is added all the same', async (t) => {
  const { planPhotos, confirm, runAll, photos } = await openImport(t);
  const zip = makeZip([photo('a.jpg'), photo('b.jpg')]);
  const table = 'name,photo\nDrill,a.jpg\nDrill,b.jpg\n';
  const load = async (here: Choice) => {
    const planned = await planPhotos(zip, table);
    assert.deepEqual([planned.photos?.things, planned.photos?.withoutCount], [1, 0]);
    await confirm(planned, ADA, { here, asked: null });
    assert.equal((await runAll(planned)).photos?.failed, 0);
    return photos();
  };
  // Left out, it has the item of the row that it repeats, also if that is left out.
  for (const _ of [1, 2]) assert.deepEqual(await load('leave'), { 1: ['a.jpg', 'b.jpg'] });
  assert.deepEqual(await load('add'), { 1: ['a.jpg', 'b.jpg'], 2: ['a.jpg'], 3: ['b.jpg'] });
});

testOnEngines('a photo that cannot be added is named, and the others are added', async (t) => {
  const { database, items, planPhotos, confirm, runAll, photos } = await openImport(t);
  await database.write(async (transaction) => {
    for (const name of ['Full', 'Gone', 'Drill'])
      await items.create(transaction, { ...EMPTY, name }, ADA);
  });
  await database.write((transaction) =>
    transaction
      .insertInto('item_files')
      .values(
        Array.from({ length: 100 }, (_, at) => ({
          ...{ id: 1_000 + at, item_number: 1, position: at, kind: 'document' as const },
          ...{ name: `${at}`, type: '', size: 1, sha256: `${at}`, file: `${at}`, added_at: '' },
        })),
      )
      .execute(),
  );
  const large = Buffer.from(PHOTOS.png);
  large.writeUInt32BE(2_000_000, 16);
  const planned = await planPhotos(
    makeZip([
      ...[photo('1.jpg'), photo('2.jpg'), photo('3.jpg'), { ...photo('3-2.jpg'), checksum: 7 }],
      ...[{ path: '3-3.png', content: large }, { path: '3-4.jpg', content: '' }, photo('3-5.jpg')],
      { path: '3-6.jpg', content: 'x', size: 60_000_000 },
    ]),
  );
  assert.deepEqual(
    planned.photos?.left.map(({ problem, paths }) => `${paths}: ${problem}`),
    ['3-4.jpg: it is empty', '3-6.jpg: it has more than 50 MB'],
  );
  await confirm(planned);
  await database.write((transaction) =>
    transaction.deleteFrom('items').where('number', '=', 2).execute(),
  );
  const ended = await runAll(planned);
  assert.deepEqual((await photos())[3], ['3.jpg', '3-5.jpg']);
  assert.deepEqual(
    ended.photos?.problems.map(({ path, problem }) => `${path}: ${problem}`),
    [
      '1.jpg: Item 1 has 100 photos and documents already',
      '2.jpg: Somebody else has deleted item 2 since the preview',
      '3-2.jpg: “3-2.jpg” is damaged in the zip. Make the zip again',
      '3-3.png: 3-3.png has 2,000,000 × 48 pixels. Choose a photo of 50 megapixels or less',
    ],
  );
});

test('without a zip, names of photos are kept in the description', async (t) => {
  const { imports, plan, database, find, confirm, runAll, items } = await openImport(t, 'sqlite');
  const planned = await plan('name,photo\nDrill,a.jpg\n');
  const uses = ['name', 'photos'] as const;
  const file = await imports.planAgain(planned, { uses, places: null, currency: 'EUR' });
  await database.write((transaction) => imports.publishAgain(transaction, file));
  const again = await find(planned.id);
  assert.deepEqual(again.columns.uses, ['name', 'in description']);
  await confirm(again);
  await runAll(again);
  assert.equal((await items.find(1))?.description, 'photo: a.jpg');
});

test('the process that stores a photo keeps the import for as long as that takes', async (t) => {
  const { bytes } = createMemoryStores().files;
  const storing = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  let isSlow = false;
  const opened = await openImport(t, 'sqlite', 'member', {
    ...bytes,
    async write(key, chunks) {
      await bytes.write(key, chunks);
      if (!isSlow) return;
      storing.resolve();
      await end.promise;
    },
  });
  const { database, imports, planPhotos, confirm, photos } = opened;
  const planned = await planPhotos(makeZip([photo('Drill.jpg')]), 'name\nDrill\n');
  await confirm(planned);
  await imports.step(planned.id, 'one');
  isSlow = true;
  t.mock.timers.enable({ apis: ['setInterval'] });
  const step = imports.step(planned.id, 'one');
  await storing.promise;
  // As if the time of the step were almost over.
  const soon = new Date(Date.now() + 1).toISOString();
  await database.write((transaction) =>
    transaction.updateTable('imports').set({ held_until: soon }).execute(),
  );
  await setTimeout(5);
  assert.equal(await imports.findWaiting(), planned.id);
  t.mock.timers.tick(5_000);
  // After the renewal: SQLite has one writer.
  await database.write(async () => {});
  assert.equal(await imports.findWaiting(), null);
  end.resolve();
  await step;
  assert.deepEqual(await photos(), { 1: ['Drill.jpg'] });
});

test('a process keeps nothing of the zip of an import that has ended', async (t) => {
  const { database, loadPhotos, runAll, find } = await openImport(t);
  const ended = await loadPhotos(makeZip([photo('saw.jpg')]), 'name\nSaw\n');
  const { id } = ended;
  // The import goes on, as it never does, with one more photo and without its zip.
  const { plan } = await database.read
    .selectFrom('imports')
    .select('plan')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await database.write(async (transaction) => {
    await transaction.deleteFrom('import_zips').execute();
    await transaction.updateTable('imports').set({ state: 'importing' }).execute();
    await transaction
      .insertInto('import_photos')
      .values({
        ...{ import_id: id, position: positionsOf(plan).first, path: 'saw.jpg' },
        ...{ name: 'saw.jpg', type: 'image/jpeg', line: null, item_number: 1 },
      })
      .execute();
  });
  await runAll(ended);
  assert.deepEqual((await find(id)).photos?.problems, [
    { path: 'saw.jpg', problem: 'The zip is no longer there. Choose it again' },
  ]);
});

testOnEngines(
  'each photo is attached once, whichever processes are killed or try at once',
  async (t) => {
    const folder = join(createTestFolder(t), 'files');
    const opened = await openImport(t, undefined, 'member', createFolder(folder));
    const { database, imports, planPhotos, confirm, find, runAll, photos } = opened;
    const names = Array.from({ length: 12 }, (_, at) => `Thing ${at}`);
    const zip = makeZip(names.map((name) => photo(`${name}.jpg`)));
    const planned = await planPhotos(zip, `name\n${names.join('\n')}\n`);
    await confirm(planned);
    const { id } = planned;
    const args = [
      join(import.meta.dirname, 'photos-until-killed.program.ts'),
      database.url,
      folder,
    ];
    const child = spawn(process.execPath, [...args, String(id), '4'], { stdio: 'inherit' });
    assert.equal((await once(child, 'close'))[1], 'SIGKILL');
    assert.equal((await find(id)).photos?.added, 4);
    await imports.release('killed');
    // Two that both take the import for theirs.
    const run = async (holder: string) => {
      for (;;) {
        const result = await imports.step(id, holder);
        if (result === 'over') return;
        if (result === 'busy') await imports.release(holder === 'one' ? 'two' : 'one');
      }
    };
    await Promise.all([run('one'), run('two')]);
    const ended = await runAll(planned);
    assert.deepEqual([ended.state, ended.photos?.added, ended.photos?.there], ['done', 12, 0]);
    assert.deepEqual(
      await photos(),
      Object.fromEntries(names.map((name, at) => [at + 1, [`${name}.jpg`]])),
    );
  },
);
