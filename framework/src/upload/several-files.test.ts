/** A field with several files on a whole site: what stays of them when a form is refused, and what they count for. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import type { Middleware } from '../chain/context.ts';
import { checkboxField, textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { rows } from '../form/field-set.ts';
import { fromColumns, type RecordValues, textsOf, toColumns } from '../form/form-record.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { HttpError } from '../http/http-error.ts';
import { type Response, seeOther, withSession } from '../http/response.ts';
import { requireSession } from '../session/require-session.ts';
import { startSession } from '../session/session-change.ts';
import { createSite } from '../site/create-site.ts';
import { formPage } from '../site/form-page.ts';
import { createMemoryStores, type SiteForms, type Stores } from '../site/stores.ts';
import { stepPages } from '../steps/step-pages.ts';
import { steps } from '../steps/steps.ts';
import { storedKeys } from '../testing/stored-keys.ts';
import { createTestFolder } from '../testing/test-folder.ts';
import { bodyText, createVisitor, toFormData } from '../testing/visitor.ts';
import { createFolder } from './create-folder.ts';
import { filesField } from './file-field.ts';
import { Files } from './files.ts';
import { keepFiles } from './keep-files.ts';
import { createMemoryFileRecords } from './memory-file-records.ts';
import type { UploadedFile } from './uploaded-file.ts';

const photos = filesField({ label: 'Photos', maxFiles: 3, maxSize: 100 });
const form = defineForm({
  title: textField({ label: 'Title', required: 'Enter a title', maxLength: 80 }),
  photos,
  scans: filesField({
    label: 'Scans',
    maxFiles: 2,
    maxSize: 100,
    types: ['application/pdf'],
    capture: 'environment',
  }),
  rooms: rows({
    label: 'Rooms',
    name: 'Room',
    max: 2,
    default: 0,
    fields: { photos: filesField({ label: 'Photos', maxFiles: 2, maxSize: 100 }) },
  }),
});
const show = ({ formHtml }: { readonly formHtml: unknown }) =>
  html`<main>${formHtml as never}</main>`;

/** `/things` for users, `/open` for everybody; `log` has the names of the files of each form that was carried out. */
function openSite(t: TestContext, uploads: SiteForms['uploads'] = {}) {
  const folder = join(createTestFolder(t), 'files');
  const files = new Files<null>(createFolder(folder), createMemoryFileRecords());
  const stores = { ...createMemoryStores(), files } as unknown as Stores<unknown>;
  const log: string[][] = [];
  const send = async ({ values, transaction }: Sent) => {
    const all = [...values.photos, ...values.scans, ...values.rooms.flatMap((one) => one.photos)];
    for (const file of all) await file.keep(transaction);
    return localPath(`/${log.push(all.map(({ name }) => name))}`);
  };
  const options = { log: false, crossOrigin: false, forms: { uploads } } as const;
  const site = createSite(stores, { ...options, errors: { report: () => {} } });
  site.post('/log-in/:name', ({ params: { name } }) =>
    withSession(seeOther(localPath('/')), startSession({ id: name, name })),
  );
  formPage(site, '/open', form, { button: 'Send', show, send });
  formPage(site, '/things', form, { button: 'Send', middleware: [requireSession], show, send });
  const logIn = async (name: string) => {
    const visitor = createVisitor(site);
    await visitor.post(`/log-in/${name}`);
    return visitor;
  };
  return {
    site,
    log,
    files,
    visitor: createVisitor(site),
    logIn,
    stored: () => storedKeys(folder),
  };
}

interface Sent {
  readonly values: {
    readonly photos: readonly UploadedFile[];
    readonly scans: readonly UploadedFile[];
    readonly rooms: readonly { readonly photos: readonly UploadedFile[] }[];
  };
  readonly transaction: unknown;
}

const file = (name: string, content = name) => new File([content], name);
/** The names of the files that a page shows as chosen. */
const chosenOn = (answer: Response) =>
  [...bodyText(answer).matchAll(/value="[0-9a-f]{64} \d+ ([^"]+)"/g)].map(([, name]) => name);
const errorsOn = (answer: Response) =>
  [...bodyText(answer).matchAll(/<\/span> ([^<]+)<\/p>/g)].map(([, message]) => message);

