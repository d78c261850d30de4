import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import test from 'node:test';
import type { Response } from 'seeother';
import { bodyText, createVisitor, hiddenFields, type Visitor } from 'seeother/testing';
import { undoBatch } from '../items/history/undo-batch.ts';
import {
  createMember,
  createTestApplication,
  headerOf,
  type TestApplication,
} from '../testing/create-test-application.ts';
import { createHomeboxExport } from '../testing/exports/homebox.ts';
import { fillItems } from '../testing/fill-items.ts';
import { formIn } from '../testing/form-in.ts';
import { listEvents } from '../testing/list-events.ts';
import { openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { encodeForm, uploadFile } from '../testing/upload-file.ts';

function csv(text: string): File {
  return new File([text], 'things.csv', { type: 'text/csv' });
}

/** Resolves to the page of the import. */
async function upload(visitor: Visitor, text: string): Promise<string> {
  const answer = await uploadFile(visitor, '/items/import', csv(text));
  assert.equal(answer.status, 303, bodyText(answer));
  return headerOf(answer, 'Location') ?? '';
}

async function confirm(visitor: Visitor, path: string): Promise<Response> {
  const form = formIn(bodyText(await visitor.get(path)), '/run');
  return visitor.post(`${path}/run`, { here: 'leave', ...hiddenFields(form) });
}

/** Chooses what the columns are. */
async function choose(visitor: Visitor, path: string, uses: readonly string[]): Promise<Response> {
  const fields = hiddenFields(formIn(bodyText(await visitor.get(path)), '/columns'));
  const chosen = uses.map((use, at) => [`columns.${at}.use`, use]);
  return visitor.post(path, { ...fields, ...Object.fromEntries(chosen) });
}

/** What the selects of the columns show. */
function selectedIn(markup: string): Record<string, string> {
  const selects = markup.matchAll(/<select [^>]*name="(columns[^"]*)"[^>]*>([\s\S]*?)<\/select>/g);
  return Object.fromEntries(
    [...selects].map(([, name = '', options = '']) => {
      return [name, /value="([^"]*)" selected/.exec(options)?.[1] ?? ''];
    }),
  );
}

/** Runs what was confirmed, as the background does. */
async function runImports({ models: { imports } }: TestApplication): Promise<void> {
  const holder = randomUUID();
  for (let id = await imports.findWaiting(); id !== null; id = await imports.findWaiting())
    while ((await imports.step(id, holder)) === 'more');
}

async function download(visitor: Visitor, path: string): Promise<string> {
  const { body } = await visitor.get(path);
  // A long file is a stream.
  return typeof body === 'string'
    ? body
    : (await buffer(body as AsyncIterable<Uint8Array>)).toString();
}

/** The numbers on top of a preview or a result. */
function countsOf(page: Response): readonly string[] {
  return [...bodyText(page).matchAll(/<dt>([^<]+)<\/dt><dd>([\d,]+)<\/dd>/g)].map(
    ([, label, count]) => `${label} ${count}`,
  );
}

