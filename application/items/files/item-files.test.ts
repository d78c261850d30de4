import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Response } from 'seeother';
import { bodyText, createVisitor, hiddenFields, type Visitor } from 'seeother/testing';
import { removeExpired } from '../../maintenance/remove-expired.ts';
import {
  createApplicationWithPictures,
  createMember,
  createTestApplication,
  headerOf,
  type TestOptions,
} from '../../testing/create-test-application.ts';
import { endPictureProcesses } from '../../testing/end-picture-processes.ts';
import { formIn } from '../../testing/form-in.ts';
import { repeatOnEngines, testOnEngines } from '../../testing/open-test-database.ts';
import { PHOTOS } from '../../testing/photos.ts';
import { encodeForm } from '../../testing/upload-file.ts';
import { sweepFiles } from './sweep-files.ts';

const photo = (name = 'drill.jpg', bytes: Uint8Array<ArrayBuffer> = PHOTOS.jpeg) =>
  new File([bytes], name, { type: 'image/jpeg' });

/** A member, and an item without files. */
async function openItem(t: TestContext, options: TestOptions = {}) {
  const application = await createApplicationWithPictures(t, options);
  const member = await createMember(application);
  await member.submit('/items/new', { name: 'Drill' });
  const { itemFiles, files: store } = application.models;
  const { pictures, database } = application;
  const visitor = createVisitor(application);
  return {
    ...{ ...application, member, visitor, store },
    add: (...files: File[]) => member.submit('/items/1/files', { files }),
    /** The same, with its pictures. */
    async addMade(...files: File[]) {
      await member.submit('/items/1/files', { files });
      await pictures.run();
    },
    show: async (path: string, who: Visitor = member) => bodyText(await who.get(path)),
    captions: async () =>
      (await itemFiles.ofItem(1)).map(({ name, caption }) => caption || name).join(),
    ids: async () => (await itemFiles.ofItem(1)).map(({ id }) => id),
    rows: () => database.read.selectFrom('item_files').selectAll().orderBy('id').execute(),
    async press(id: number, button: string, more = {}) {
      const path = `/items/1/files/${id}`;
      const form = formIn(bodyText(await member.get(path)), path);
      return member.post(path, { ...hiddenFields(form), ...captionIn(form), button, ...more });
    },
    /** Undoes the newest change; an older one if changes after it are skipped. */
    async undo(skipped = 0) {
      const { id } = await database.read
        .selectFrom('item_events')
        .select('id')
        .orderBy('id', 'desc')
        .offset(skipped)
        .limit(1)
        .executeTakeFirstOrThrow();
      return member.post(`/items/1/history/${id}/undo`, {});
    },
  };
}

const captionIn = (form: string) => ({
  caption: / id="caption"[^>]* value="([^"]*)"/.exec(form)?.[1] ?? '',
});

const sources = (markup: string) =>
  [...markup.matchAll(/<img[^>]* src="([^"]+)"/g)].map(([, src = '']) => src);

repeatOnEngines('a photo is shown without its place, on its page and in the list', async (t) => {
  const { add, member, show, pictures, rows, store } = await openItem(t);
  const answer = await add(photo());
  assert.equal(headerOf(answer, 'Location'), '/items/1');
  assert.match(bodyText(await member.follow(answer)), /1 photo was added\./);
  assert.match(await show('/items/1'), /The picture is being made/);
  assert.match(await show('/items'), /<span class="no-photo"><\/span>Drill/);
  const [sent] = await rows();
  await pictures.run();
  const addresses = [...sources(await show('/items/1')), ...sources(await show('/items'))];
  addresses.push(...sources(await show('/items/1/files/1')));
  assert.equal(addresses.length, 3);
  for (const address of addresses) {
    const { status, headers } = await member.get(address);
    assert.equal(status, 200);
    assert.equal(headers['Content-Type'], 'image/jpeg');
    assert.equal(headers['Cache-Control'], 'private, max-age=31536000, immutable');
  }
  assert.equal((await member.get('/items/1/files/1/constructor')).status, 404);
  assert.match(await show('/items/1'), /alt="Drill" width="48" height="64"/);
  const [made] = await rows();
  assert.notEqual(made?.file, sent?.file);
  assert.equal(await store.find(sent?.file ?? ''), null, 'what was sent is not kept');
  // A page that was shown while a further picture was made shows it afterwards.
  await add(photo('side.heic', PHOTOS.heic));
  assert.equal(sources(await show('/items/1')).length, 1);
  await pictures.run();
  assert.equal(sources(await show('/items/1')).length, 2);
  // A job that is repeated after a crash changes nothing.
  const all = await rows();
  await pictures.run();
  assert.deepEqual(await rows(), all);
});

