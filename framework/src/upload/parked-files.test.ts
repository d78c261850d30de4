/** Files of forms on a whole site: whose they are, how long they are there, and what ends them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import type { Middleware } from '../chain/context.ts';
import { createStores } from '../database/create-stores.ts';
import { textField } from '../field/fields.ts';
import { parseDraft, readDraft, serializeDraft } from '../form/carry-draft.ts';
import { defineForm, type FormValues } from '../form/define-form.ts';
import { fieldGroup, rows } from '../form/field-set.ts';
import { readAgain } from '../form/read-again.ts';
import { readForm } from '../form/read-form.ts';
import { readTyped } from '../form/read-typed.ts';
import { localPath } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import { HttpError } from '../http/http-error.ts';
import { page, seeOther, withSession } from '../http/response.ts';
import { requireSession } from '../session/require-session.ts';
import { startSession } from '../session/session-change.ts';
import { createSite } from '../site/create-site.ts';
import { formPage } from '../site/form-page.ts';
import { createMemoryStores, type SiteForms, type Stores } from '../site/stores.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { storedKeys } from '../testing/stored-keys.ts';
import { createTestFolder } from '../testing/test-folder.ts';
import {
  bodyText,
  createVisitor,
  type FieldsWithFiles,
  hiddenFields,
  toFormData,
  type Visitor,
} from '../testing/visitor.ts';
import { createFolder } from './create-folder.ts';
import { fileField } from './file-field.ts';
import type { FileStore } from './file-store.ts';
import { Files } from './files.ts';
import { createMemoryFileRecords } from './memory-file-records.ts';

const PDF = '%PDF-1.7\n1 0 obj<<>>endobj\n';
const A_DAY = 86_400_000;

const form = defineForm({
  title: textField({ label: 'Title', required: 'Enter a title', maxLength: 80 }),
  invoice: fileField({ label: 'Invoice', maxSize: 1_000_000, types: ['application/pdf'] }),
  contact: fieldGroup({
    label: 'Contact',
    fields: { photo: fileField({ label: 'Photo', maxSize: 1_000 }) },
  }),
  guests: rows({
    label: 'Guests',
    name: 'Guest',
    max: 5,
    default: 0,
    fields: { pass: fileField({ label: 'Pass', maxSize: 1_000, required: 'Choose a pass' }) },
  }),
});

/** What was carried out: the title, and the ids of the kept files. */
interface Booking {
  readonly title: string;
  readonly files: readonly string[];
}

/** Forms at `/bookings` for users, and at `/open` for everybody. `POST /log-in/ada?draft=…` logs ada in. */
function createBookings(stores: Stores<unknown>, uploads: SiteForms['uploads'] = {}) {
  const bookings: Booking[] = [];
  const home = createSite(stores, {
    log: false,
    crossOrigin: false,
    forms: { uploads },
    errors: {
      report: () => {},
      async page({ status, message, mayHelpAgain }, context) {
        const draft = status === 401 ? await readDraft(context) : null;
        if (status !== 401) await readTyped(context);
        if (mayHelpAgain) await readAgain(context);
        return page(html`${draft === null ? message : serializeDraft(draft)}`, status);
      },
    },
  }).post('/log-in/:name', ({ request, params: { name } }) => {
    const draft = parseDraft(request.query.get('draft') ?? '');
    return withSession(seeOther(localPath('/')), startSession({ id: name, name }, { draft }));
  });
  const send = async ({ values, transaction }: Sent) => {
    const { title, invoice, contact, guests } = values;
    const files: string[] = [];
    for (const file of [invoice, contact.photo, ...guests.map(({ pass }) => pass)])
      if (file !== null) files.push(await file.keep(transaction));
    return localPath(`/booked/${bookings.push({ title, files })}`);
  };
  const show = ({ formHtml }: { readonly formHtml: Html }) => html`${formHtml}`;
  const open = formPage(home, '/open', form, { button: 'Book', show, send });
  const middleware = [requireSession] as const;
  const site = formPage(open, '/bookings', form, { button: 'Book', middleware, show, send });
  return { site, bookings };
}

interface Sent {
  readonly values: FormValues<typeof form.fields>;
  readonly transaction: unknown;
}

/** A site in memory whose files are in a folder. `store` may replace the folder. */
async function openSite(
  t: TestContext,
  {
    uploads = {},
    wrap = (folder: FileStore) => folder,
  }: {
    readonly uploads?: SiteForms['uploads'];
    readonly wrap?: (folder: FileStore) => FileStore;
  } = {},
) {
  const folder = join(createTestFolder(t), 'files');
  const files = new Files<null>(wrap(createFolder(folder)), createMemoryFileRecords());
  const stores = { ...createMemoryStores(), files } as unknown as Stores<unknown>;
  const { site, bookings } = createBookings(stores, uploads);
  const logIn = async (name: string, draft = '') => {
    const visitor = createVisitor(site);
    await visitor.post(`/log-in/${name}?draft=${encodeURIComponent(draft)}`);
    return visitor;
  };
  return { site, bookings, files, logIn, stored: () => storedKeys(folder) };
}