testOnEngines(
  'uploading an unchanged export changes nothing, and edited rows are changes that can be undone',
  async (t) => {
    const database = await openTestDatabase(t);
    await fillItems(database, 450);
    const application = await createTestApplication(t, { database });
    const ada = await createMember(application);
    const file = await download(ada, '/items.csv');
    const same = await ada.get(await upload(ada, file));
    assert.deepEqual(countsOf(same), ['New items 0', 'Unchanged 450']);
    assert.match(bodyText(same), /Nothing new to import/);

    const edited = [7, 250, 449].reduce(
      (text, number) => text.replace(`Thing ${number}: `, `Renamed ${number}: `),
      file,
    );
    const path = await upload(ada, edited);
    const preview = bodyText(await ada.get(path));
    assert.match(preview, /Name: <del>Thing 250: [^<]*<\/del> → <ins>Renamed 250: [^<]*<\/ins>/);
    assert.equal((await confirm(ada, path)).status, 303);
    const running = await ada.get(path);
    assert.equal(headerOf(running, 'Refresh'), '2');
    assert.match(bodyText(running), /0 of 3 rows imported/);
    assert.match(bodyText(await ada.get('/items/import')), /things\.csv[\s\S]*0 of 3 rows/);
    const still = await ada.get(`${path}?still=1`);
    assert.equal(headerOf(still, 'Refresh'), undefined);

    await runImports(application);
    const result = await ada.get(path);
    assert.deepEqual(countsOf(result), ['New items 0', 'Changed items 3', 'Unchanged 447']);
    const events = await listEvents(database);
    assert.deepEqual(
      events.map(({ number, by }) => [number, by]),
      // The list is exported newest first.
      [7, 250, 449].map((number) => [number, 'ada']),
    );
    const form = bodyText(await ada.get('/items/7/history'));
    const undone = await ada.post(
      `/items/7/history/${events[0]?.id}/undo`,
      hiddenFields(formIn(form, '/undo')),
    );
    assert.equal(undone.status, 303);
    const { batch } = (await application.models.imports.find(2, 1)) ?? {};
    const listed = await application.models.batches.find(batch ?? 0);
    assert.deepEqual(
      [listed?.operation, listed?.events, listed?.undone],
      [{ kind: 'imported', file: 'things.csv' }, 3, 1],
    );
    await database.write((transaction) => undoBatch(transaction, batch ?? 0, 1));
    const again = await ada.get(await upload(ada, file));
    assert.deepEqual(countsOf(again), countsOf(same));
  },
);

test('the preview says that the quantity would be lower than what is lent', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const path = await upload(ada, 'name\nDrill\n');
  await confirm(ada, path);
  await runImports(application);
  await ada.submit('/items/1/lend', { to: 'Bo' });
  const page = bodyText(await ada.get(await upload(ada, 'name,quantity\nDrill,0\n')));
  assert.match(
    page,
    /class="notice">The file has a lower quantity than is lent of 1 item: <a href="[^"]+">Drill<\/a> \(line 2: It is lent to Bo\)\./,
  );
});

testOnEngines('a confirmation that is sent twice, or from two tabs, counts once', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const path = await upload(ada, 'name\nDrill\nSaw\n');
  const page = bodyText(await ada.get(path));
  const other = hiddenFields(formIn(bodyText(await ada.get(path)), '/run'));
  const fields = hiddenFields(formIn(page, '/run'));
  const answers = await Promise.all([
    ada.post(`${path}/run`, fields),
    ada.post(`${path}/run`, fields),
    ada.post(`${path}/run`, other),
  ]);
  assert.deepEqual(
    answers.map((answer) => [answer.status, headerOf(answer, 'Location')]),
    answers.map(() => [303, path]),
  );
  await runImports(application);
  assert.equal((await ada.post(`${path}/run`, other)).status, 303);
  await runImports(application);
  assert.equal(await application.models.items.lastNumber(), 2);
  assert.deepEqual(countsOf(await ada.get(path)), ['New items 2']);
});

testOnEngines('an upload that is sent twice at once is one import', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const hidden = hiddenFields(bodyText(await ada.get('/items/import')));
  const send = () => uploadFile(ada, '/items/import', csv('name\nDrill\n'), hidden);
  const answers = await Promise.all([send(), send()]);
  const paths = new Set([...answers, await send()].map((one) => headerOf(one, 'Location')));
  assert.equal(paths.size, 1);
  assert.equal((await application.models.imports.list(1)).length, 1);
  const rows = await application.database.read.selectFrom('imports').select('id').execute();
  assert.equal(rows.length, 1);
});

test('a confirmation of another plan is refused', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const path = await upload(ada, 'name\nDrill\n');
  const other = await upload(ada, 'name\nSaw\n');
  const fields = hiddenFields(formIn(bodyText(await ada.get(other)), '/run'));
  assert.equal((await ada.post(`${path}/run`, fields)).status, 409);
  assert.equal((await ada.post(`${path}/run`, { here: 'leave', asked: 'leave' })).status, 409);
  await runImports(application);
  assert.equal(await application.models.items.lastNumber(), 0);
});