repeatOnEngines('an item has a hundred files at most, however they come', async (t) => {
  const { add, member, captions, ids, press, undo, show } = await openItem(t);
  const text = (index: number) => new File([`${index % 20}`], `${index}.txt`);
  for (let form = 0; form < 5; form++)
    assert.equal((await add(...Array.from({ length: 20 }, (_, at) => text(at)))).status, 303);
  const refused = await add(text(100));
  assert.equal(refused.status, 409);
  assert.match(bodyText(refused), /can have 100 photos and documents, and has them already/);
  assert.match(bodyText(refused), /100\.txt/);
  const edit = hiddenFields(await show('/items/1/edit'));
  const edited = { ...edit, name: 'Saw', files: [text(100)] };
  assert.equal((await member.submit('/items/1/edit', edited)).status, 409);
  assert.doesNotMatch(await show('/items/1'), /Saw/);

  const [first = 0] = await ids();
  await press(first, 'remove');
  assert.match(bodyText(await add(text(100), text(101))), /Choose 1 or fewer/);
  assert.equal((await add(text(100))).status, 303);
  const undone = await undo(1);
  assert.match(bodyText(undone), /as many photos and documents as it can have/);
  assert.equal((await captions()).split(',').length, 100);
});

repeatOnEngines('each change of the files is in the history, and is undone whole', async (t) => {
  const { addMade, add, captions, ids, member, press, undo, show, rows } = await openItem(t);
  await addMade(photo('a.jpg'), photo('b.jpg', PHOTOS.png));
  const [a = 0, b = 0] = await ids();
  const before = await rows();
  await press(a, 'save', { caption: 'Front' });
  assert.equal(await captions(), 'Front,b.jpg');

  const first = await press(b, 'first');
  assert.equal(await captions(), 'b.jpg,Front');
  const message = formIn(bodyText(await member.follow(first)), '/undo');
  const path = / action="([^"]+)"/.exec(message)?.[1] ?? '';
  assert.equal((await member.post(path, hiddenFields(message))).status, 303);
  assert.equal(await captions(), 'Front,b.jpg');

  await press(a, 'later');
  assert.equal(await captions(), 'b.jpg,Front');
  await undo();

  await press(a, 'remove');
  assert.equal(await captions(), 'b.jpg');
  assert.equal((await undo()).status, 303);
  assert.equal(await captions(), 'Front,b.jpg');

  await press(a, 'save', { caption: 'Back' });
  await undo();
  await press(a, 'save', { caption: '' });
  assert.deepEqual(await rows(), before);

  await add(photo('c.jpg'));
  assert.equal(await captions(), 'a.jpg,b.jpg,c.jpg');
  await undo();
  assert.equal(await captions(), 'a.jpg,b.jpg');
  const history = await show('/items/1/history');
  for (const text of [
    'added 2 photos',
    'described a photo: “Front”',
    'changed the order of the files',
    'removed the photo “Front”',
    'undid a change: added the photo “Front”',
    'undid a change: removed the photo “c.jpg”',
  ])
    assert.ok(history.includes(text), text);
});

test('a change that was changed again since is not undone', async (t) => {
  const { addMade, ids, press, undo, captions } = await openItem(t);
  await addMade(photo());
  const [id = 0] = await ids();
  await press(id, 'save', { caption: 'One' });
  await press(id, 'save', { caption: 'Two' });
  const refused = await undo(1);
  assert.equal(refused.status, 409);
  assert.match(bodyText(refused), /Photos and documents, by ada/);
  assert.equal(await captions(), 'Two');
});

test('a caption that somebody else has changed is overwritten only after a second look', async (t) => {
  const { addMade, member, press, captions } = await openItem(t);
  await addMade(photo());
  const opened = await member.get('/items/1/files/1');
  await press(1, 'save', { caption: 'Theirs' });
  const refused = await member.submit(opened, { caption: 'Mine', button: 'save' });
  assert.equal(refused.status, 409);
  assert.equal(await captions(), 'Theirs');
  const again = formIn(bodyText(refused), '/items/1/files/1');
  const fields = { ...hiddenFields(again), ...captionIn(again), button: 'save' };
  const saved = await member.post('/items/1/files/1', fields);
  assert.equal(saved.status, 303);
  assert.equal(await captions(), 'Mine');
});

repeatOnEngines('an item takes its files to the bin and back', async (t) => {
  const { addMade, member, show, visitor } = await openItem(t);
  await addMade(photo());
  const [address = ''] = sources(await show('/items'));
  await member.submit('/items/new', { name: 'Saw' });
  await member.post('/items/1/delete', {});
  assert.equal((await visitor.get(address)).status, 404);
  assert.equal((await member.get(address)).status, 404);
  await member.post('/items/1/restore', {});
  assert.equal((await visitor.get(address)).status, 200);
  assert.deepEqual(sources(await show('/items')), [address]);
});

