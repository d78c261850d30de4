/** What people type to find a thing, and the order in which they look for it. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import {
  addAccount,
  addItem,
  openTestDatabase,
  repeatOnEngines,
} from '../testing/open-test-database.ts';
import { createItemExport } from './export/item-export.ts';
import { createItems } from './item.ts';
import { ALL_ITEMS, type ItemQuery } from './item-query.ts';
import type { NewItem } from './item-rows.ts';
import { lendItem, returnItem } from './lend/lend-item.ts';

async function openItems(t: TestContext, things: readonly (string | Partial<NewItem>)[]) {
  const database = await openTestDatabase(t);
  for (const thing of things)
    await addItem(database, {
      name: 'Thing',
      ...(typeof thing === 'string' ? { name: thing } : thing),
    });
  const items = createItems(database);
  const names = async (query: Partial<ItemQuery>) =>
    (await items.list(1, query)).items.map(({ name }) => name);
  const find = async (search: string) => (await names({ search })).join(' | ');
  return { database, items, names, find };
}

repeatOnEngines(
  'names come first, then locations and tags, serial numbers, borrowers, and texts',
  async (t) => {
    const { database, items } = await openItems(t, [
      { name: 'Akkuschrauber' },
      { name: 'Ladegerät für Akkus' },
      { name: 'Makkuratte' },
      { name: 'Regal', location: 'Akkuschrank, links' },
      { name: 'Kiste', tags: ['strom', 'akku'] },
      { name: 'Waage', serial: 'AKKU-77' },
      { name: 'Leiter' },
      { name: 'Bohrer', description: 'mit Akku' },
      { name: 'Zange', description: 'Ersatzakku' },
      { name: 'Hammer' },
    ]);
    await addAccount(database, 1, 'ada');
    await database.write((transaction) =>
      lendItem(transaction, 7, { to: 'Herr Akkuman', until: null }, 1),
    );
    const query = { ...ALL_ITEMS, search: 'akku', seesBorrowers: true };
    const best = [1, 2, 3, 5, 4, 6, 7, 8, 9];
    const list = async (asked: ItemQuery) =>
      (await items.list(1, asked)).items.map(({ number }) => number);
    assert.deepEqual(await list(query), best);
    assert.deepEqual(await items.findMatching(query), best);
    const batches = await createItemExport(database)(query);
    const exported = (await Array.fromAsync(batches)).flat();
    assert.deepEqual(
      exported.map(({ number }) => number),
      best,
    );
    for (const [at, number] of best.entries())
      assert.deepEqual(await items.neighbours(number, query), {
        previous: best[at - 1] ?? null,
        next: best[at + 1] ?? null,
      });
  },
);

repeatOnEngines('of more matches than a list has, the best are listed', async (t) => {
  const others = Array.from({ length: 1_100 }, (_, at) => ({
    name: `Kiste ${at}`,
    description: 'mit Akku',
  }));
  const { items, find } = await openItems(t, ['Akkuschrauber', 'Neuer Akku', ...others]);
  assert.match(await find('akku'), /^Akkuschrauber \| Neuer Akku \| Kiste 1099 \|/);
  const { itemCount, isTruncated } = await items.list(50, { search: 'akku' });
  assert.deepEqual([itemCount, isTruncated], [1_000, true]);
});

repeatOnEngines('the words of a search may be in several fields', async (t) => {
  const { find } = await openItems(t, [
    { name: 'Akku', description: 'Keller' },
    { name: 'Akku', location: 'Keller' },
    { name: 'Kellerakku', description: 'x' },
    { name: 'Schrauber Akku Keller' },
    { name: 'Keller Akku' },
    { name: 'Akku Keller' },
  ]);
  assert.equal(
    await find('akku keller'),
    'Akku Keller | Keller Akku | Schrauber Akku Keller | Kellerakku | Akku | Akku',
  );
});

repeatOnEngines('digits of a search count', async (t) => {
  const places = ['Werkstatt, Regal 1', 'Werkstatt, Regal 2', 'Werkstatt, Regal 12', 'Werkstatt'];
  const { items, names, find } = await openItems(t, [
    ...places.map((location) => ({ name: location, location })),
    'Kiste 2b',
    'Kiste 20',
  ]);
  const search = 'Werkstatt, Regal 2';
  assert.deepEqual(await names({ search }), ['Werkstatt, Regal 2']);
  assert.equal((await items.list(1, { search })).isSearchShortened, false);
  assert.equal(await find('regal 12'), 'Werkstatt, Regal 12');
  assert.equal(
    await find('regal'),
    'Werkstatt, Regal 12 | Werkstatt, Regal 2 | Werkstatt, Regal 1',
  );
  assert.equal(await find('kiste 2'), 'Kiste 2b');
  assert.equal(await find('2'), 'Kiste 2b | Werkstatt, Regal 2');
  assert.equal(await find('kiste 9'), '');
});

repeatOnEngines('every way to write a size, a unit or a sign finds the others', async (t) => {
  const same = [
    ['10 mm', '10mm', '10\u00a0mm', '10㎜', '１０ｍｍ'],
    ['M8×30', 'm8x30', 'M8 x 30', 'm8 × 30', 'M8*30'],
    ['USB-C', 'usbc', 'USB‑C', 'usb–c'],
    ['Wi-Fi', 'wifi', 'WiFi'],
    ['R&D', 'r&d', 'rd'],
    ['C++', 'c++', 'Ｃ＋＋'],
    ['C#', 'c#'],
    ['230V', '230 v'.replace(' v', ' V'), '230v'],
    ['½ Zoll', '1/2 zoll'],
  ];
  for (const spellings of same) {
    const { find } = await openItems(t, [...spellings, 'Vitamin D', 'Kabel']);
    const all = spellings.toReversed().join(' | ');
    for (const typed of spellings) assert.equal(await find(typed), all, typed);
  }
});

repeatOnEngines('emoji and other signs are words', async (t) => {
  const { find } = await openItems(t, [
    'Hammer 🔨',
    '👷🏽‍♀️ Helm',
    '❤️',
    'Flagge 🇩🇪',
    '5 €',
    '100 %',
  ]);
  assert.equal(await find('🔨'), 'Hammer 🔨');
  assert.equal(await find('hammer🔨'), 'Hammer 🔨');
  assert.equal(await find('👷'), '👷🏽‍♀️ Helm');
  assert.equal(await find('👷🏽‍♀️'), '👷🏽‍♀️ Helm');
  assert.equal(await find('❤'), '❤️');
  assert.equal(await find('🇩🇪'), 'Flagge 🇩🇪');
  assert.equal(await find('🇩🇰'), '');
  assert.equal(await find('5€'), '5 €');
  assert.equal(await find('%'), '');
});

repeatOnEngines('what nobody sees makes no difference', async (t) => {
  const hidden = [
    '\u00ad',
    '\u200b',
    '\u200c',
    '\u200d',
    '\u2060',
    '\ufeff',
    '\u202a',
    '\u3164',
    '\ufe0f',
  ];
  const { items, find } = await openItems(
    t,
    hidden.map((one) => `Akku${one}schrauber`),
  );
  assert.equal((await items.list(1, { search: 'akkuschrauber' })).itemCount, hidden.length);
  assert.equal((await find('akku\u00adschrauber')).split(' | ').length, hidden.length);
});

repeatOnEngines('letters of Arabic and Persian, and digits of all scripts, are one', async (t) => {
  const same = [
    ['علي', 'علی', 'عَلِيّ', 'عـــلی', 'على'],
    ['كتاب', 'کتاب', 'كِتَاب'],
    ['أحمد', 'احمد', 'إحمد', 'آحمد', 'ٱحمد'],
    ['مدرسة', 'مدرسه'],
    ['جعبه ۱۲', 'جعبه ١٢', 'جعبه 12', 'جعبه १२', 'جعبه １２'],
    ['Straße', 'STRASSE', 'strasse'],
    ['Ünal', 'unal', 'U\u0308nal'],
    ['ＡＢＣ', 'abc'],
    ['ﬁle', 'file'],
  ];
  for (const spellings of same) {
    const { items } = await openItems(t, [...spellings, 'Thing']);
    for (const search of spellings)
      assert.equal((await items.list(1, { search })).itemCount, spellings.length, search);
  }
});

repeatOnEngines('a borrower finds the lent thing, and a visitor finds out nothing', async (t) => {
  const { database, items } = await openItems(t, ['Drill', 'Saw', 'Müller’s ladder']);
  await addAccount(database, 1, 'ada');
  const list = async (search: string, seesBorrowers: boolean) => {
    const { items: found, itemCount, suggestion } = await items.list(1, { search, seesBorrowers });
    assert.equal(itemCount, found.length);
    return suggestion ?? found.map(({ number }) => number);
  };
  const lend = (number: number, to: string) =>
    database.write((transaction) => lendItem(transaction, number, { to, until: null }, 1));
  await lend(1, 'Jürgen Müller');
  await lend(2, 'Anneliese');
  assert.deepEqual(await list('müller', true), [3, 1]);
  assert.deepEqual(await list('jurgen drill', true), [1]);
  assert.deepEqual(await list('anne', true), [2]);
  for (const search of [
    'jürgen',
    'anneliese',
    'annelise',
    'saw anneliese',
    'drill müller',
    'liese',
  ])
    assert.deepEqual(await list(search, false), [], search);
  assert.deepEqual(await list('müller', false), [3]);
  assert.deepEqual(await items.neighbours(1, { ...ALL_ITEMS, search: 'jürgen' }), {
    previous: null,
    next: null,
  });
  const at = (await items.find(2))?.loans[0]?.at ?? '';
  await database.write((transaction) => returnItem(transaction, 2, { lent: at, part: null }, 1));
  assert.deepEqual(await list('anneliese', true), []);
  assert.deepEqual(await list('saw', true), [2]);
});

repeatOnEngines('names are sorted by language, and numbers in them as numbers', async (t) => {
  const sorted = [
    '9 Nägel',
    '10 Nägel',
    'Apfel',
    'Äpfel',
    'Apfelmus',
    'Ärmel',
    'box 1',
    'Box 2',
    'Box 10',
    'Box 10 rot',
    'BOX 100',
    'Élan',
    'Emil',
    'Ofen',
    'Öl',
    'Oma',
    'Straße 3',
    'Strasse 20',
    'Zange',
    'Яблоко',
  ];
  const mixed = sorted.map((_, at) => sorted[(at * 7) % sorted.length] ?? '');
  const { items, names } = await openItems(t, mixed);
  assert.deepEqual(await names({ order: 'name' }), sorted);
  assert.deepEqual(await names({ order: '-name' }), sorted.toReversed());
  const numbers = (await items.list(1, { order: 'name' })).items.map(({ number }) => number);
  for (const [at, number] of numbers.entries())
    assert.deepEqual(await items.neighbours(number, { ...ALL_ITEMS, order: 'name' }), {
      previous: numbers[at - 1] ?? null,
      next: numbers[at + 1] ?? null,
    });
});