test('only its author sees, confirms and stops an import', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const bo = await createMember(application, 'bo');
  const path = await upload(ada, 'name\nDrill\n');
  const fields = hiddenFields(formIn(bodyText(await ada.get(path)), '/run'));
  assert.equal((await bo.get(path)).status, 404);
  const { _once, ...own } = fields;
  assert.equal((await bo.post(`${path}/run`, own)).status, 404);
  assert.equal((await bo.post(`${path}/stop`, own)).status, 404);
  assert.doesNotMatch(bodyText(await bo.get('/items/import')), /things\.csv/);
  assert.equal((await ada.post(`${path}/stop`, fields)).status, 303);
  assert.match(bodyText(await ada.get(path)), /was not imported[\s\S]*Nothing was saved/);
  assert.equal((await ada.post(`${path}/run`, fields)).status, 303);
  await runImports(application);
  assert.equal(await application.models.items.lastNumber(), 0);
});

testOnEngines(
  'an import that is stopped says what it has imported, and what is left',
  async (t) => {
    const application = await createTestApplication(t);
    const ada = await createMember(application);
    const rows = Array.from({ length: 250 }, (_, at) => `Thing ${at}`).join('\n');
    const path = await upload(ada, `name\n${rows}\nThing 249\n`);
    await confirm(ada, path);
    await application.models.imports.step(1, 'runner');
    const form = formIn(bodyText(await ada.get(path)), '/stop');
    assert.equal((await ada.post(`${path}/stop`, hiddenFields(form))).status, 303);
    const result = bodyText(await ada.get(path));
    assert.match(result, /was imported in part[\s\S]*50 rows were imported before, and stay/);
    const left = (await download(ada, `${path}/refused.csv`)).trim().split('\r\n').slice(1);
    assert.equal(left.length, 201);
    assert.equal(left[0], 'Thing 50,The import was stopped before this row');
    assert.equal(left.at(-1), 'Thing 249,The same thing is on line 251');
  },
);

const TABLE = '<html><table><tr><td>Name</td></tr><tr><td>Drill</td></tr></table></html>';

test('a file that is not a table of items is refused with the reason', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const cases: readonly (readonly [File, RegExp])[] = [
    [new File([''], ''), /Choose a file/],
    [new File([''], 'a.csv'), /File is empty/],
    [new File(['PK\u{3}\u{4}'], '<b>.xlsx'), /a workbook[\s\S]*&lt;b&gt;\.xlsx, 4 bytes/],
    [new File([TABLE], 'a.xls', { type: 'application/vnd.ms-excel' }), /is a web page \(HTML\)/],
    [new File([TABLE], 'a.html', { type: 'text/html' }), /spreadsheet/],
  ];
  for (const [file, message] of cases) {
    const answer = await uploadFile(ada, '/items/import', file);
    assert.equal(answer.status, 400);
    assert.match(bodyText(answer), message);
  }
  assert.deepEqual(await application.models.imports.list(1), []);
  assert.deepEqual(application.reports, []);
});

test('a file with unknown headings is asked about, once', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const file = 'Was;Wo;Farbe\nS\xe4ge;Keller;<b>rot\n;Keller;blau\n';
  const latin = new File([Buffer.from(file, 'latin1')], 'things.csv');
  const path = headerOf(await uploadFile(ada, '/items/import', latin), 'Location') ?? '';
  assert.equal(path, '/items/imports/1/columns');
  assert.equal(headerOf(await ada.get('/items/imports/1'), 'Location'), path);
  const page = bodyText(await ada.get(path));
  assert.match(page, /Windows-1252/);
  assert.match(page, /&lt;b&gt;rot · blau/);
  const refused = await choose(ada, path, ['location', 'location', 'in description']);
  assert.equal(refused.status, 400);
  assert.match(bodyText(refused), /Only one column can be Location, and “Was” is/);
  assert.match(bodyText(refused), /Choose “Name” for the column with the names of the things/);
  const chosen = await choose(ada, path, ['name', 'location', 'in description']);
  assert.equal(headerOf(chosen, 'Location'), '/items/imports/1');
  const preview = await ada.get('/items/imports/1');
  assert.deepEqual(countsOf(preview), ['New items 1', 'Refused 1']);
  // Back, for other columns.
  await choose(ada, path, ['name', 'ignore', 'ignore']);
  await confirm(ada, '/items/imports/1');
  await runImports(application);
  const item = await application.models.items.find(1);
  assert.deepEqual([item?.name, item?.location, item?.description], ['Säge', '', '']);
  // Once it has begun, there is nothing to choose.
  assert.equal(headerOf(await ada.get(path), 'Location'), '/items/imports/1');
  const later = await upload(ada, 'WAS;Wo;farbe\nHammer;Keller;rot\n');
  assert.equal(later, '/items/imports/2');
});