testOnEngines('people who add photos and edit at once do not conflict', async (t) => {
  const { add, member, captions } = await openItem(t);
  const edit = await member.get('/items/1/edit');
  const names = Array.from({ length: 8 }, (_, at) => `${at}.jpg`);
  const answers = await Promise.all(names.map((name) => add(photo(name))));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]));
  assert.equal((await captions()).split(',').sort().join(), names.join());
  const edited = await member.submit(edit, { name: 'Hammer', files: [photo('edit.jpg')] });
  assert.equal(edited.status, 303);
  assert.match(await captions(), /,edit\.jpg$/);
});

test('a refused form keeps its photos, also through a log-in in the middle', async (t) => {
  const { member, models, visitor } = await openItem(t);
  const refused = await member.submit('/items/new', { name: '', files: [photo('new.jpg')] });
  assert.equal(refused.status, 400);
  assert.match(bodyText(refused), /new\.jpg/);
  await member.submit(refused, { name: 'New' });
  assert.deepEqual(
    (await models.itemFiles.ofItem(2)).map(({ name }) => name),
    ['new.jpg'],
  );
  const opened = await member.get('/items/1/files');
  await member.post('/logout', {});
  const asked = await member.submit(opened, { files: [photo('later.jpg')] });
  assert.equal(asked.status, 401);
  const draft = await member.follow(
    await member.submit(asked, { username: 'ada', password: 'correct horse battery' }),
  );
  assert.match(bodyText(draft), /later\.jpg/);
  const { body, type } = await encodeForm(hiddenFields(formIn(bodyText(draft), '/items/1/files')));
  const sent = await member.post('/items/1/files', body, { headers: { 'content-type': type } });
  assert.equal(sent.status, 303);
  assert.deepEqual(
    (await models.itemFiles.ofItem(1)).map(({ name }) => name),
    ['later.jpg'],
  );
  assert.equal((await visitor.get('/items/1/files')).status, 303);
});

test('what nobody could show is refused with a sentence, or is only downloaded', async (t) => {
  const { add, addMade, member, rows, visitor, show, pictureReports } = await openItem(t);
  const huge = PHOTOS.png.slice();
  new DataView(huge.buffer).setUint32(16, 60_000);
  new DataView(huge.buffer).setUint32(20, 60_000);
  const refused = await add(photo('huge.png', huge));
  assert.equal(refused.status, 400);
  assert.match(
    bodyText(refused),
    /huge\.png has 60,000 × 60,000 pixels\. Choose a photo of 50 mega/,
  );
  assert.deepEqual(await rows(), []);

  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const page = '<!doctype html><script>alert(1)</script>';
  await addMade(
    photo('torso.jpg', PHOTOS.jpeg.slice(0, 300)),
    new File([script], 'drawing.svg', { type: 'image/svg+xml' }),
    new File([page], 'photo.jpg', { type: 'image/jpeg' }),
    new File(['%PDF-1.7'], 'manual.pdf', { type: 'application/pdf' }),
    photo('both.jpg', Buffer.concat([PHOTOS.jpeg, Buffer.from(page)]) as never),
  );
  const kinds = (await rows()).map(({ name, kind }) => `${name} ${kind}`);
  assert.deepEqual(kinds, [
    'torso.jpg failed',
    'drawing.svg document',
    'photo.jpg document',
    'manual.pdf document',
    'both.jpg photo',
  ]);
  assert.match(pictureReports.join(), /No picture can be made of the file 1 of item 1/);
  for (const { id, sha256, kind, kept_hash, page_hash, list_hash } of await rows()) {
    const path = `/items/1/files/${id}`;
    const answer = await member.get(`${path}/${sha256}`);
    if (kind === 'photo') {
      assert.equal(answer.status, 404, 'what was sent is not served');
      for (const hash of [kept_hash, page_hash, list_hash]) {
        const { headers } = await member.get(`${path}/${hash}`);
        assert.equal(headers['Content-Type'], 'image/jpeg');
        assert.match(headerOf({ headers } as Response, 'Content-Disposition') ?? '', /^inline/);
      }
      continue;
    }
    assert.equal(answer.status, 200);
    assert.match(headerOf(answer, 'Content-Disposition') ?? '', /^attachment/);
    // It may have the place where it was taken.
    assert.equal((await visitor.get(`${path}/${sha256}`)).status, kind === 'failed' ? 404 : 200);
  }
  assert.match(await show('/items/1'), /manual\.pdf<\/a> <span class="details">PDF, 8 bytes</);
  assert.match(await show('/items/1'), /torso\.jpg/);
  assert.doesNotMatch(await show('/items/1', visitor), /torso\.jpg/);
});

