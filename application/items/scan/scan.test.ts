/** Scanning one thing after the other, through the real router. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import test from 'node:test';
import type { Response } from 'seeother';
import { bodyText, createVisitor, hiddenFields } from 'seeother/testing';
import { addItemKind, addOwnField } from '../../own-fields/write-definitions.ts';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
} from '../../testing/create-test-application.ts';
import { formIn } from '../../testing/form-in.ts';
import { listBatches } from '../../testing/list-events.ts';
import {
  addItem,
  openTestDatabase,
  repeatOnEngines,
  testOnEngines,
} from '../../testing/open-test-database.ts';
import { ROW, rememberSources } from '../item-sources.ts';
import { fieldOfCode, readItemNumber } from './find-by-code.ts';

async function openItems(t: TestContext) {
  const database = await openTestDatabase(t);
  const application = await createTestApplication(t, { database });
  await addItem(database, { name: 'Drill', serial: 'SN-7', location: 'Office', quantity: 2 });
  await addItem(database, { name: 'Paint', code: '0036000291452', quantity: 5 });
  await addItem(database, { name: 'Paint, used', code: '036000291452' });
  await addItem(database, { name: 'Lamp', serial: '2' });
  await database.write((transaction) =>
    rememberSources(transaction, [
      { kind: 'file', text: 'INV-0042', number: 4 },
      { kind: ROW, text: 'row-digest', number: 4 },
    ]),
  );
  const member = await createMember(application);
  const { items } = application.models;
  const factsOf = async (number: number) => {
    const { location, quantity, loans } = (await items.find(number)) ?? assert.fail();
    return { location, quantity, to: loans.map(({ to }) => to).join() };
  };
  /** Sends the form of the page, and resolves to the page that follows. */
  const scan = async (query: string, code: string, more: Record<string, string> = {}) => {
    const answer = await member.submit(`/scan${query}`, { code, ...more });
    return {
      answer,
      path: pathOf(answer),
      page: bodyText(await member.follow(answer)),
    };
  };
  return { application, database, member, items, factsOf, scan };
}

/** Without the mark that the framework adds to the address of the same page. */
const pathOf = (answer: Response) => headerOf(answer, 'Location')?.replace(/[?&]sent=\w+$/, '');

const actionOf = (form: string) =>
  /action="([^"]*)"/.exec(form)?.[1]?.replaceAll('&amp;', '&') ?? '';

const messageOf = (page: string) =>
  /<div class="flash"[^>]*><p>([^<]*)</.exec(page)?.[1]?.replaceAll('&amp;', '&');

repeatOnEngines(
  'a code finds a thing by its address, number, product code, serial number or reference',
  async (t) => {
    const { scan } = await openItems(t);
    const cases = [
      ['https://things.example/i/1', '/items/1'],
      ['HTTP://192.168.1.5:3000/i/1', '/items/1'],
      ['/items/3?q=paint', '/items/3'],
      ['#2', '/items/2'],
      ['3', '/items/3'],
      ['sn-7', '/items/1'],
      ['INV-0042', '/items/4'],
      // The serial number of one, and the number of another.
      ['2', '/scan?code=2'],
      // One code of a product, with the leading 0 or without it.
      ['036000291452', '/scan?code=036000291452'],
      ['https://things.example/i/99', '/scan?code=https%3A%2F%2Fthings.example%2Fi%2F99'],
      ['SN', '/scan?code=SN'],
      // The digest of a row without a reference.
      ['row-digest', '/scan?code=row-digest'],
    ] as const;
    for (const [code, path] of cases) assert.equal((await scan('', code)).path, path, code);
    const several = (await scan('?mode=count', '0036000291452')).page;
    assert.match(several, /Several things have the code <bdi>0036000291452<\/bdi>/);
    assert.match(
      several,
      /name="code" value="#2">Paint<[\s\S]*name="code" value="#3">Paint, used</,
    );
    assert.match((await scan('', '/i/99')).page, /href="\/items\/99">What happened to No\. 99</);
  },
);