test('a form without some of the columns is no answer for them', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const path = await upload(ada, 'Was;Wo;Farbe\nSaw;Cellar;red\n');
  for (const uses of [['name'], ['name', 'location', 'ignore', 'ignore'], []]) {
    const refused = await ada.post(path, {
      ...Object.fromEntries(uses.map((use, at) => [`columns.${at}.use`, use])),
      ...Object.fromEntries(uses.map((_, at) => [`columns.${at}.heading`, 'x'])),
    });
    assert.equal(refused.status, 400);
    assert.match(bodyText(refused), /does not have all columns of the file/);
    assert.match(bodyText(refused), /name="columns\.2\.use"/);
  }
});

testOnEngines('the encoding of a file can be chosen, and is remembered', async (t) => {
  const application = await createTestApplication(t, { database: await openTestDatabase(t) });
  const ada = await createMember(application);
  // As Mac Roman, which is as plausible, it is “SÑge” and “Küche” is “KÅche”.
  const send = async (text: string) => {
    const cp850 = text.replaceAll(/[öäß]/g, (one) => ({ ö: '\x94', ä: '\x84' })[one] ?? 'á');
    const file = new File([new Uint8Array(Buffer.from(cp850, 'latin1'))], 'things.csv');
    return headerOf(await uploadFile(ada, '/items/import', file), 'Location') ?? '';
  };
  const file = 'Größe;Name\n3;löschen\nx;\n';
  const path = await send(file);
  const page = bodyText(await ada.get(path));
  const fields = hiddenFields(formIn(page, '/columns'));
  const uses = { 'columns.0.use': 'in description', 'columns.1.use': 'name' };
  const wrong = await ada.post(path, { ...fields, ...uses, encoding: 'koi8-r' });
  assert.equal(headerOf(wrong, 'Location'), path);
  const read = bodyText(await ada.get(path));
  assert.match(read, /It was read as KOI8-R/);
  const again = hiddenFields(formIn(read, '/columns'));
  const right = await ada.post(path, { ...again, ...uses, encoding: 'cp850' });
  assert.equal(headerOf(right, 'Location'), path);
  const shown = bodyText(await ada.get(path));
  assert.match(shown, /CP850: “Größe”, “löschen”[\s\S]*<strong>Größe<\/strong>/);
  const last = hiddenFields(formIn(shown, '/columns'));
  const chosen = await ada.post(path, { ...last, ...uses, encoding: 'cp850' });
  assert.equal(headerOf(chosen, 'Location'), '/items/imports/1');
  assert.match(await download(ada, '/items/imports/1/refused.csv'), /^\ufeffGröße,Name,/);
  await confirm(ada, '/items/imports/1');
  await runImports(application);
  const item = await application.models.items.find(1);
  assert.deepEqual([item?.name, item?.description], ['löschen', 'Größe: 3']);
  // The headings say in which encoding they were read before.
  assert.equal(await send('Größe;Name\n3;Säge\n'), '/items/imports/2');
  assert.match(bodyText(await ada.get('/items/imports/2')), /CP850: “Größe”, “Säge”/);
});