test('who may not read the item gets what the page of the item would give', async (t) => {
  const { addMade, show, visitor, member } = await openItem(t, {
    environment: { READERS: 'members' },
  });
  await addMade(photo());
  const [address = ''] = sources(await show('/items'));
  assert.equal((await member.get(address)).status, 200);
  const answer = await visitor.get(address);
  assert.equal(answer.status, 303);
  assert.match(headerOf(answer, 'Location') ?? '', /^\/login/);
  assert.equal((await visitor.get('/items/1/files/1')).status, 303);
  assert.equal((await member.get(address.replace(/.$/, '_'))).status, 404);
  assert.equal((await member.get(address.replace('/1/', '/2/'))).status, 404);
});

test('with KEEP_ORIGINALS what was sent is there for members, and for nobody else', async (t) => {
  const { addMade, member, show, visitor } = await openItem(t, {
    environment: { KEEP_ORIGINALS: '1' },
  });
  await addMade(photo());
  assert.match(await show('/items/1/files/1'), /Download the original/);
  const answer = await member.get('/items/1/files/1/original');
  assert.equal(answer.status, 200);
  assert.equal(headerOf(answer, 'Content-Length'), String(PHOTOS.jpeg.length));
  assert.notEqual((await visitor.get('/items/1/files/1/original')).status, 200);
  assert.doesNotMatch(await show('/items/1/files/1', visitor), /original/);
});

repeatOnEngines(
  'what was removed goes with the bin, or at once if an administrator removes it',
  async (t) => {
    const site = await openItem(t);
    const { addMade, database, press, rows, show, store } = site;
    await addMade(photo('first.jpg'), photo('second.jpg', PHOTOS.webp));
    await press(2, 'save', { caption: 'A secret' });
    await press(1, 'remove');
    const all = await rows();
    const stored = all.flatMap((row) => [row.file, row.page_file, row.list_file]);
    const sweep = () => database.write((transaction) => sweepFiles(transaction, store));
    const left = async () =>
      (await Promise.all(stored.map((id) => store.find(id ?? '')))).map((one) => one !== null);

    const days = (count: number) => new Date(Date.now() + count * 86_400_000);
    const expire = (at: Date) => database.write((transaction) => removeExpired(transaction, at));
    for (const day of [0, 1, 29, 30]) await expire(days(day));
    await sweep();
    assert.deepEqual(await left(), [true, true, true, true, true, true], 'it can still be undone');
    for (const day of [31, 32]) await expire(days(day));
    await sweep();
    assert.deepEqual(await left(), [false, false, false, true, true, true]);

    // All sessions have expired meanwhile.
    const member = await createMember(site);
    const { id } = await database.read
      .selectFrom('item_events')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirstOrThrow();
    assert.equal((await member.post(`/items/1/history/${id}/undo`, {})).status, 409);

    assert.equal((await member.submit('/items/1/files/2/remove', {})).status, 303);
    assert.equal((await member.get('/items/1/files/2')).status, 404);
    assert.doesNotMatch(await show('/items/1/history', member), /A secret|second\.jpg/);
    await sweep();
    assert.deepEqual(
      await left(),
      stored.map(() => false),
    );
    assert.deepEqual(await rows(), []);
  },
);

test('a photo whose process is ended from outside is tried again, and is a document the third time', async (t) => {
  const { addMade, pictures, rows } = await openItem(t);
  const kinds = async () => (await rows()).map(({ kind }) => kind);
  const later = (minutes: number) => pictures.run(new Date(Date.now() + minutes * 60_000));
  const stop = endPictureProcesses(t, 'SIGKILL');
  await addMade(photo());
  for (const minutes of [10, 20]) {
    assert.deepEqual(await kinds(), ['waiting']);
    await later(minutes);
  }
  assert.deepEqual(await kinds(), ['failed']);
  await addMade(photo());
  assert.deepEqual(await kinds(), ['failed', 'waiting']);
  stop();
  await later(30);
  assert.deepEqual(await kinds(), ['failed', 'photo']);
});

test('without the libraries photos are taken, and are not shown', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  await member.submit('/items/new', { name: 'Drill', files: [photo()] });
  const [file] = await application.models.itemFiles.ofItem(1);
  assert.equal(file?.kind, 'failed');
  assert.match(bodyText(await member.get('/items/1')), /JPG, 561 bytes, cannot be shown/);
});