repeatOnEngines('a code is found in the texts of a team’s own that a search finds', async (t) => {
  const { database, scan } = await openItems(t);
  await database.write(async (one) => {
    const tool = await addItemKind(one, { name: 'Tool' });
    const text = { kind: 'text', searched: true } as const;
    await addOwnField(one, { ...text, label: 'Batch' });
    await addOwnField(one, { ...text, label: 'Secret', searched: false });
    await addOwnField(one, { kind: 'long text', label: 'Note', searched: true });
    await addOwnField(one, { ...text, label: 'Gauge', itemKind: tool });
  });
  const own = { 1: '00420-B', 2: 'hidden', 3: 'a note', 4: 'G-7' };
  await addItem(database, { name: 'Hose', own });
  const find = async (code: string) => (await scan('', code)).path;
  assert.equal(await find('00420-B'), '/items/5');
  assert.equal(await find('g-7'), '/items/5');
  // The key of the list, which has no zeros at the beginning, is not enough; and no part is.
  for (const code of ['420-B', '00420', 'hidden', 'a note'])
    assert.match((await find(code)) ?? '', /^\/scan/, code);
  const hide = (table: 'own_fields' | 'item_kinds', id: number) =>
    database.write((one) =>
      one.updateTable(table).set({ removed: 1 }).where('id', '=', id).execute(),
    );
  await hide('own_fields', 1);
  await hide('item_kinds', 1);
  for (const code of ['00420-B', 'g-7']) assert.match((await find(code)) ?? '', /^\/scan/, code);
});

repeatOnEngines('each mode does one thing, says it in one message, and has its Undo', async (t) => {
  const { scan, member, factsOf } = await openItems(t);
  const cases = [
    ['?mode=move&place=Cellar%2C+shelf+2', 'SN-7', 1, '“Drill” is in Cellar, shelf 2 now.'],
    ['?mode=count', '#2', 2, '“Paint”: 6. Before: 5.'],
    ['?mode=lend&to=Bo', '#1', 1, 'Bo has “Drill” now.'],
  ] as const;
  for (const [query, code, number, message] of cases) {
    const before = await factsOf(number);
    const { page, path } = await scan(query, code);
    assert.equal(messageOf(page), message);
    assert.equal(path, `/scan${query}`);
    assert.notDeepEqual(await factsOf(number), before);
    const undo = formIn(page, '/undo');
    const undone = await member.post(actionOf(undo), hiddenFields(undo));
    assert.equal(pathOf(undone), `/scan${query}`);
    assert.equal(messageOf(bodyText(await member.follow(undone))), '1 change was undone.');
    assert.deepEqual(await factsOf(number), before);
  }
  const counted = await scan('?mode=count', '#2', { counted: '4' });
  assert.equal(messageOf(counted.page), '“Paint”: 4. Before: 5.');
  await scan('?mode=lend&to=Bo', '#1');
  assert.equal(messageOf((await scan('?mode=return', '#1')).page), '“Drill” is back from Bo.');
  assert.equal((await factsOf(1)).to, '');
});

repeatOnEngines(
  'the code of a place chooses it to move things to, and else leads to it',
  async (t) => {
    const { scan, factsOf, database } = await openItems(t);
    await addItem(database, { name: 'Shelf', location: 'Cellar, shelf 2' });
    const { id } = await database.read
      .selectFrom('places')
      .select('id')
      .where('path', '=', 'Cellar, shelf 2')
      .executeTakeFirstOrThrow();
    const code = `https://things.example/p/${id}`;
    const chosen = await scan('?mode=move', code);
    assert.equal(chosen.path, '/scan?mode=move&place=Cellar%2C+shelf+2');
    assert.equal(messageOf(chosen.page), 'Things go to Cellar, shelf 2 now: scan them.');
    await scan('?mode=move&place=Cellar%2C+shelf+2', '#1');
    assert.equal((await factsOf(1)).location, 'Cellar, shelf 2');
    assert.equal((await scan('?mode=count', code)).path, `/places/${id}`);
    assert.match((await scan('?mode=move', '/p/999')).page, /Scan the code of a place above/);
  },
);

