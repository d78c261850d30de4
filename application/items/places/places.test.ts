/** Places through the real router: made on the way and on purpose, renamed, moved, merged, removed, and undone. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, createVisitor, hiddenFields } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
} from '../../testing/create-test-application.ts';
import { dumpDatabase } from '../../testing/dump-database.ts';
import { formIn } from '../../testing/form-in.ts';
import {
  addItem,
  openAnother,
  openTestDatabase,
  repeatOnEngines,
  testOnEngines,
} from '../../testing/open-test-database.ts';
import { unavailableOnce } from '../../testing/unavailable-once.ts';
import { createItems } from '../item.ts';
import { createMoveRest, moveNumbers } from './move-things.ts';
import { renamePlace } from './rename-place.ts';

async function openPlaces(t: TestContext, locations: readonly string[]) {
  const database = await openTestDatabase(t);
  const application = await createTestApplication(t, { database });
  for (const [index, location] of locations.entries())
    await addItem(database, { name: `Thing ${index + 1}`, location });
  const member = await createMember(application);
  const { items, places } = application.models;
  const idOf = async (location: string) =>
    (await places.idsOf([location])).get(location) ?? assert.fail(`no place ${location}`);
  const edit = async (id: number, fields: Readonly<Record<string, string>>) => {
    const path = `/places/${id}/edit`;
    const form = formIn(bodyText(await member.get(path)), path);
    const { name = '', inside = '', ...hidden } = hiddenFields(form);
    const place = (await places.find(id)) ?? assert.fail();
    const outer = place.path.slice(0, -`, ${place.name}`.length);
    return member.post(path, {
      name: name || place.name,
      inside: inside || outer,
      ...hidden,
      ...fields,
    });
  };
  const undo = async (batch: number) => {
    const path = `/items/history/batches/${batch}`;
    const page = bodyText(await member.get(path));
    return member.post(`${path}/undo`, hiddenFields(formIn(page, `${path}/undo`)));
  };
  const tree = async () =>
    (await places.tree())?.map(({ path, items, inside }) => `${path}: ${items} + ${inside}`).sort();
  const whereThings = async () =>
    (await items.list(1, { order: 'oldest' })).items.map(({ location }) => location);
  return { application, database, member, items, places, idOf, edit, undo, tree, whereThings };
}

repeatOnEngines(
  'the first item in a location makes its place and all that it is inside, whatever the spelling',
  async (t) => {
    const spellings = [
      'Werkstatt,Regal 1',
      'werkstatt , Regal  1',
      'Werkstatt, Regal 1',
      'Büro，Kiste',
      '',
    ];
    const { tree, places } = await openPlaces(t, spellings);
    assert.deepEqual(await tree(), [
      'Büro, Kiste: 1 + 0',
      'Büro: 0 + 1',
      'Werkstatt, Regal 1: 3 + 0',
      'Werkstatt: 0 + 3',
    ]);
    const ids = await places.idsOf(['WERKSTATT ,regal 1', 'werkstatt', 'nowhere']);
    assert.deepEqual([...ids.keys()], ['WERKSTATT ,regal 1', 'werkstatt']);
  },
);

repeatOnEngines(
  'a place is renamed with what is in it and inside, keeps its address, and one button undoes it',
  async (t) => {
    const before = ['Office', 'office, drawer 2', 'Office, Bär', 'Office2', ''];
    const { member, idOf, edit, undo, whereThings, items, places } = await openPlaces(t, before);
    const [office, drawer] = [await idOf('Office'), await idOf('Office, drawer 2')];
    const answer = await edit(office, { name: 'Studio' });
    assert.equal(headerOf(answer, 'Location'), `/places/${office}`);
    assert.deepEqual(await whereThings(), [
      'Studio',
      'Studio, drawer 2',
      'Studio, Bär',
      'Office2',
      '',
    ]);
    assert.equal(await idOf('Studio, drawer 2'), drawer);
    assert.equal((await items.list(1, { search: 'studio' })).itemCount, 3);
    const shown = bodyText(await member.follow(answer));
    assert.match(shown, /Renamed the place “Office” with 3 items to “Studio”\./);
    assert.match(shown, /Undo/);
    // What links with the old name mean.
    assert.equal(headerOf(await member.get(`/p/${drawer}`), 'Location'), `/places/${drawer}`);
    const old = await member.get('/items?location=Office%2C+drawer+2&sort=name');
    assert.equal(headerOf(old, 'Location'), '/items?location=Studio%2C+drawer+2&sort=name');
    assert.equal(
      headerOf(await member.get('/places/at?location=office%2Cdrawer+2'), 'Location'),
      `/places/${drawer}`,
    );
    // What is put there meanwhile moves along with the undo.
    await member.submit('/items/new', { name: 'Later', location: 'Studio, drawer 9' });
    assert.equal((await undo(1)).status, 303);
    assert.deepEqual(await whereThings(), [...before, 'Office, drawer 9']);
    assert.equal(await idOf('Office'), office);
    assert.equal((await idOf('Office, drawer 9')) > 0, true);
    assert.deepEqual(await places.resolve('Studio'), { id: office, path: 'Office', isExact: true });
  },
);

repeatOnEngines(
  'a place moves into another, and two with one name become one after a question',
  async (t) => {
    const before = [
      'Office, drawer 1',
      'office, drawer 2, left',
      'Office 2',
      'Cellar',
      'Cellar, drawer 1',
    ];
    const { member, idOf, edit, undo, whereThings, tree } = await openPlaces(t, before);
    const [office, drawer, cellar] = [
      await idOf('Office'),
      await idOf('Office, drawer 1'),
      await idOf('Cellar'),
    ];
    assert.equal((await edit(await idOf('Office 2'), { inside: 'House, top' })).status, 303);
    assert.equal((await whereThings())[2], 'House, top, Office 2');
    const asked = await edit(office, { name: 'cellar' });
    assert.equal(asked.status, 409);
    const question = bodyText(asked);
    assert.match(question, /There is a place “Cellar” already, with 2 items/);
    const form = hiddenFields(formIn(question, `/places/${office}/edit`));
    const answer = await member.post(`/places/${office}/edit`, {
      ...form,
      name: 'cellar',
      inside: '',
    });
    assert.equal(headerOf(answer, 'Location'), `/places/${cellar}`);
    assert.deepEqual(await whereThings(), [
      'Cellar, drawer 1',
      'Cellar, drawer 2, left',
      'House, top, Office 2',
      'Cellar',
      'Cellar, drawer 1',
    ]);
    // Both labels lead there.
    assert.equal(headerOf(await member.get(`/p/${office}`), 'Location'), `/places/${cellar}`);
    const merged = await idOf('Cellar, drawer 1');
    assert.equal(headerOf(await member.get(`/places/${drawer}`), 'Location'), `/places/${merged}`);
    assert.equal((await undo(2)).status, 303);
    assert.equal((await undo(1)).status, 303);
    assert.deepEqual(await whereThings(), before);
    assert.deepEqual(
      [await idOf('Office'), await idOf('Office, drawer 1'), await idOf('Cellar, drawer 1')],
      [office, drawer, merged],
    );
    assert.deepEqual(await tree(), [
      'Cellar, drawer 1: 1 + 0',
      'Cellar: 1 + 1',
      'Office 2: 1 + 0',
      'Office, drawer 1: 1 + 0',
      'Office, drawer 2, left: 1 + 0',
      'Office, drawer 2: 0 + 1',
      'Office: 0 + 2',
    ]);
  },
);

repeatOnEngines(
  'places are made before anything is in them, and removed when nothing is',
  async (t) => {
    const { member, idOf, tree, undo } = await openPlaces(t, ['Rack, shelf 2']);
    const lines = 'Shelf 1\r\n\r\nshelf 2\r\nShelf 3, box\r\nshelf 1';
    const answer = await member.submit('/places/new', { places: lines, inside: 'rack' });
    assert.match(bodyText(await member.follow(answer)), /3 places were added\./);
    const all = [
      'Rack, Shelf 1: 0 + 0',
      'Rack, Shelf 3, box: 0 + 0',
      'Rack, Shelf 3: 0 + 0',
      'Rack, shelf 2: 1 + 0',
      'Rack: 0 + 1',
    ];
    assert.deepEqual(await tree(), all);
    const again = await member.submit('/places/new', { places: 'Rack, shelf 1', inside: '' });
    assert.match(bodyText(await member.follow(again)), /1 place is there already\./);
    const shelf = await idOf('Rack, shelf 1');
    const page = bodyText(await member.get(`/places/${shelf}`));
    const remove = `/places/${shelf}/remove`;
    assert.equal((await member.post(remove, hiddenFields(formIn(page, remove)))).status, 303);
    assert.deepEqual(await tree(), all.slice(1));
    assert.equal((await undo(2)).status, 303);
    assert.deepEqual(await tree(), all);
    assert.equal((await undo(1)).status, 303);
    assert.deepEqual(await tree(), ['Rack, shelf 2: 1 + 0', 'Rack: 0 + 1']);
  },
);

testOnEngines('of two people who rename a place at once, the second is asked', async (t) => {
  const { member, idOf, edit, whereThings } = await openPlaces(t, ['Office']);
  const office = await idOf('Office');
  const path = `/places/${office}/edit`;
  const opened = hiddenFields(formIn(bodyText(await member.get(path)), path));
  assert.equal((await edit(office, { name: 'Studio' })).status, 303);
  const asked = await member.post(path, { ...opened, name: 'Atelier' });
  assert.equal(asked.status, 409);
  assert.match(bodyText(asked), /it is “Studio” now/);
  assert.match(bodyText(asked), /value="Atelier"/);
  const form = hiddenFields(formIn(bodyText(asked), path));
  assert.equal((await member.post(path, { ...form, name: 'Atelier' })).status, 303);
  assert.deepEqual(await whereThings(), ['Atelier']);
});

repeatOnEngines(
  'the undo of a rename is refused once the place was renamed again, or its name is taken',
  async (t) => {
    const { member, idOf, edit, undo, whereThings } = await openPlaces(t, ['Office']);
    const office = await idOf('Office');
    await edit(office, { name: 'Studio' });
    await edit(office, { name: 'Atelier' });
    const refused = await undo(1);
    assert.equal(refused.status, 409);
    assert.match(bodyText(refused), /renamed, moved or removed again since/);
    await member.submit('/items/new', { name: 'New', location: 'studio' });
    const taken = await undo(2);
    assert.equal(taken.status, 409);
    assert.match(bodyText(taken), /There is another place “studio” by now/);
    assert.deepEqual(await whereThings(), ['Atelier', 'studio']);
    // A new place of the name is what links with it mean.
    const link = await member.get('/places/at?location=Studio');
    assert.equal(headerOf(link, 'Location'), `/places/${await idOf('studio')}`);
  },
);

repeatOnEngines(
  'what a rename had no time for is named on the page, and one button goes on',
  async (t) => {
    const before = ['Office', 'office, 1', 'Office, 2', 'Office, 2'];
    const { member, database, idOf, undo, whereThings } = await openPlaces(t, before);
    const office = await idOf('Office');
    const renaming = { id: office, version: 1, name: 'Studio', inside: '', merge: null };
    const begun = await database.write((one) => renamePlace(one, renaming, 1, 2));
    const moving = { place: office, batch: begun.batch, author: 1 };
    const stopped = await createMoveRest(unavailableOnce(database))(moving, begun);
    assert.deepEqual([stopped.moved, stopped.left], [2, 2]);
    assert.deepEqual(await whereThings(), ['Studio', 'Studio, 1', 'Office, 2', 'Office, 2']);
    const page = bodyText(await member.get(`/places/${office}`));
    assert.match(page, /2 items still have an earlier name of this place/);
    const move = `/places/${office}/move`;
    assert.equal((await member.post(move, hiddenFields(formIn(page, move)))).status, 303);
    assert.deepEqual(await whereThings(), ['Studio', 'Studio, 1', 'Studio, 2', 'Studio, 2']);
    assert.equal((await undo(1)).status, 303);
    assert.deepEqual(await whereThings(), before);
  },
);

test('two copies at once of the form that moves the rest say what is left', async (t) => {
  const { member, database, idOf } = await openPlaces(t, ['Office', 'Office, 2']);
  const office = await idOf('Office');
  const renaming = { id: office, version: 1, name: 'Studio', inside: '', merge: null };
  await database.write((one) => renamePlace(one, renaming, 1, 1));
  // With it, the location of the rest would be too long.
  const path = 'x'.repeat(119);
  await database.write((one) =>
    one.updateTable('places').set({ path }).where('id', '=', office).execute(),
  );
  const move = `/places/${office}/move`;
  const form = hiddenFields(formIn(bodyText(await member.get(`/places/${office}`)), move));
  const [copy] = await Promise.all([member.post(move, form), member.post(move, form)]);
  // It has the messages of both.
  const page = bodyText(await member.follow(copy));
  assert.match(page, /1 item still has the earlier name/);
  assert.doesNotMatch(page, /All items have the new name/);
});

test('another spelling of the name is written to all that is in it', async (t) => {
  const { idOf, edit, whereThings } = await openPlaces(t, [
    'office',
    'office, 1',
    'Office',
    'Office, 2',
  ]);
  assert.equal((await edit(await idOf('Office'), { name: 'Office' })).status, 303);
  assert.deepEqual(await whereThings(), ['Office', 'Office, 1', 'Office', 'Office, 2']);
});

test('a name or a place that cannot be is refused with the form again', async (t) => {
  const deep = 'A, B, C, D, E, F';
  const { member, idOf, edit } = await openPlaces(t, ['Office', 'Rack, shelf', deep]);
  for (const [location, fields, message] of [
    ['Office', { name: '' }, 'Enter a name'],
    ['Office', {}, 'Enter another name, or another place'],
    ['Office', { name: 'a, b' }, 'must not have a comma'],
    ['Rack', { inside: 'rack, shelf' }, 'cannot be inside itself'],
    ['Rack', { name: 'x'.repeat(115) }, 'would be longer than 120 characters'],
    ['Office', { inside: deep }, 'inside 5 others at most'],
    ['Rack', { inside: 'A, B, C, D, E' }, 'would be inside more than 5 others'],
  ] as const) {
    const answer = await edit(await idOf(location), fields);
    assert.equal(answer.status, 400, message);
    assert.ok(bodyText(answer).includes(message), message);
  }
  for (const [places, message] of [
    ['', 'Enter the name of a place'],
    [`${deep}, G`, 'is inside more than 5 others'],
    ['x'.repeat(121), 'must be 120 characters or less'],
    [Array.from({ length: 101 }, (_, at) => `S ${at}`).join('\n'), '100 places at most'],
  ] as const) {
    const answer = await member.submit('/places/new', { places, inside: '' });
    assert.equal(answer.status, 400, message);
    assert.ok(bodyText(answer).includes(message), message);
  }
});

test('visitors see the places in which something is, and no earlier name', async (t) => {
  const { application, member, idOf, edit } = await openPlaces(t, ['Bo’s desk', 'Office, shelf']);
  const [desk, office] = [await idOf('Bo’s desk'), await idOf('Office')];
  await edit(office, { name: 'Studio' });
  await member.submit('/items/1/edit', { name: 'Thing 1', quantity: '1', location: 'Studio' });
  const visitor = createVisitor(application);
  const pages = ['/places', `/places/${office}`, `/places/${office}?after=1`];
  for (const path of pages) assert.doesNotMatch(bodyText(await visitor.get(path)), /desk|Office/);
  assert.equal((await visitor.get(`/places/${desk}`)).status, 404);
  assert.equal((await visitor.get(`/p/${desk}`)).status, 404);
  assert.doesNotMatch(
    bodyText(await visitor.get('/places/at?location=Bo’s desk, left')),
    /Look in <a href="\/places\/1/,
  );
  const emptied = bodyText(await member.get(`/places/${desk}`));
  assert.match(emptied, /Nothing is here, so it is not in the list of places/);
  assert.match(bodyText(await member.get(`/places/${office}`)), /Office/);
  const asked = await visitor.get('/places/at?location=studio%2C+attic');
  assert.equal(asked.status, 404);
  assert.match(bodyText(asked), new RegExp(`Look in <a href="/places/${office}">Studio</a>`));
});

repeatOnEngines(
  'an old location that is removed for ever is no name of a place any more',
  async (t) => {
    const { application, database, member, items, idOf, edit, places } = await openPlaces(t, [
      'Secret',
      'Secret, box',
    ]);
    const [place, box] = [await idOf('Secret'), await idOf('Secret, box')];
    assert.equal((await edit(place, { name: 'Cellar' })).status, 303);
    assert.equal((await edit(box, { inside: 'Attic' })).status, 303);
    for (const number of [1, 2]) {
      const { events } = await application.models.history.ofItem(number, 10);
      const first =
        events.find(({ changes }) => changes.location?.[0]?.startsWith('Secret')) ?? assert.fail();
      const path = `/items/${number}/history/${first.id}/remove`;
      const form = hiddenFields(formIn(bodyText(await member.get(path)), path));
      assert.equal((await member.post(path, { ...form, value: 'location' })).status, 303);
    }
    const { url } = database;
    for (const table of [
      'places',
      'place_aliases',
      'place_changes',
      'batches',
      'item_events',
      'sessions',
      'counts',
    ])
      assert.doesNotMatch(JSON.stringify((await dumpDatabase(url))[table]), /secret/i, table);
    assert.equal(await places.resolve('Secret'), null);
    assert.equal((await items.find(1))?.location, 'Cellar');
    assert.equal(await idOf('Cellar'), place);
  },
);

testOnEngines(
  'a process that knows a location makes its place anew after another one has renamed it',
  async (t) => {
    const { member, database, idOf, edit, places } = await openPlaces(t, []);
    const other = createItems(await openAnother(t, database));
    const add = () =>
      database.write((one) => other.add(one, { name: 'Lamp', location: 'Office' }, 1));
    await add();
    await add();
    const office = await idOf('Office');
    assert.equal((await edit(office, { name: 'Studio' })).status, 303);
    await add();
    assert.notEqual(await idOf('Office'), office);
    const [{ id }] = [(await places.resolve('Office')) ?? assert.fail()];
    assert.equal(id, await idOf('Office'));
    const studio = bodyText(await member.get(`/places/${office}`));
    assert.match(studio, /2 items\./);
    assert.doesNotMatch(studio, /still have an earlier name|still has an earlier name/);
  },
);

test('an item that was moved elsewhere while a rename waited for it stays there', async (t) => {
  const { database, whereThings } = await openPlaces(t, ['Office', 'Attic']);
  const by = { author: 1, batch: 1 };
  const moved = await database.write((one) =>
    moveNumbers(one, [1, 2], { key: 'OFFICE', path: 'Office' }, 'Studio', by),
  );
  assert.equal(moved, 1);
  assert.deepEqual(await whereThings(), ['Studio', 'Attic']);
});

test('readers look at places, and change none', async (t) => {
  const { application, member, idOf } = await openPlaces(t, ['Office']);
  const office = await idOf('Office');
  await member.post('/people/invitations', { name: 'Di', role: 'reader' });
  const reader = await createMember(application, 'di');
  await member.submit('/people/2', { role: 'reader' });
  assert.match(bodyText(await reader.get(`/places/${office}`)), /1 item\./);
  assert.doesNotMatch(
    bodyText(await reader.get(`/places/${office}`)),
    /Rename or move|Put things here/,
  );
  for (const [path, fields] of [
    ['/places', { places: 'Shelf' }],
    [`/places/${office}/edit`, { name: 'Studio', version: '1' }],
    [`/places/${office}/move`, {}],
    [`/places/${office}/remove`, {}],
  ] as const)
    assert.equal((await reader.post(path, fields)).status, 403, path);
  assert.equal((await createVisitor(application).post('/places', { places: 'Shelf' })).status, 401);
});