test('files of a refused form stay in their order, and more are added to them', async (t) => {
  const { visitor, log, stored } = openSite(t);
  const first = await visitor.submit('/open', { photos: [file('b'), file('a')] });
  assert.equal(first.status, 400);
  assert.match(bodyText(first), /<input type="file" id="photos" name="photos" multiple>/);
  assert.match(bodyText(first), /name="scans" multiple accept="application\/pdf" capture="envi/);
  const second = await visitor.submit(first, { photos: file('c') });
  assert.deepEqual(chosenOn(second), ['b', 'a', 'c']);
  assert.equal((await visitor.submit(second, { title: 'T' })).status, 303);
  assert.deepEqual(log, [['b', 'a', 'c']]);
  assert.equal((await stored()).length, 3);
});

test('Remove ends one of them, and a chosen file stays in its place', async (t) => {
  const { visitor, stored } = openSite(t);
  const first = await visitor.submit('/open', { photos: [file('a'), file('b')] });
  const [button = ''] =
    bodyText(first).match(/(?<=name="_change" value=")remove photos [^"]+/) ?? [];
  const second = await visitor.submit(first, { photos: file('c'), _change: button });
  assert.equal(second.status, 200);
  assert.deepEqual(chosenOn(second), ['b', 'c']);
  assert.equal((await stored()).length, 2);
});

test('each file that is refused is named, and the others stay', async (t) => {
  const { visitor, log } = openSite(t);
  const chosen = ['1', '2', '3', '4', '5'].map((name) => file(name));
  const many = await visitor.submit('/open', { title: 'T', photos: chosen });
  assert.deepEqual(errorsOn(many), ['Photos can have 3 files. Left out: 4 and 5']);
  assert.deepEqual(chosenOn(many), ['1', '2', '3']);
  const pdf = file('a.pdf', '%PDF-1.7\n1 0 obj<<>>endobj\n');
  const wrong = await visitor.submit('/open', {
    title: 'T',
    photos: [file('large', 'x'.repeat(101)), file('good'), file('empty', '')],
    scans: [file('text.pdf'), pdf],
  });
  assert.deepEqual(errorsOn(wrong), [
    'large must be 100 bytes or less. empty is empty',
    'text.pdf must be application/pdf',
  ]);
  assert.deepEqual(chosenOn(wrong), ['good', 'a.pdf']);
  await visitor.submit(wrong, { title: 'T' });
  assert.deepEqual(log, [['good', 'a.pdf']]);
});

test('files survive a log-in in the middle, and belong to one user', async (t) => {
  const { visitor, logIn, log } = openSite(t);
  const refused = await visitor.post(
    '/things',
    toFormData({ title: 'T', photos: [file('a'), file('b')], _once: 'key' }),
  );
  assert.equal(refused.status, 401);
  const [next = ''] = bodyText(refused).match(/(?<=\?next=)[^"]+/) ?? [];
  const ada = await logIn('ada');
  const page = await ada.follow(await ada.get(decodeURIComponent(next)));
  assert.deepEqual(chosenOn(page), ['a', 'b']);
  const again = await ada.submit(page, { title: '', photos: file('c') });
  const bo = await logIn('bo');
  const [own = ''] = bodyText(again).match(/[0-9a-f]{64} \d+ c/) ?? [];
  const stolen = await bo.submit('/things', { title: 'T', photos: [own] });
  assert.deepEqual(errorsOn(stolen), ['Choose the file “c” again']);
  assert.equal((await ada.submit(again, { title: 'T' })).status, 303);
  assert.deepEqual(log, [['a', 'b', 'c']]);
});

test('the list is part of what makes two forms the same', async (t) => {
  const { visitor, log } = openSite(t);
  const send = (...names: string[]) =>
    visitor.submit('/open', { title: 'T', photos: names.map((name) => file(name)), _once: 'key' });
  const refused = await visitor.submit('/open', { photos: [file('a'), file('b')], _once: 'key' });
  await visitor.submit(refused, { title: 'T', _once: 'key' });
  await send('a', 'b');
  assert.equal(log.length, 1, 'parked and sent again');
  await send('a');
  await send('a', 'b', 'b');
  assert.equal(log.length, 3, 'fewer, and more');
});

test('the page of a form that could not be carried out takes each of them again', async (t) => {
  const { site, visitor, log } = openSite(t, { parked: 200_000 });
  let isAway = true;
  const refuse: Middleware = (context, next) => {
    if (isAway) throw new HttpError(503, 'Not now.');
    return next(context);
  };
  const send = async ({ values }: Sent) =>
    localPath(`/${log.push(values.photos.map(({ name }) => name))}`);
  formPage(site, '/away', form, { button: 'Send', middleware: [refuse], show, send });
  // Visitors may park half of two files.
  const fields = { title: 'T', photos: [file('a.jpg', '1'), file('a.jpg', '2')], _once: 'key' };
  const away = await visitor.post('/away', toFormData(fields));
  assert.deepEqual(chosenOn(away), ['a.jpg']);
  assert.match(bodyText(away), /id="again-0" name="photos"/);
  isAway = false;
  assert.equal((await visitor.submit(away, {})).status, 400);
  await visitor.submit(away, { photos: file('a.jpg', '2') });
  assert.deepEqual(log, [['a.jpg', 'a.jpg']]);
});

test('a file that has expired is not forgotten when others are chosen', async (t) => {
  const { visitor, files, log } = openSite(t);
  const refused = await visitor.submit('/open', { photos: [file('a'), file('b')] });
  await files.removeExpired(new Date(8.64e15));
  const again = await visitor.submit(refused, { title: 'T', photos: file('c') });
  assert.deepEqual(errorsOn(again), ['Choose the file “a” again. Choose the file “b” again']);
  assert.deepEqual(log, []);
});

test('rows have lists of their own', async (t) => {
  const { visitor, log } = openSite(t);
  const added = await visitor.submit('/open', {
    'rooms.0': 'row',
    'rooms.0.photos': [file('a'), file('b')],
    'rooms.1': 'row',
    'rooms.1.photos': [file('c')],
    _change: 'remove rooms.0',
  });
  assert.deepEqual(chosenOn(added), ['c']);
  await visitor.submit(added, { title: 'T', 'rooms.0.photos': [file('d')] });
  assert.deepEqual(log, [['c', 'd']]);
});

test('the answers of a form in steps link to each file', async () => {
  const order = steps()
    .step('papers', defineForm({ photos }), { title: 'Papers' })
    .step('note', defineForm({ note: textField({ label: 'Note', maxLength: 9 }) }), {
      title: 'Note',
    });
  const kept: string[] = [];
  const site = stepPages(createSite(createMemoryStores(), { log: false }), '/claim', order, {
    button: 'Send',
    show,
    async send({ answers, transaction }) {
      for (const one of answers.papers.photos) kept.push(await one.keep(transaction));
      return localPath('/');
    },
  });
  const visitor = createVisitor(site);
  const sent = await visitor.submit('/claim', { photos: [file('a'), file('b')] });
  const check = String(
    (await visitor.submit(`${sent.headers['Location']}`, {})).headers['Location'],
  );
  const list = await visitor.get(check);
  const links = bodyText(list).match(/(?<=href=")[^"]+\?file=[^"]+/g) ?? [];
  assert.equal(links.length, 2);
  const second = await visitor.get(links[1]?.replace('&amp;', '&') ?? '');
  assert.match(`${second.headers['Content-Disposition']}`, /filename="b"/);
  await visitor.submit(list, {});
  assert.equal(kept.length, 2);
});

test('a record keeps its files, gets those that are chosen, and loses those that are removed', async () => {
  const stores = createMemoryStores();
  const site = createSite(stores, { log: false });
  const record = defineForm({ photos });
  const changed = defineForm({ photos, removeFirst: checkboxField({ label: 'Remove the first' }) });
  let row: Readonly<Record<string, unknown>> = { photos: '[]' };
  const read = (): RecordValues<typeof record.fields> => fromColumns(record, row);
  formPage(site, '/', changed, {
    ...{ button: 'Save', show },
    fill: () => textsOf(record, read()),
    async send(context) {
      const stored = read();
      const gone = context.values.removeFirst ? stored.photos.slice(0, 1).map(({ id }) => id) : [];
      const values = await keepFiles(record, context, { stored, remove: { photos: gone } });
      row = toColumns(record, values);
      return localPath('/');
    },
  });
  const visitor = createVisitor(site);
  await visitor.submit('/', { photos: [file('a b'), file('c')] });
  const [first, second] = read().photos;
  assert.equal(row['photos'], JSON.stringify([`${first?.id} a b`, `${second?.id} c`]));
  await visitor.submit('/', { photos: [file('d')], removeFirst: 'on' });
  assert.deepEqual(
    read().photos.map(({ name }) => name),
    ['c', 'd'],
  );
  assert.equal(await stores.files.find(first?.id ?? ''), null);
  assert.notEqual(await stores.files.find(second?.id ?? ''), null);
});

test('hostile parts store no more than the field takes', async (t) => {
  const { visitor, logIn, stored, log } = openSite(t);
  const ada = await logIn('ada');
  const refused = await ada.submit('/things', { photos: [file('a')] });
  const [own = ''] = bodyText(refused).match(/[0-9a-f]{64} \d+ a/) ?? [];
  const forged = `${'f'.repeat(64)} 1 x`;
  const send = (...parts: (string | File)[]) => ada.submit('/things', { title: '', photos: parts });
  // One file, named by its key a hundred times, is one file.
  assert.deepEqual(chosenOn(await send(...Array<string>(100).fill(own))), ['a']);
  for (const parts of [
    Array<File>(100).fill(file('x')),
    Array<string>(100).fill(forged),
    [own, forged, file('x'), 'name', file('y'), forged, own],
    Array<string>(100).fill('n'.repeat(10_000)),
  ]) {
    const answer = await send(...parts);
    assert.equal(answer.status, 400);
    assert.ok(chosenOn(answer).length <= 3);
    assert.ok(bodyText(answer).length < 50_000, `${bodyText(answer).length}`);
  }
  for (const parts of [Array<File>(1_000).fill(file('', '')), Array<string>(100_000).fill('name')])
    assert.equal((await send(...parts)).status, 400);
  // The key of another user names nothing.
  const stolen = await visitor.submit('/open', { title: 'T', photos: [own, own] });
  assert.deepEqual(chosenOn(stolen), ['a']);
  assert.equal(stolen.status, 400);
  assert.ok((await stored()).length <= 1 + 3 + 2, `${(await stored()).length}`);
  assert.deepEqual(log, []);
});