async function sendTo(visitor: Visitor, path: string, fields: FieldsWithFiles) {
  const answer = await visitor.post(path, toFormData(fields));
  return { ...answer, text: bodyText(answer) };
}

const invoice = (content = PDF) => new File([content], 'may.pdf', { type: 'text/html' });
const parkedIn = (markup: string, name = 'invoice') => `${hiddenFields(markup)[name]}`;

test('a file survives a log-in in the middle, and then belongs to the user', async (t) => {
  const { site, logIn, bookings, files } = await openSite(t);
  const refused = await sendTo(createVisitor(site), '/bookings', {
    title: 'May',
    invoice: invoice(),
    _once: 'key',
  });
  assert.equal(refused.status, 401);
  const draft = JSON.stringify(JSON.parse(refused.text.replaceAll('&quot;', '"')));
  const ada = await logIn('ada', draft);
  const shown = bodyText(await ada.get('/bookings'));
  assert.match(shown, /may\.pdf, 27 bytes/);
  const fields = hiddenFields(shown);
  const again = await sendTo(ada, '/bookings', { ...fields, title: '' });
  assert.equal(again.status, 400);
  const bo = await logIn('bo', draft);
  assert.match((await sendTo(bo, '/bookings', { ...fields, title: 'Mine' })).text, CHOOSE_AGAIN);
  const sent = await sendTo(ada, '/bookings', { ...fields, title: 'May' });
  assert.equal(sent.headers['Location'], '/booked/1');
  const kept = await files.find(bookings[0]?.files[0] ?? '');
  assert.deepEqual([kept?.name, kept?.owner, kept?.type], ['may.pdf', 'ada', 'application/pdf']);
});

test('a file of a user survives the end of the session, and stays with the user', async (t) => {
  const { site, logIn, bookings } = await openSite(t);
  const before = await sendTo(await logIn('ada'), '/bookings', { title: '', invoice: invoice() });
  const fields = { title: 'May', invoice: parkedIn(before.text) };
  const refused = await sendTo(createVisitor(site), '/bookings', fields);
  assert.equal(refused.status, 401);
  const draft = refused.text.replaceAll('&quot;', '"');
  for (const name of ['bo', 'ada']) {
    const visitor = await logIn(name, draft);
    const restored = hiddenFields(bodyText(await visitor.get('/bookings')));
    const { status } = await sendTo(visitor, '/bookings', { ...restored, title: 'May' });
    assert.equal(status, name === 'ada' ? 303 : 400, name);
  }
  assert.equal(bookings.length, 1);
});

const CHOOSE_AGAIN = /Choose the file “may\.pdf” again/;

test('nobody can name the file of another user, parked or kept', async (t) => {
  const { site, logIn, bookings } = await openSite(t);
  const [ada, bo] = [await logIn('ada'), await logIn('bo')];
  const refused = await sendTo(ada, '/bookings', { title: '', invoice: invoice() });
  const fields = { title: 'Mine', invoice: parkedIn(refused.text) };
  for (const visitor of [bo, createVisitor(site)])
    assert.match((await sendTo(visitor, '/open', fields)).text, CHOOSE_AGAIN);
  assert.equal((await sendTo(ada, '/bookings', fields)).status, 303);
  assert.match((await sendTo(bo, '/bookings', fields)).text, CHOOSE_AGAIN);
  // The id of a kept file is in addresses. It is no key to the file.
  const [id = ''] = bookings[0]?.files ?? [];
  for (const key of [id, id.padEnd(64, '0'), '0'.repeat(64)])
    assert.equal(
      (await sendTo(ada, '/bookings', { ...fields, invoice: `${key} 1 may.pdf` })).status,
      400,
    );
  assert.equal(bookings.length, 1);
});

test('a reference that no page has written names no file', async (t) => {
  const { logIn, bookings } = await openSite(t);
  const ada = await logIn('ada');
  for (const forged of [
    '../../etc/passwd',
    `${'a'.repeat(64)} 1 x`,
    '__proto__',
    'x'.repeat(9_999),
  ]) {
    const answer = await sendTo(ada, '/bookings', { title: 'Mine', invoice: forged });
    assert.equal(answer.status, 400, forged);
  }
  assert.deepEqual(bookings, []);
});