test('places inside places are asked about, with a sample, and remembered', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const file = 'Name;Lagerort;Menge\nSaw;Home / Garage;1\nRope;Cellar;1\n';
  const path = await upload(ada, file);
  const page = bodyText(await ada.get(path));
  assert.match(page, /“Home \/ Garage” would be “Home, Garage”/);
  assert.match(page, /<option value="\/" selected>/);
  const uses = ['name', 'location', 'quantity'].map((use, at) => [`columns.${at}.use`, use]);
  const send = (places: string) =>
    ada.post(path, {
      ...hiddenFields(formIn(page, '/columns')),
      ...Object.fromEntries(uses),
      places,
    });
  const preview = bodyText(await ada.get(headerOf(await send('/'), 'Location') ?? ''));
  assert.match(preview, /“Home \/ Garage” read as Home, Garage/);
  const flat = await ada.get(headerOf(await send(','), 'Location') ?? '');
  assert.doesNotMatch(bodyText(flat), /read as Home/);
  assert.equal(await upload(ada, file), '/items/imports/2');
  assert.doesNotMatch(bodyText(await ada.get('/items/imports/2')), /read as Home/);
});

test('a quote that is not closed is asked about, with its line', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const file = 'name,quantity\n"Drill,2\nSaw,3\nHammer "big",4\nAxe,5\n';
  const path = await upload(ada, file);
  assert.match(
    bodyText(await ada.get(path)),
    /The quotes are wrong and were read as text on line 2 \(&quot;Drill \| 2\)/,
  );
  const chosen = await choose(ada, path, ['name', 'quantity']);
  assert.deepEqual(countsOf(await ada.get(headerOf(chosen, 'Location') ?? '')), ['New items 4']);
});

test('refused rows are a file with the reasons, which can be imported once it is corrected', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const path = await upload(ada, 'name,quantity\nRope,many\nSaw,1\n=1+1,x\n,2\n');
  const page = bodyText(await ada.get(path));
  assert.match(page, /2 rows: quantity: Quantity must be a whole number, like 3\./);
  assert.match(page, /“Rope” \(line 2: “many”\), “=1\+1” \(line 4: “x”\)/);
  assert.match(page, /1 row: name: Enter a name\.[\s\S]*line 5/);
  const file = await download(ada, `${path}/refused.csv`);
  const lines = file.split('\r\n');
  assert.equal(lines[0], '\ufeffname,quantity,Why it was refused');
  assert.match(lines[1] ?? '', /^Rope,many,.*must be a whole number/);
  assert.match(lines[2] ?? '', /^'=1\+1,x,/);
  const corrected = file.replace('many', '2').replace(',x,', ',3,').replace('\n,2', '\nTape,2');
  const again = await upload(ada, corrected);
  assert.deepEqual(countsOf(await ada.get(again)), ['New items 3']);
  const bo = await createMember(application, 'bo');
  assert.equal((await bo.get(`${path}/refused.csv`)).status, 404);
});

test('the preview shows markup as text', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const file = 'number,name,quantity\n,<i>New</i>,1\n7,=1+1,1\n,Saw,<b>\n';
  const page = bodyText(await ada.get(await upload(ada, file)));
  assert.match(page, /number: There is no such item[\s\S]*“=1\+1” \(line 3: “7”\)/);
  assert.match(page, /“Saw” \(line 4: “&lt;b&gt;”\)/);
  assert.match(page, /<p>&lt;i&gt;New&lt;\/i&gt;\.<\/p>/);
});

test('the preview of a file that was imported before says so, and leaves its rows out', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  await confirm(ada, await upload(ada, 'name\nDrill\n'));
  await runImports(application);
  const path = await upload(ada, 'name\nDrill\n');
  const again = await ada.get(path);
  assert.deepEqual(countsOf(again), ['New items 0', 'Already here 1']);
  assert.match(bodyText(again), /You imported this file on/);
  const bo = await createMember(application, 'bo');
  const other = bodyText(await bo.get(await upload(bo, 'name\nDrill\n')));
  assert.match(other, /Somebody else imported this file on/);
  const fields = hiddenFields(formIn(bodyText(again), '/run'));
  assert.equal((await ada.post(`${path}/run`, { ...fields, here: 'add' })).status, 303);
  await runImports(application);
  assert.equal(await application.models.items.lastNumber(), 2);
});