test('a scan that changes nothing says why', async (t) => {
  const { scan, factsOf } = await openItems(t);
  const say = async (query: string, code: string, more = {}) =>
    messageOf((await scan(query, code, more)).page);
  assert.equal(await say('?mode=move&place=Office', '#1'), '“Drill” is in Office already.');
  assert.equal(await say('?mode=return', '#1'), '“Drill” is not lent.');
  assert.equal(await say('?mode=count', '#1', { counted: '2' }), '“Drill”: 2, as it was stored.');
  await scan('?mode=lend&to=Bo', '#1');
  await scan('?mode=lend&to=Ada', '#1');
  assert.equal((await factsOf(1)).to, 'Bo,ada');
  assert.match(
    (await say('?mode=lend&to=Cy', '#1')) ?? '',
    /^“Drill” is lent already, to Bo and ada\.$/,
  );
  assert.equal(
    await say('?mode=count', '#1', { counted: '1' }),
    '“Drill”: 2. More than 1 are lent.',
  );
  assert.match(
    (await say('?mode=return', '#1')) ?? '',
    /is lent to Bo and ada: return it on its page\./,
  );
});

testOnEngines('a scan that is sent twice counts once, and three at once count once', async (t) => {
  const { member, factsOf, database } = await openItems(t);
  const page = bodyText(await member.get('/scan?mode=count'));
  const form = { ...hiddenFields(formIn(page, '/scan')), code: '#2' };
  const answers = await Promise.all(
    [1, 2, 3].map(() => member.post('/scan?mode=count&send=', form)),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]));
  assert.equal((await factsOf(2)).quantity, 6);
  assert.equal((await listBatches(database)).length, 1);
});

test('an unknown code is offered for a new thing, in the field for it', async (t) => {
  const { scan, member } = await openItems(t);
  const offered = async (code: string) =>
    /href="(\/items\/new[^"]*)">Add with this code/
      .exec((await scan('?mode=move&place=Attic', code)).page)?.[1]
      ?.replaceAll('&amp;', '&');
  const behind = 'scan=&mode=move&place=Attic';
  assert.equal(await offered('4006381333931'), `/items/new?code=4006381333931&${behind}`);
  assert.equal(await offered('4006381333932'), `/items/new?serial=4006381333932&${behind}`);
  const form = bodyText(await member.get((await offered('AB 1&2')) ?? ''));
  assert.match(form, /name="serial"[^>]* value="AB 1&amp;2"/);
  assert.match(form, /name="location"[^>]* value="Attic"/);
});

testOnEngines(
  '“Add with this code” leads back to the page to scan, in its mode, and counts once',
  async (t) => {
    const { scan, member, items } = await openItems(t);
    const behind = '?mode=move&place=Attic';
    const { page: sought } = await scan(behind, 'AB-9');
    const [, link = ''] = /href="([^"]*)">Add with this code/.exec(sought) ?? [];
    const page = await member.get(link.replaceAll('&amp;', '&'));
    assert.match(bodyText(page), /href="\/scan\?mode=move&amp;place=Attic">Cancel</);
    const typed = { serial: 'AB-9', location: 'Attic', quantity: '1', button: 'save' };
    const refused = await member.submit(page, { ...typed, name: ' ' });
    assert.equal(refused.status, 400);
    // The session has ended in between.
    await member.post('/logout');
    const unknown = await member.submit(refused, { ...typed, name: 'Anvil' });
    assert.equal(unknown.status, 401);
    const logIn = await member.submit(unknown, { username: 'ada', password: PASSWORD });
    const draft = formIn(bodyText(await member.follow(logIn)), '/items');
    assert.match(draft, /name="name"[^>]* value="Anvil"/);
    const sent = { ...hiddenFields(draft), ...typed, name: 'Anvil' };
    const [first, again] = await Promise.all([1, 2].map(() => member.post(actionOf(draft), sent)));
    assert.ok(first !== undefined && again !== undefined);
    assert.deepEqual([first, again].map(pathOf), [`/scan${behind}`, `/scan${behind}`]);
    assert.deepEqual([first.status, (await items.list(1)).itemCount], [303, 5]);
    const back = bodyText(await member.follow(first));
    assert.equal(messageOf(back), '“Anvil” was added as No. 5.');
    const undo = formIn(back, '/delete');
    const undone = await member.post(actionOf(undo), hiddenFields(undo));
    assert.equal(pathOf(undone), `/scan${behind}`);
    assert.equal(messageOf(bodyText(await member.follow(undone))), '“Anvil” was deleted.');
    assert.equal((await items.list(1)).itemCount, 4);
  },
);

