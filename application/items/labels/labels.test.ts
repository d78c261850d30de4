/** The form of labels, its page and its file, through the real router. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, createVisitor } from 'seeother/testing';
import { addItemKind, addOwnField } from '../../own-fields/write-definitions.ts';
import {
  createApplicationWithPictures,
  createMember,
  createTestApplication,
  headerOf,
} from '../../testing/create-test-application.ts';
import { fillItems } from '../../testing/fill-items.ts';
import { addItem, openTestDatabase, repeatOnEngines } from '../../testing/open-test-database.ts';
import { PHOTOS } from '../../testing/photos.ts';
import { MAX_LABELS } from './label-form.ts';

async function openItems(t: TestContext, { filled = 0 } = {}) {
  const database = await openTestDatabase(t);
  const application = await createTestApplication(t, { database });
  if (filled > 0) await fillItems(database, filled);
  const rest = { location: 'Cellar', serial: 'SN-7', code: '4006381333931' };
  for (const name of ['Drill', 'Saw', 'Lamp & <bulb>'])
    await addItem(database, { name, ...rest, tags: name === 'Saw' ? [] : ['red'] });
  const member = await createMember(application);
  const read = async (path: string) => bodyText(await member.get(path));
  const choose = (path: string, typed: Record<string, string | readonly string[]> = {}) =>
    member.submit(path, { sheet: 'l7160', ...typed } as never);
  return { application, member, read, choose };
}

/** The names on the labels of each sheet; empty for a label that was used. */
const sheetsOf = (page: string) =>
  page
    .split('<ul class="sheet">')
    .slice(1)
    .map((sheet) =>
      sheet
        .split('<li')
        .slice(1)
        .map((label) => /<b>(.*?)<\/b>/.exec(label)?.[1] ?? ''),
    );

repeatOnEngines(
  'what is ticked, and what matches, becomes labels as they were chosen',
  async (t) => {
    const { member, read, choose } = await openItems(t);
    assert.match(await read('/items/3'), /<a href="\/items\/labels\?ticked=3">Print a label</);
    assert.match(await read('/items?tag=red'), /<a href="\/items\/labels\?tag=red">Labels</);
    const ticked = await member.submit('/items/select', {
      row_0: '3',
      row_1: '2',
      button: 'labels',
    });
    const form = headerOf(ticked, 'Location') ?? '';
    assert.equal(form, '/items/labels?ticked=2-3');
    const typed = {
      sheet: 'a22806',
      start: '12',
      copies: '2',
      texts: ['number', 'code'],
      edges: 'on',
    };
    const answer = await choose(form, typed);
    const path = headerOf(answer, 'Location') ?? '';
    assert.equal(
      path,
      '/items/labels/print?ticked=2-3&sheet=a22806&start=12&copies=2&texts=number.code&edges=',
    );
    const page = await read(path);
    assert.deepEqual(
      sheetsOf(page).map((sheet) => sheet.join()),
      [',,,,,,,,,,,Saw', 'Saw,Lamp &amp; &lt;bulb&gt;,Lamp &amp; &lt;bulb&gt;'],
    );
    assert.match(page, /<b>Saw<\/b><span>No\. 2<\/span><span>4006381333931<\/span>/);
    const css = await member.get('/items/labels/sheet.css?sheet=a22806');
    assert.match(bodyText(css), /@page \{ size: 215\.9mm 279\.4mm; margin: 0 \}/);
    const [, href = ''] = /href="([^"]*labels\.pdf[^"]*)"/.exec(page) ?? [];
    const pdf = await member.get(href.replaceAll('&amp;', '&'));
    assert.equal(headerOf(pdf, 'Content-Type'), 'application/pdf');
    // The next form begins with the choice, at the first label of a new sheet.
    const next = await read('/items/labels?tag=red');
    assert.match(next, /value="a22806" checked/);
    assert.match(next, /name="texts" value="code" checked/);
    assert.match(next, /id="start"[^>]*value="1"/);
    const red = await member.follow(await choose('/items/labels?tag=red'));
    assert.deepEqual(sheetsOf(bodyText(red)), [['Lamp &amp; &lt;bulb&gt;', 'Drill']]);
  },
);