test('a name that differs is a question without a default, and what is left out can be downloaded', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  await confirm(ada, await upload(ada, 'Inventarnummer;Name\n1;Chair\n2;Table\n'));
  await runImports(application);
  const path = await upload(ada, 'Inventarnummer;Name\n1;Drill\n2;Table\n2;Table\n');
  const page = await ada.get(path);
  const counts = ['New items 0', 'Other names 1', 'Already here 1', 'Twice in the file 1'];
  assert.deepEqual(countsOf(page), counts);
  assert.match(bodyText(page), /Name: <del>Chair<\/del> → <ins>Drill<\/ins>/);
  assert.match(bodyText(page), /3 rows are left out, unless you choose otherwise/);
  assert.match(bodyText(page), />Table<\/a> \(line 3\)/);
  const form = formIn(bodyText(page), '/run');
  assert.doesNotMatch(form, /optional/);
  assert.equal(form.match(/name="asked"/g)?.length, 3);
  assert.doesNotMatch(form, /name="asked"[^>]*checked/);
  const fields = { ...hiddenFields(form), here: 'leave' };
  const unanswered = await ada.post(`${path}/run`, fields);
  assert.equal(unanswered.status, 400);
  assert.match(bodyText(unanswered), /Choose what to do with rows of items with other names/);
  const reasons = async () =>
    (await download(ada, `${path}/refused.csv`)).trim().split('\r\n').slice(1);
  assert.deepEqual(await reasons(), [
    '1,Drill,"It has the reference or the number of item 1, which has another name"',
    '2,Table,"It is already here, as item 2"',
    '2,Table,The same thing is on line 3',
  ]);
  assert.equal((await ada.post(`${path}/run`, { ...fields, asked: 'add' })).status, 303);
  await runImports(application);
  const result = await ada.get(path);
  assert.deepEqual(countsOf(result), ['New items 1', 'Left out 2']);
  assert.match(bodyText(result), /2 rows are left out\. <a [^>]*refused\.csv/);
  assert.equal((await reasons()).length, 2);
  assert.equal((await application.models.items.find(1))?.name, 'Chair');
});

test('a file that is sent after the log-out leads to the log-in, and back to the form', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const hidden = hiddenFields(bodyText(await ada.get('/items/import')));
  await ada.post('/logout');
  const answer = await uploadFile(ada, '/items/import', csv('name\nDrill\n'), hidden);
  assert.equal(answer.status, 401);
  assert.match(bodyText(answer), /name="next" value="\/items\/import(?:\?_draft=[\w-]{22})?"/);
  const visitor = createVisitor(application);
  assert.equal(
    headerOf(await visitor.get('/items/import'), 'Location'),
    '/login?next=%2Fitems%2Fimport',
  );
  assert.deepEqual(await application.models.imports.list(1), []);
});

test('an upload that ends in the middle stores nothing', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const { body, type } = await encodeForm({ file: csv(`name\n${'Drill\n'.repeat(9_999)}`) });
  const cut = body.subarray(0, body.length / 2);
  const answer = await ada.post('/items/import', cut, { headers: { 'content-type': type } });
  assert.equal(answer.status, 400);
  const rows = await application.database.read.selectFrom('imports').select('id').execute();
  assert.deepEqual(rows, []);
});

test('the list has a link to the import for members, and none for readers', async (t) => {
  const application = await createTestApplication(t);
  await createMember(application);
  const bo = await createMember(application, 'bo');
  assert.match(bodyText(await bo.get('/items')), /href="\/items\/import"/);
  await application.database.write((transaction) =>
    transaction.updateTable('accounts').set({ role: 'reader' }).where('id', '=', 2).execute(),
  );
  assert.doesNotMatch(bodyText(await bo.get('/items')), /href="\/items\/import"/);
  assert.equal((await bo.get('/items/import')).status, 403);
  assert.equal((await uploadFile(bo, '/items/import', csv('name\nA\n'), {})).status, 403);
});

