/** The picture of a place: added, replaced, removed and undone, through the real router. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { sql } from 'kysely';
import { bodyText, createVisitor, hiddenFields } from 'seeother/testing';
import { nextNumber } from '../../database/counter.ts';
import { removeExpired } from '../../maintenance/remove-expired.ts';
import {
  createApplicationWithPictures,
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
} from '../../testing/create-test-application.ts';
import { formIn } from '../../testing/form-in.ts';
import { addItem, openAnother, testOnEngines } from '../../testing/open-test-database.ts';
import { PHOTOS } from '../../testing/photos.ts';
import { addFiles } from '../files/change-files.ts';
import { sweepFiles } from '../files/sweep-files.ts';
import { changePicture } from './place-picture.ts';

const photo = (bytes: Uint8Array<ArrayBuffer> = PHOTOS.jpeg) =>
  new File([bytes], 'shelf.jpg', { type: 'image/jpeg' });

const PATH = '/places/1/picture';

/** A member, and the place 1, “Shed”. Pictures wait, unless the test is about them. */
async function openPlace(t: TestContext, { isMade = false } = {}) {
  const made = isMade ? await createApplicationWithPictures(t) : null;
  const waiting = { pictures: { makeLater: async () => {} } };
  const application = made ?? (await createTestApplication(t, waiting));
  const { database, models } = application;
  const member = await createMember(application);
  await addItem(database, { name: 'Drill', location: 'Shed' });
  const show = async (path = '/places/1') => bodyText(await member.get(path));
  return {
    ...{ application, database, member, show, store: models.files },
    /** Resolves to the page that follows. */
    async save(file: File | null, more: Record<string, string> = {}) {
      const files = file === null ? {} : { picture: file };
      const answer = await member.submit(PATH, { button: 'save', ...files, ...more });
      await made?.pictures.run();
      return { answer, page: bodyText(await member.follow(answer)) };
    },
    async undo(page: string) {
      const undo = formIn(page, '/undo');
      const [, path = ''] = /action="([^"]*)"/.exec(undo) ?? [];
      const answer = await member.post(path, hiddenFields(undo));
      return { answer, page: bodyText(await member.follow(answer)) };
    },
    current: async () => (await models.places.find(1))?.pictureId ?? null,
    src: async () => /<img src="(\/places\/1\/picture\/\w+)"/.exec(await show())?.[1] ?? null,
    files: () => database.read.selectFrom('item_files').selectAll().orderBy('id').execute(),
    pdfOf: async (path: string) =>
      Buffer.from((await member.get(path)).body as Uint8Array).toString('latin1'),
    bytesOf: async (path: string) => {
      const { status, headers, body } = await member.get(path);
      const chunks = await Array.fromAsync(body as AsyncIterable<Uint8Array>);
      return { status, headers, text: Buffer.concat(chunks).toString('latin1') };
    },
  };
}

testOnEngines(
  'a place has one picture, without its place, and each change of it is undone',
  async (t) => {
    const { save, show, src, undo, files, bytesOf, pdfOf, store } = await openPlace(t, {
      isMade: true,
    });
    assert.match(await show(), /<a href="\/places\/1\/picture">Add a picture</);
    const added = await save(photo());
    assert.equal(headerOf(added.answer, 'Location'), '/places/1');
    assert.match(added.page, /The picture was saved\./);
    const first = (await src()) ?? assert.fail();
    const { status, headers, text } = await bytesOf(first);
    assert.equal(status, 200);
    assert.equal(headers['Content-Type'], 'image/jpeg');
    assert.equal(headers['Cache-Control'], 'private, max-age=31536000, immutable');
    assert.doesNotMatch(text, /secret|Exif/);
    assert.match(await show(), /alt="Shed" width="48" height="64"/);

    const labels = '/items/labels/labels.pdf?places=1&sheet=l7160&texts=picture';
    assert.match(await pdfOf(labels), /Subtype \/Image/);

    const replaced = await save(photo(PHOTOS.webp));
    const second = (await src()) ?? assert.fail();
    assert.notEqual(second, first);
    await undo(replaced.page);
    assert.equal(await src(), first);
    const removed = await save(null, { button: 'remove' });
    assert.match(removed.page, /The picture was removed\./);
    assert.equal(await src(), null);
    const back = await undo(removed.page);
    assert.match(back.page, /1 change was undone\./);
    assert.equal(await src(), first);
    // Of the addition, which was changed since.
    assert.equal((await undo(added.page)).answer.status, 303);
    assert.equal(await src(), null);
    assert.match(
      await show(),
      /removed the picture of the place “Shed”[\s\S]*replaced the picture of the place “Shed”/,
    );
    const [one, other, ...none] = await files();
    assert.equal(none.length, 0);
    for (const row of [one, other]) assert.notEqual(row?.removed_at ?? null, null);
    assert.ok(await store.find(one?.page_file ?? ''));
  },
);

testOnEngines(
  'the undo of a picture overwrites no newer one, and renames do not matter',
  async (t) => {
    const { save, undo, src, member } = await openPlace(t);
    const added = await save(photo());
    await member.submit('/places/1/edit', { name: 'Cabin', inside: '' });
    await save(photo(PHOTOS.png));
    const newer = await src();
    assert.equal((await undo(added.page)).answer.status, 409);
    assert.equal(await src(), newer);
    const changes = bodyText(await member.get('/places/1'));
    assert.match(changes, /replaced the picture of the place “Cabin”/);
    assert.match(changes, /added a picture to the place “Shed”/);
  },
);