test('the content decides about the type, whatever the browser says', async (t) => {
  const { logIn, stored } = await openSite(t);
  const ada = await logIn('ada');
  const page = new File(['<script>alert(1)</script>'], 'may.pdf', { type: 'application/pdf' });
  const refused = await sendTo(ada, '/bookings', { title: 'May', invoice: page });
  assert.match(refused.text, /Invoice must be application\/pdf/);
  assert.deepEqual(await stored(), []);
});

test('files in groups and rows stay through Add another, and end with their row', async (t) => {
  const { logIn, bookings, stored } = await openSite(t);
  const ada = await logIn('ada');
  const small = (name: string) => new File([name], name);
  const added = await sendTo(ada, '/bookings', {
    title: '',
    'contact.photo': small('face.png'),
    'guests.0': 'row',
    'guests.0.pass': small('one.txt'),
    'guests.1': 'row',
    'guests.1.pass': small('two.txt'),
    _change: 'add guests',
  });
  assert.equal(added.status, 200);
  for (const name of ['face.png', 'one.txt', 'two.txt']) assert.ok(added.text.includes(name), name);
  assert.match(added.text, /name="guests\.2\.pass"/);
  assert.equal((await stored()).length, 3);
  const fields = hiddenFields(added.text);
  const removed = await sendTo(ada, '/bookings', { ...fields, _change: 'remove guests.0' });
  assert.doesNotMatch(removed.text, /one\.txt/);
  assert.equal((await stored()).length, 2);
  const left = hiddenFields(removed.text);
  const unready = await sendTo(ada, '/bookings', { ...left, title: 'May' });
  assert.match(unready.text, /Guest 2: choose a pass/);
  const last = await sendTo(ada, '/bookings', {
    ...left,
    'guests.1.pass': small('new.txt'),
    title: 'May',
  });
  assert.equal(last.status, 303, last.text);
  assert.equal(bookings[0]?.files.length, 3);
  assert.equal((await stored()).length, 3);
});

test('a parked file that is only read is there when its form is repeated', async (t) => {
  const { site: bookings, files } = await openSite(t);
  const titles: string[] = [];
  const site = formPage(bookings, '/read', form, {
    button: 'Read',
    show: ({ formHtml }) => formHtml,
    async send({ values: { title, invoice } }) {
      for await (const chunk of invoice?.chunks() ?? []) titles.push(`${title} ${chunk}`);
      return localPath(`/read/${titles.length}`);
    },
  });
  const visitor = createVisitor(site);
  const refused = await sendTo(visitor, '/read', { title: '', invoice: invoice(), _once: 'key' });
  const fields = { title: 'May', invoice: parkedIn(refused.text), _once: 'key' };
  for (const one of [fields, fields, { ...fields, invoice: invoice() }])
    assert.equal((await sendTo(visitor, '/read', one)).headers['Location'], '/read/1');
  assert.deepEqual(titles, [`May ${PDF}`]);
  await files.removeExpired(new Date(Date.now() + A_DAY + 1_000));
  assert.match((await sendTo(visitor, '/read', fields)).text, CHOOSE_AGAIN);
});

test('a chosen file replaces one that has ended', async (t) => {
  const { logIn, files, bookings } = await openSite(t);
  const ada = await logIn('ada');
  const refused = await sendTo(ada, '/bookings', { title: '', invoice: invoice() });
  await files.removeExpired(new Date(8.64e15));
  const both = [parkedIn(refused.text), invoice()];
  const answer = await sendTo(ada, '/bookings', { title: 'May', invoice: both });
  assert.equal(answer.status, 303, answer.text);
  assert.equal(bookings[0]?.files.length, 1);
});

test('a file survives a restart, and counts once', async (t) => {
  const directory = createTestFolder(t);
  const fileStore = createFolder(join(directory, 'files'));
  const start = async () => {
    const database = await openSqlite(join(directory, 'site.db'));
    const stores = createStores(database, { fileStore }) as unknown as Stores<unknown>;
    return { database, stores, ...createBookings(stores) };
  };
  const first = await start();
  const refused = await sendTo(createVisitor(first.site), '/open', {
    title: '',
    invoice: invoice(),
  });
  await first.database.close();
  const { database, site, stores, bookings } = await start();
  const fields = { title: 'May', invoice: parkedIn(refused.text), _once: 'key' };
  const answers = await Promise.all(
    [fields, fields, { ...fields, invoice: invoice() }].map((one) =>
      sendTo(createVisitor(site), '/open', one),
    ),
  );
  for (const answer of answers) assert.equal(answer.headers['Location'], '/booked/1', answer.text);
  await stores.files.removeExpired(new Date(8.64e15));
  const [id = ''] = bookings[0]?.files ?? [];
  const { key = '' } = (await stores.files.find(id)) ?? {};
  assert.deepEqual(await storedKeys(join(directory, 'files')), [key]);
  await database.close();
});

