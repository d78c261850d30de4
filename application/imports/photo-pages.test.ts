import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Response } from 'seeother';
import { bodyText, hiddenFields } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
} from '../testing/create-test-application.ts';
import { createHomeboxZip } from '../testing/exports/homebox.ts';
import { formIn } from '../testing/form-in.ts';
import { makeZip, type ZippedFile } from '../testing/make-zip.ts';
import { PHOTOS } from '../testing/photos.ts';
import { encodeForm } from '../testing/upload-file.ts';

const PAGE = '/items/import';

function photo(path: string): ZippedFile {
  return { path, content: Buffer.concat([PHOTOS.jpeg, Buffer.from(path)]), method: 0 };
}

const toZip = (bytes: Uint8Array<ArrayBuffer>, name = 'photos.zip') =>
  new File([bytes], name, { type: 'application/zip' });
const zipOf = (...files: ZippedFile[]) => toZip(new Uint8Array(makeZip(files)));
const table = (text: string) => new File([text], 'things.csv', { type: 'text/csv' });

async function openImports(t: TestContext) {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const { imports } = application.models;
  const show = async (path: string) => bodyText(await ada.get(path));
  return {
    ...application,
    show,
    async send(files: Readonly<Record<string, File>>, page?: string): Promise<Response> {
      const form = formIn(page ?? (await show(PAGE)), PAGE);
      const { body, type } = await encodeForm({ ...hiddenFields(form), ...files });
      return ada.post(PAGE, body, { headers: { 'content-type': type } });
    },
    async press(path: string, button: 'run' | 'columns') {
      const form = formIn(await show(path), `/${button}`);
      const to = button === 'run' ? `${path}/run` : path;
      return ada.post(to, { here: 'leave', ...hiddenFields(form), ...chosenIn(form) });
    },
    async run(): Promise<void> {
      for (let id = await imports.findWaiting(); id !== null; id = await imports.findWaiting())
        while ((await imports.step(id, 'test')) === 'more');
    },
  };
}

function chosenIn(form: string): Record<string, string> {
  const selects = form.matchAll(
    /<select [^>]*name="((?:columns|places|currency)[^"]*)"[^>]*>([\s\S]*?)<\/select>/g,
  );
  return Object.fromEntries(
    [...selects].map(([, name = '', options = '']) => {
      return [name, /value="([^"]*)" selected/.exec(options)?.[1] ?? ''];
    }),
  );
}

test('the preview says which photos are for which things, and the result what became of them', async (t) => {
  const { send, show, press, run } = await openImports(t);
  assert.match(await show(PAGE), /at most 2 GB\. Each photo has at most 50 MB/);
  const file = table('name,location\nDrill,Cellar\nSaw,Cellar\n');
  const zip = zipOf(photo('Drill.jpg'), photo('Drill-2.jpg'), photo('IMG_7.jpg'));
  const sent = await send({ file, photos: zip });
  const path = headerOf(sent, 'Location') ?? '';
  const preview = await show(path);
  assert.match(preview, /<dt>Photos<\/dt><dd>2<\/dd>/);
  assert.match(preview, /photos\.zip has 2 photos for 1 thing\./);
  assert.match(preview, /1 thing of the table gets none: “Saw”\./);
  assert.match(preview, /1 file: no thing has its name\.<\/p>\s*<p class="details">“IMG_7\.jpg”/);
  assert.match(preview, /<button>Import 2 rows and 2 photos<\/button>/);
  assert.equal((await press(path, 'run')).status, 303);
  await run();
  const result = await show(path);
  assert.match(result, /<dt>Photos added<\/dt><dd>2<\/dd>/);
  assert.match(await show(PAGE), /2 added, 0 changed, 2 photos/);
  assert.match(await show('/items/1'), /Drill\.jpg/);

  // Again, alone.
  const again = headerOf(await send({ photos: zip }), 'Location') ?? '';
  const alone = await show(again);
  assert.doesNotMatch(alone, /New items|Change columns|Nothing new/);
  assert.match(alone, /<button>Import 2 photos<\/button>/);
  await press(again, 'run');
  assert.match(await show(again), /0 of 2 photos imported/);
  await run();
  assert.match(await show(again), /<dt>Photos already here<\/dt><dd>2<\/dd>/);
});

test('a refused zip is told why, and the table stays chosen', async (t) => {
  const { send, show } = await openImports(t);
  const file = table('name\nDrill\n');
  const refused = await send({ file, photos: zipOf(photo('../Drill.jpg')) });
  assert.equal(refused.status, 400);
  const page = bodyText(refused);
  assert.match(page, /“\.\.\/Drill\.jpg” in the zip has a path that leads out of the zip/);
  assert.match(page, /class="file"><input type="hidden" name="file" value="[^"]*things\.csv"/);
  const sent = await send({ photos: zipOf(photo('Drill.jpg')) }, page);
  assert.equal(sent.status, 303);
  assert.match(await show(headerOf(sent, 'Location') ?? ''), /Import 1 row and 1 photo</);
  assert.match(bodyText(await send({})), /Choose a file/);
});

test('the zip of Homebox needs no table, and is imported once', async (t) => {
  const { send, show, press, run, database } = await openImports(t);
  const { zip: bytes, name, things, photos } = createHomeboxZip(40);
  const zip = toZip(new Uint8Array(bytes), name);
  const both = await send({ file: table('name\nDrill\n'), photos: zip });
  assert.match(
    bodyText(both),
    /is an export of Homebox, which has its own table\. Remove the file/,
  );
  const count = [...photos.values()].flat().length;
  const columns = headerOf(await send({ photos: zip }), 'Location') ?? '';
  assert.match(await show(columns), /It looks like an export of <strong>Homebox<\/strong>/);
  const path = headerOf(await press(columns, 'columns'), 'Location') ?? '';
  assert.match(await show(path), /<p>\d files: their things are left out\./);
  assert.match(
    await show(path),
    new RegExp(`<button>Import ${things.length} rows and ${count} photos</button>`),
  );
  await press(path, 'run');
  await run();
  assert.match(await show(path), new RegExp(`<dt>Photos added</dt><dd>${count}</dd>`));
  const first = await database.read
    .selectFrom('item_files')
    .innerJoin('items', 'items.number', 'item_files.item_number')
    .innerJoin('item_sources', 'item_sources.item_number', 'number')
    .select(['source', 'item_files.name'])
    .orderBy('position')
    .execute();
  const byItem = Map.groupBy(first, ({ source }) => source);
  const names = [...byItem].map(([source, own]) => [source, own.map((one) => one.name)] as const);
  assert.deepEqual(new Map(names), photos);

  const again = headerOf(await send({ photos: zip }), 'Location') ?? '';
  await press(again, 'run');
  await run();
  assert.match(await show(again), new RegExp(`already here</dt><dd>${count}</dd>`));
});