test('of two who replace the picture at once, the second one is asked', async (t) => {
  const { application, save, current } = await openPlace(t);
  await save(photo());
  const other = await createMember(application, 'grace');
  const page = await other.get(PATH);
  await save(photo(PHOTOS.webp));
  const seen = await current();
  const refused = await other.submit(page, { button: 'save', picture: photo(PHOTOS.png) });
  assert.equal(refused.status, 409);
  assert.match(bodyText(refused), /The picture was changed meanwhile/);
  assert.match(bodyText(refused), /shelf\.jpg/);
  assert.equal(await current(), seen);
  assert.equal((await other.submit(refused, { button: 'save' })).status, 303);
  assert.notEqual(await current(), seen);
});

testOnEngines('files of places and of items lock in one order', async (t) => {
  const { database } = await openPlace(t);
  if (database.engine === 'sqlite') return;
  const names = ['item events', 'item files'] as const;
  await database.write(async (one) => {
    for (const name of names) await nextNumber(one, name);
  });
  const other = await openAnother(t, database);
  const locked: string[][] = [];
  const sent = {
    ...{ name: 'shelf.txt', type: 'text/plain', size: 1, sha256: 'a'.repeat(64) },
    ...{ chunks: () => assert.fail(), saveTo: () => assert.fail() },
    async keep() {
      const { rows } = await other.write((one) =>
        sql<{ name: string }>`select name from counters for update skip locked`.execute(one),
      );
      locked.push(names.filter((one) => !rows.some((row) => row.name === one)));
      return 'kept';
    },
  };
  const picturing = { id: 1, was: null, sent, makeLater: null };
  await database.write((one) => changePicture(one, picturing, 1));
  await database.write((one) => addFiles(one, 1, [sent], { author: 1, makeLater: null }));
  assert.deepEqual(locked, [['item events'], ['item events']]);
});

test('what is no photo is refused, and a refused form keeps its photo', async (t) => {
  const { save, member, current, application } = await openPlace(t);
  for (const [file, message] of [
    [null, /<a href="#picture">Choose a photo</],
    [photo(new TextEncoder().encode('%PDF-1.7')), /Choose a photo: a JPEG, PNG, WebP or HEIC file/],
  ] as const) {
    const { answer, page } = await save(file);
    assert.equal(answer.status, 400);
    assert.match(page, message);
  }
  const form = await member.get(PATH);
  await member.post('/logout');
  const unknown = await member.submit(form, { button: 'save', picture: photo() });
  assert.equal(unknown.status, 401);
  assert.match(bodyText(unknown), /shelf\.jpg/);
  const visitor = createVisitor(application);
  assert.equal((await visitor.get(PATH)).status, 303);
  assert.equal(await current(), null);
});

test('who may read the place may read its picture, and nobody else', async (t) => {
  const { application, save, src, member } = await openPlace(t, { isMade: true });
  await save(photo());
  const path = (await src()) ?? assert.fail();
  const visitor = createVisitor(application);
  assert.equal((await visitor.get(path)).status, 200);
  assert.equal((await visitor.get(path.replace(/\w{8}$/, '00000000'))).status, 404);
  assert.equal((await visitor.get('/places/1/picture/constructor')).status, 404);
  assert.equal((await visitor.get(path.replace('/places/1/', '/places/2/'))).status, 404);
  // Nothing is in it now, so only members know of it.
  await member.submit('/items/1/edit', { name: 'Drill', quantity: '1', location: 'Office' });
  assert.equal((await visitor.get(path)).status, 404);
  assert.equal((await member.get(path)).status, 200);
  const closed = await createTestApplication(t, {
    database: application.database,
    environment: { READERS: 'members' },
  });
  assert.notEqual((await createVisitor(closed).get(path)).status, 200);
});

testOnEngines('a picture ends 30 days after it was replaced, and with its place', async (t) => {
  const { save, database, files, store, undo, member } = await openPlace(t);
  await save(photo());
  const replaced = await save(photo(PHOTOS.png));
  const [first, second] = await files();
  const day = 86_400_000;
  const sweep = async (days: number) => {
    const at = new Date(Date.now() + days * day);
    for (const later of [0, day])
      await database.write((one) => removeExpired(one, new Date(at.getTime() + later)));
    await database.write((one) => sweepFiles(one, store));
    // Sessions have ended, too.
    await member.submit('/login', { username: 'ada', password: PASSWORD });
  };
  await sweep(20);
  assert.equal((await files()).length, 2);
  await sweep(40);
  assert.deepEqual(
    (await files()).map(({ id }) => id),
    [second?.id],
  );
  assert.equal(await store.find(first?.file ?? ''), null);
  assert.equal((await undo(replaced.page)).answer.status, 409);
  assert.ok(await store.find(second?.file ?? ''));
  const remove = formIn(bodyText(await member.get('/items/1')), '/delete');
  await member.post('/items/1/delete', hiddenFields(remove));
  const forEver = await member.submit('/items/1/remove', { confirm: 'on', reason: '' });
  assert.equal(forEver.status, 303);
  await database.write((one) => sweepFiles(one, store));
  assert.deepEqual(await files(), []);
  assert.equal(await store.find(second?.file ?? ''), null);
});