test('what a killed process has received is removed a day later', async (t) => {
  const { files, stored } = await openSite(t);
  const [incomplete, unparked] = ['a'.repeat(64), 'b'.repeat(64)];
  for (const key of [incomplete, unparked]) {
    await files.records.add({ key, owner: null, name: 'may.pdf' }, new Date(Date.now() + A_DAY));
    await files.bytes.write(
      key,
      (async function* () {
        yield Buffer.from(PDF);
      })(),
    );
  }
  await files.records.complete(unparked, { type: '', size: 28, sha256: 'f'.repeat(64) });
  await files.removeExpired();
  assert.equal((await stored()).length, 2);
  await files.removeExpired(new Date(Date.now() + A_DAY + 1_000));
  assert.deepEqual(await stored(), []);
});

test('a disk that becomes full is a 503, and leaves nothing', async (t) => {
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  const wrap = (folder: FileStore): FileStore => ({
    ...folder,
    write: (key, chunks) =>
      folder.write(
        key,
        (async function* () {
          for await (const chunk of chunks) {
            yield chunk.subarray(0, 10);
            throw full;
          }
        })(),
      ),
  });
  const { logIn, files, stored } = await openSite(t, { wrap });
  const answer = await sendTo(await logIn('ada'), '/bookings', {
    title: 'May',
    invoice: invoice(PDF.repeat(10_000)),
  });
  assert.equal(answer.status, 503);
  assert.equal(answer.headers['Retry-After'], '60');
  assert.deepEqual(await stored(), []);
  assert.deepEqual(await files.records.takeExpired(new Date(8.64e15)), []);
});

test('beyond the limit of all parked files, a file must be chosen again', async (t) => {
  const { logIn, stored } = await openSite(t, { uploads: { parked: 27 } });
  const ada = await logIn('ada');
  const park = () => sendTo(ada, '/bookings', { title: '', invoice: invoice() });
  assert.match((await park()).text, /may\.pdf, 27 bytes/);
  assert.match((await park()).text, CHOOSE_AGAIN);
  assert.equal((await stored()).length, 1);
});

test('what a visitor sends to a form for users is stored only for the log-in', async (t) => {
  // The network of the visitors has a tenth of it.
  const { site, stored } = await openSite(t, { uploads: { parked: 270 } });
  const claim = () =>
    sendTo(createVisitor(site), '/bookings', { title: 'May', invoice: invoice() });
  assert.match((await claim()).text, /[0-9a-f]{64} 27 may\.pdf/);
  assert.doesNotMatch((await claim()).text, /[0-9a-f]{64}/);
  assert.equal((await stored()).length, 1);
});

test('the files of a form that is refused, before or after it is read, stay only if its page refers to them', async (t) => {
  const { site, stored } = await openSite(t);
  for (const status of [403, 409, 429, 500, 503] as const) {
    const refuse: Middleware = () => {
      throw status === 500 ? new Error('A bug.') : new HttpError(status, 'Not now.');
    };
    const show = () => page(html``, 400);
    site.post(localPath(`/before/${status}`), refuse, readForm(form), show);
    site.post(localPath(`/after/${status}`), readForm(form), refuse, show);
  }
  const countAfter = async (path: string, more: FieldsWithFiles) => {
    const sent = { title: 'May', invoice: invoice(), ...more };
    await sendTo(createVisitor(site), path, sent);
    return (await stored()).length;
  };
  const counts: number[] = [];
  for (const when of ['before', 'after'])
    for (const status of [403, 409, 429, 500, 503])
      counts.push(await countAfter(`/${when}/${status}`, { _once: 'key' }));
  assert.deepEqual(counts, [0, 0, 1, 1, 2, 2, 2, 3, 3, 4]);
  // Without a key, the page does not offer to send the form again.
  assert.equal(await countAfter('/before/503', {}), 4);
  assert.equal(await countAfter('/after/503', {}), 4);
});

test('all files of a form have limits together', async (t) => {
  const { logIn, stored } = await openSite(t, { uploads: { total: 50, count: 2 } });
  const ada = await logIn('ada');
  const large = { invoice: invoice(), 'contact.photo': new File(['x'.repeat(30)], 'face.png') };
  const refused = await sendTo(ada, '/bookings', { title: 'May', ...large });
  // Small files are stored at the same time, so that either can be the one beyond the limit.
  assert.match(refused.text, /(Invoice|Photo) is too large together with the other files/);
  const three = { 'guests.0.pass': new File(['x'], 'a'), 'guests.1.pass': new File(['x'], 'b') };
  assert.equal((await sendTo(ada, '/bookings', { title: 'May', ...large, ...three })).status, 413);
  assert.equal((await stored()).length, 1);
});