test('an export of another program is imported with its fields in four steps, and undone', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  // One: choose the file. Two: look at its columns.
  const path = await upload(ada, createHomeboxExport(20).file);
  const columns = bodyText(await ada.get(path));
  assert.match(columns, /<p>It looks like an export of <strong>Homebox<\/strong>\.<\/p>/);
  assert.match(columns, /<span class="details">Money, 2\d of 2\d rows/);
  assert.match(columns, /<option value="new money" selected>A new field: money<\/option>/);
  assert.match(columns, /name="currency"[\s\S]*<option value="EUR" selected>/);
  const answer = await ada.submit(path, { ...selectedIn(columns), currency: 'CHF' });
  assert.equal(answer.status, 303, bodyText(answer));
  // Three: look at the preview.
  const preview = await ada.get(headerOf(answer, 'Location') ?? '');
  assert.match(bodyText(preview), /<p>It was read as an export of Homebox\.<\/p>/);
  assert.match(
    bodyText(preview),
    /The import makes \d+ new fields: [^<]*Purchase price \(money, CHF\)/,
  );
  // Four: import.
  const id = path.replace('/columns', '');
  assert.equal((await confirm(ada, id)).status, 303);
  await runImports(application);
  const result = await ada.get(id);
  assert.match(bodyText(result), /The import made \d+ fields: [^<]*Purchase price \(money, CHF\)/);
  const batch = /\/items\/history\/batches\/\d+/.exec(bodyText(result))?.[0] ?? assert.fail();
  const undo = hiddenFields(formIn(bodyText(await ada.get(batch)), '/undo'));
  assert.equal((await ada.post(`${batch}/undo`, undo)).status, 303);
  assert.match(bodyText(await ada.get(batch)), /The fields [^<]*“Purchase price”[^<]*stay/);
});

test('kinds that a file names are shown before they are made, and stay when it is undone', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const bo = await createMember(application, 'bo');
  const file = 'Name,Category,Colour\nSaw,Tool,red\nAxe,tool,red\nAtlas,Book,blue\nDune,Book,red\n';
  const ofMember = bodyText(await bo.get(await upload(bo, file)));
  assert.match(ofMember, /An administrator [^<]* can make kinds of things of “Category”/);
  assert.doesNotMatch(ofMember, /make new kinds/);
  const path = await upload(ada, file);
  const columns = bodyText(await ada.get(path));
  assert.match(columns, /<span class="details">2 new kinds: Tool, Book<\/span>/);
  assert.match(columns, /<option value="kinds" selected>Kind of thing: make new kinds<\/option>/);
  const answer = await ada.submit(path, selectedIn(columns));
  const id = headerOf(answer, 'Location') ?? assert.fail(bodyText(answer));
  assert.match(bodyText(await ada.get(id)), /It makes 2 new kinds: Tool, Book\. Undoing/);
  await confirm(ada, id);
  await runImports(application);
  const result = bodyText(await ada.get(id));
  assert.match(result, /The import made 2 kinds: Tool, Book\./);
  const batch = /\/items\/history\/batches\/\d+/.exec(result)?.[0] ?? assert.fail();
  const undo = hiddenFields(formIn(bodyText(await ada.get(batch)), '/undo'));
  await ada.post(`${batch}/undo`, undo);
  assert.match(bodyText(await ada.get(batch)), /The kinds “Tool”, “Book”, which it has made, stay/);
});

test('a member who is no administrator is offered no new field, and cannot make one', async (t) => {
  const application = await createTestApplication(t);
  await createMember(application);
  const bo = await createMember(application, 'bo');
  const path = await upload(bo, 'Name,Colour\nSaw,red\n');
  assert.doesNotMatch(bodyText(await bo.get(path)), /A new field/);
  assert.equal((await choose(bo, path, ['name', 'new text'])).status, 400);
  assert.equal((await choose(bo, path, ['name', 'in description'])).status, 303);
});