repeatOnEngines('a label has fields of the team’s own, as people read them', async (t) => {
  const { application, read, choose } = await openItems(t);
  const { database } = application;
  assert.doesNotMatch(await read('/items/labels'), /value="own_/);
  await database.write(async (one) => {
    const tool = await addItemKind(one, { name: 'Tool' });
    await addOwnField(one, { kind: 'number', label: 'Volts', unit: 'V', itemKind: tool });
    await addOwnField(one, { kind: 'money', label: 'Price', unit: 'EUR' });
    await addOwnField(one, { kind: 'text', label: 'Shade', itemKind: tool });
  });
  const own = { 1: '1230', 2: '120.5', 3: 'grey' };
  await addItem(database, { name: 'Welder', kind: 1, own });
  // It keeps the values of the kind that it had.
  await addItem(database, { name: 'Book', own });
  await read('/items');
  const form = '/items/labels?ticked=4-5';
  assert.match(await read(form), /value="own_1"[\s\S]*Volts[\s\S]*Price[\s\S]*Shade/);
  const answer = await choose(form, { texts: ['number', 'own_3', 'own_2', 'own_1'] });
  const path = headerOf(answer, 'Location') ?? '';
  assert.match(path, /texts=number\.own_1\.own_2\.own_3$/);
  const labels = () => read(path).then((page) => page.match(/<b>.*?(?=<\/div>)/g));
  const [number, price] = ['<span>No. 4</span>', '<span>€120.50</span>'];
  const book = `<b>Book</b><span>No. 5</span>${price}`;
  const volts = '<span>1,230 V</span>';
  assert.deepEqual(await labels(), [
    `<b>Welder</b>${number}${volts}${price}<span>grey</span>`,
    book,
  ]);
  assert.match(await read(form), /name="texts" value="own_3" checked/);
  await database.write((one) =>
    one.updateTable('own_fields').set({ removed: 1 }).where('id', '=', 3).execute(),
  );
  assert.deepEqual(await labels(), [`<b>Welder</b>${number}${volts}${price}`, book]);
  const next = await read(form);
  assert.doesNotMatch(next, /own_3/);
  assert.match(next, /name="texts" value="own_2" checked/);
});

test('a label has the picture of the thing, if one is chosen and made', async (t) => {
  const application = await createApplicationWithPictures(t);
  const member = await createMember(application);
  const photo = () => new File([PHOTOS.jpeg], 'drill.jpg', { type: 'image/jpeg' });
  await member.submit('/items/new', { name: 'Drill', files: photo() });
  await member.submit('/items/new', { name: 'Book' });
  await application.pictures.run();
  await member.submit('/items/new', { name: 'Saw', files: photo() });
  const print = async (texts: readonly string[]) => {
    const answer = await member.submit('/items/labels', { sheet: 'l7160', texts });
    const page = bodyText(await member.follow(answer));
    const [, css = ''] = /rel="stylesheet" href="([^"]*sheet\.css[^"]*)"/.exec(page) ?? [];
    const [, pdf = ''] = /href="([^"]*labels\.pdf[^"]*)"/.exec(page) ?? [];
    const read = async (path: string) => {
      const { body } = await member.get(path.replaceAll('&amp;', '&'));
      return Buffer.from(body as Uint8Array).toString('latin1');
    };
    const src = page.match(/(?<=<li class="label[^>]*>.*<img src=")[^"]*/g) ?? [];
    return { src, css: await read(css), pdf: await read(pdf) };
  };
  const bare = await print(['number']);
  assert.deepEqual([bare.src.length, bare.pdf.includes('/Subtype /Image')], [0, false]);
  assert.doesNotMatch(bare.css, /\.label img/);
  const { src, css, pdf } = await print(['picture', 'number']);
  assert.equal(src.length, 1, 'of the first thing: that of the last one is not made yet');
  assert.match(src[0] ?? '', /^\/items\/1\/files\/1\//);
  const { status, body } = await member.get(src[0] ?? '');
  assert.equal(status, 200);
  assert.match(css, /\.label img \{ left: [\d.]+mm;/);
  assert.equal(pdf.split('/Subtype /Image').length, 2);
  const picture = await Array.fromAsync(body as AsyncIterable<Uint8Array>);
  assert.ok(pdf.includes(Buffer.concat(picture).toString('latin1')), 'the picture that was made');
  assert.doesNotMatch(pdf, /secret|Exif/);
  const form = bodyText(await member.get('/items/labels'));
  assert.match(form, /name="texts" value="picture" checked/);
});

test('the page says which letters the PDF lacks, before the link to it', async (t) => {
  const { application, read } = await openItems(t);
  const path = '/items/labels/print?copies=2&q=';
  assert.doesNotMatch(await read(path), /The PDF lacks/);
  for (const name of ['ไขควง', '工具箱']) await addItem(application.database, { name });
  assert.match(
    await read(path),
    /The PDF lacks letters of “<bdi>工具箱<\/bdi>” and of 1 other\.[\s\S]*labels\.pdf/,
  );
});

test('one’s own sheet is in millimetres, remembered, and refused if it cannot be', async (t) => {
  const { read, choose } = await openItems(t);
  const own = {
    ...{ pageWidth: '210', pageHeight: '297', top: '10', left: '5.5', columns: '2', rows: '4' },
    ...{ width: '97.5', height: '67', columnGap: '2', rowGap: '0' },
  };
  const send = (measures: object) =>
    choose('/items/labels', {
      sheet: 'own',
      ...Object.fromEntries(
        Object.entries(measures).map(([name, value]) => [`sheet.own.${name}`, value]),
      ),
    });
  const wide = await send({ ...own, columns: '3' });
  assert.equal(wide.status, 400);
  assert.match(
    bodyText(wide),
    /<a href="#sheet\.own\.columns">The columns need 302 mm, and the page is as wide as 210 mm</,
  );
  assert.match(bodyText(wide), /name="sheet\.own\.left"[^>]*value="5\.5"/);
  const path = headerOf(await send(own), 'Location') ?? '';
  assert.equal(path, '/items/labels/print?sheet=own_210_297_10_5.5_2_4_97.5_67_2_0');
  assert.match(
    await read('/items/labels/sheet.css?sheet=own_210_297_10_5.5_2_4_97.5_67_2_0'),
    /97\.5mm/,
  );
  assert.match(await read('/items/labels'), /name="sheet\.own\.width"[^>]*value="97\.5"/);
  // What an address cannot say is the first sheet, and no style of somebody else.
  for (const text of [
    'own_1_2',
    'own_210_297_0_0_9_9_99_99_0_0',
    'x',
    'own_210_297_10_5.5_2_4_97.5_67_2_0;}',
  ])
    assert.match(
      await read(`/items/labels/sheet.css?sheet=${encodeURIComponent(text)}`),
      /63\.5mm/,
    );
});

test('more labels than the limit are refused with a sentence, and so is a label beyond the sheet', async (t) => {
  const { choose, member } = await openItems(t, { filled: 100 });
  const many = await choose('/items/labels', { copies: '10' });
  assert.equal(many.status, 400);
  assert.match(bodyText(many), /<a href="#copies">At most 1,000 labels can be made at once/);
  assert.match(bodyText(many), /id="copies"[^>]*value="10"/);
  const beyond = await choose('/items/labels', { start: '22' });
  assert.match(bodyText(beyond), /<a href="#start">The sheet has 21 labels/);
  for (const file of ['print', 'labels.pdf']) {
    const answer = await member.get(`/items/labels/${file}?copies=${MAX_LABELS}`);
    assert.equal(answer.status, 400, file);
    assert.match(bodyText(answer), /At most 1,000 labels/);
  }
});

test('the form says which address the codes have, and warns of one that no phone can open', async (t) => {
  const local = await openItems(t);
  const page = await local.read('/items/labels');
  assert.match(page, /<strong>http:\/\/localhost\/i\/17<\/strong>/);
  assert.match(page, /No other device can open this address/);
  const origin = 'https://things.example';
  const application = await createTestApplication(t, { environment: { PUBLIC_ORIGIN: origin } });
  const member = await createMember(application, 'ada', { headers: { host: 'things.example' } });
  await addItem(application.database, { name: 'Drill' });
  const shown = bodyText(await member.get('/items/labels'));
  assert.match(shown, /<strong>https:\/\/things\.example\/i\/17<\/strong>/);
  assert.doesNotMatch(shown, /No other device/);
});

repeatOnEngines('a place has a label, and so have the places inside it', async (t) => {
  const { application, read, choose, member } = await openItems(t);
  await addItem(application.database, { name: 'Box', location: 'Cellar, shelf 2' });
  const places = await application.database.read
    .selectFrom('places')
    .select(['id', 'path'])
    .orderBy('path')
    .execute();
  const [cellar, shelf] = places.map(({ id }) => id);
  const page = await read(`/places/${cellar}`);
  assert.ok(page.includes(`href="/items/labels?places=${cellar}">Print a label<`));
  assert.ok(
    page.includes(`href="/items/labels?places=${shelf}">Print labels of the places inside<`),
  );
  const answer = await choose(`/items/labels?places=${shelf}`, { texts: ['number', 'location'] });
  const labels = bodyText(await member.follow(answer));
  assert.match(labels, new RegExp(`<b>shelf 2</b><span>Place ${shelf}</span><span>Cellar</span>`));
  assert.match(labels, /labels\.pdf\?places=/);
});

test('labels are for members', async (t) => {
  const { application } = await openItems(t);
  const visitor = createVisitor(application);
  for (const path of ['', '/print', '/labels.pdf', '/sheet.css'])
    assert.equal((await visitor.get(`/items/labels${path}`)).status, 303, path);
});