test('“Save and add another” keeps the way back to the page to scan', async (t) => {
  const { member } = await openItems(t);
  const path = '/items/new?serial=AB-9&scan=&mode=count';
  const saved = await member.submit(path, { name: 'Anvil', button: 'another' });
  assert.equal(pathOf(saved), '/items/new?saved=5&scan=&mode=count');
  const next = await member.follow(saved);
  const last = await member.submit(next, { name: 'Bellows', button: 'save' });
  assert.equal(pathOf(last), '/scan?mode=count');
});

test('a refused scan keeps the code and the mode, also through a log-in', async (t) => {
  const { application, member } = await openItems(t);
  const empty = await member.submit('/scan?mode=move&place=Attic', { code: ' ' });
  assert.equal(empty.status, 400);
  assert.match(bodyText(empty), /<h1>Move to <bdi>Attic<\/bdi><\/h1>/);
  const wrong = await member.submit('/scan?mode=count', { code: '#1', counted: 'many' });
  assert.match(bodyText(wrong), /name="code"[^>]* value="#1"/);
  const visitor = createVisitor(application);
  const path = '/scan?mode=move&place=Attic';
  const refused = await visitor.post(`${path}&send=`, { code: 'SN-7', counted: '' });
  assert.equal(refused.status, 401);
  const form = hiddenFields(bodyText(refused));
  const loggedIn = await visitor.post('/login', { ...form, username: 'ada', password: PASSWORD });
  assert.equal(headerOf(loggedIn, 'Location'), path);
  assert.match(bodyText(await visitor.follow(loggedIn)), /name="code"[^>]* value="SN-7"/);
});

test('a mode without its place or person asks for it, and only this page may use the camera', async (t) => {
  const { member } = await openItems(t);
  for (const mode of ['move', 'lend']) {
    const page = bodyText(await member.get(`/scan?mode=${mode}`));
    assert.match(page, /<details open>/);
    // The code of a place can be scanned.
    assert.equal(/name="code"/.test(page), mode === 'move');
  }
  const camera = async (path: string) =>
    /camera=\S*/.exec(headerOf(await member.get(path), 'Permissions-Policy') ?? '')?.[0];
  assert.equal(await camera('/scan'), 'camera=(self),');
  assert.equal(await camera('/items'), 'camera=(),');
});

test('a number is sure with its sign, and a check digit tells an EAN', () => {
  assert.deepEqual(readItemNumber('17'), { number: 17, isSure: false });
  assert.deepEqual(readItemNumber('No. 17'), { number: 17, isSure: true });
  for (const text of ['i/17', 'https://a.example/x/i/17', '/i/017', '/i/17/edit', 'ftp://a/i/17'])
    assert.equal(readItemNumber(text), null, text);
  assert.deepEqual(
    ['96385074', '036000291452', '4006381333931', '14006381333938', '4006381333930', '12345'].map(
      fieldOfCode,
    ),
    ['code', 'code', 'code', 'code', 'serial', 'serial'],
  );
});
