/**
 * An export of Homebox 0.26 with 400 things: the columns of `ExportCSVRow` in
 * `backend/internal/core/services/reporting/io_row.go`, custom fields as `HB.field.*`, 0 and `false` where there is
 * nothing, paths of places with ` / `, and the places themselves as rows, as its newer releases write them.
 */
import { makeZip, type ZippedFile } from '../make-zip.ts';
import { PHOTOS } from '../photos.ts';
import { createRandom, type ExpectedThing, type RealExport, toCsv } from './make-random.ts';

const HEADINGS = [
  ...[
    'HB.import_ref',
    'HB.parent_import_ref',
    'HB.location',
    'HB.tags',
    'HB.asset_id',
    'HB.archived',
  ],
  ...['HB.url', 'HB.name', 'HB.quantity', 'HB.low_stock_threshold', 'HB.description', 'HB.insured'],
  ...['HB.notes', 'HB.purchase_price', 'HB.purchase_from', 'HB.purchase_date', 'HB.manufacturer'],
  ...['HB.model_number', 'HB.serial_number', 'HB.lifetime_warranty', 'HB.warranty_expires'],
  ...['HB.warranty_details', 'HB.sold_to', 'HB.sold_price', 'HB.sold_date', 'HB.sold_notes'],
  ...['HB.field.Condition', 'HB.field.Länge (mm)', 'HB.field.Manual', 'HB.field.Tested on'],
];

const NOUNS = [
  ...[
    'Cordless Drill',
    'Wi-Fi Router',
    'Coffee Machine',
    'Bookshelf',
    'Kühlbox',
    'Ladder, 6 m',
    'Smoke Alarm',
  ],
  ...[
    'Sewing Machine',
    '24" Monitor',
    'Extension Cord',
    'Gaskocher',
    'Tent',
    'Projector',
    'Vacuum Cleaner',
  ],
];
const PLACES = [
  ...[
    'Home / Garage / Shelf 1',
    'Home / Garage / Shelf 2',
    'Home / Living Room',
    'Home / Büro / Desk',
  ],
  ...['Cellar / Regal 1/2', 'Cellar / Box, blue', 'Attic'],
];
const CONDITIONS = ['New', 'Good', 'Needs repair', 'Good', ''];
const MAKERS = [
  'Bosch',
  'AVM',
  'De’Longhi',
  'IKEA',
  'Müller & Söhne',
  '',
  'Makita',
  'Philips',
  'Sony',
];

type Cells = Readonly<Record<string, string>>;

export function createHomeboxExport(count = 400): RealExport {
  const { things, all } = makeThings(count);
  const rows = all.map((cells) => HEADINGS.map((heading) => cells[heading] ?? ''));
  return { name: 'homebox-items.csv', file: toCsv([HEADINGS, ...rows]), things };
}

function makeThings(count: number) {
  const random = createRandom(26);
  const things: ExpectedThing[] = [];
  const all: Cells[] = [];
  const add = (cells: Cells) => all.push(cells);
  const nothing = {
    ...{ 'HB.archived': 'false', 'HB.insured': 'false', 'HB.lifetime_warranty': 'false' },
    ...{ 'HB.purchase_price': '0', 'HB.sold_price': '0', 'HB.quantity': '1' },
  };
  for (const [at, place] of ['Home', 'Garage', 'Attic'].entries())
    add({ ...nothing, 'HB.url': `https://box.example/location/7c1e-${at}`, 'HB.name': place });
  for (let at = 0; things.length < count; at++) {
    const noun = random.one(NOUNS);
    const name = random.chance(30) ? noun : `${noun} ${random.whole(1, 99)}`;
    const isArchived = random.chance(4);
    const place = random.one(PLACES);
    const quantity = random.chance(80) ? 1 : random.whole(2, 40);
    const price = random.chance(75) ? random.price().replace(/\.?0+$/, '') : '0';
    const bought = random.chance(60) ? random.day() : '';
    const warranty = random.chance(25) ? random.day() : '';
    const serial = random.chance(50) ? random.letters(10) : random.one(['', '', 'n/a']);
    const [condition, maker] = [random.one(CONDITIONS), random.one(MAKERS)];
    const length = random.chance(40) ? `${random.whole(20, 2_400)}` : '';
    const manual = random.chance(20) ? `https://manuals.example/${at}.pdf` : '';
    const tested = random.chance(30) ? random.day() : '';
    const isInsured = random.chance(10);
    add({
      ...nothing,
      'HB.location': place,
      'HB.tags': random.one(['Tools', 'Tools; Electric', '', 'Küche', 'Camping; Summer']),
      'HB.asset_id': `000-${String(at + 1).padStart(3, '0')}`,
      'HB.archived': `${isArchived}`,
      'HB.url': `https://box.example/item/${at}`,
      'HB.name': name,
      'HB.quantity': `${quantity}`,
      'HB.low_stock_threshold': quantity > 20 ? '5' : '',
      'HB.description': random.one(['', 'With case', 'Bought used; works\nfine']),
      'HB.insured': `${isInsured}`,
      'HB.notes': random.one(['', '', 'Borrowed from Jörg once']),
      'HB.purchase_price': price,
      'HB.purchase_from': price === '0' ? '' : random.one(['Amazon', 'Baumarkt', 'a friend']),
      'HB.purchase_date': bought,
      'HB.manufacturer': maker,
      'HB.model_number': random.chance(40) ? `${random.letters(2)}-${random.whole(10, 999)}` : '',
      'HB.serial_number': serial,
      'HB.warranty_expires': warranty,
      'HB.field.Condition': condition,
      'HB.field.Länge (mm)': length,
      'HB.field.Manual': manual,
      'HB.field.Tested on': tested,
    });
    if (isArchived) continue;
    things.push({
      ...{ name, quantity, serial },
      // A comma separates levels here.
      location: place.replace(', ', ' ').replaceAll(' / ', ', '),
      own: clean({
        'Purchase price': price === '0' ? '' : Number(price).toFixed(2),
        'Purchase date': bought,
        Manufacturer: maker,
        'Warranty expires': warranty,
        Insured: isInsured ? 'yes' : 'no',
        Condition: condition,
        Länge: length,
        Manual: manual,
        'Tested on': tested,
      }),
    });
  }
  return { things, all };
}

/** The same things as the zip of Homebox 0.26, with photos, documents, and thumbnails of the photos. */
export function createHomeboxZip(count = 400) {
  const random = createRandom(27);
  const { things, all } = makeThings(count);
  const types = [
    { id: 'type-0', name: 'Item', is_location: false },
    { id: 'type-1', name: 'Location', is_location: 1 },
  ];
  const entities: Record<string, unknown>[] = [];
  const tags = new Map<string, string>();
  const [tagged, fields, attachments]: [unknown[], unknown[], Record<string, unknown>[]] = [
    [],
    [],
    [],
  ];
  const files: ZippedFile[] = [];
  const places = new Map<string, string>();
  const placeOf = (path: readonly string[]): string | null => {
    if (path.length === 0) return null;
    const key = path.join(' / ');
    const known = places.get(key);
    if (known !== undefined) return known;
    const id = `place-${places.size}`;
    places.set(key, id);
    const parent = placeOf(path.slice(0, -1));
    entities.push({
      id,
      name: path.at(-1),
      entity_children: parent,
      entity_type_entities: 'type-1',
    });
    return id;
  };
  const attach = (entity: string | null, row: Readonly<Record<string, unknown>>, mark: string) => {
    const id = `${attachments.length}-5f3b-4a51-9c07`;
    attachments.push({ id, entity_attachments: entity, primary: false, ...row });
    const content = Buffer.concat([PHOTOS.jpeg, Buffer.from(mark)]);
    files.push({ path: `attachments/${id}`, content });
    return id;
  };
  const moment = (day = '') => (day === '' ? '0001-01-01T00:00:00Z' : `${day}T00:00:00Z`);
  /** By the asset ids of the things. */
  const photos = new Map<string, readonly string[]>();
  for (const [at, cells] of all.entries()) {
    if (cells['HB.url']?.includes('/location/')) continue;
    const cell = (name: string) => cells[`HB.${name}`] ?? '';
    const id = `thing-${at}`;
    entities.push({
      ...{ id, entity_type_entities: 'type-0', import_ref: null, created_at: moment('2026-01-02') },
      entity_children: placeOf(cell('location').split(' / ')),
      asset_id: Number(cell('asset_id').replace('-', '')),
      ...Object.fromEntries(
        [
          ...['name', 'description', 'notes', 'manufacturer', 'model_number', 'serial_number'],
          ...['purchase_from', 'warranty_details', 'sold_to', 'sold_notes'],
        ].map((name) => [name, cell(name)]),
      ),
      ...{ quantity: Number(cell('quantity')), purchase_price: Number(cell('purchase_price')) },
      ...{ low_stock_threshold: Number(cell('low_stock_threshold')) || null, sold_price: 0 },
      // Its database decides how these are written.
      ...{ archived: cell('archived') === 'true' ? 1 : 0, insured: cell('insured') === 'true' },
      ...{ purchase_date: moment(cell('purchase_date')), sold_date: null },
      warranty_expires: moment(cell('warranty_expires')),
    });
    for (const name of cell('tags')
      .split('; ')
      .filter((one) => one !== '')) {
      tags.set(name, `tag-${name}`);
      tagged.push({ tag_id: `tag-${name}`, entity_id: id });
    }
    for (const heading of HEADINGS.filter((one) => one.startsWith('HB.field.'))) {
      const name = heading.slice('HB.field.'.length);
      const text_value = cells[heading] ?? '';
      if (text_value !== '') fields.push({ name, type: 'text', text_value, entity_fields: id });
    }
    const names = random.chance(80) ? [`IMG_${at}.JPG`] : [];
    if (names.length > 0 && random.chance(20)) names.unshift(`front of ${at}.jpg`);
    for (const [index, title] of names.entries()) {
      // The first one that was added is not the primary one.
      const created_at = moment(`2026-02-0${9 - index}`);
      const row = { type: 'photo', title, mime_type: 'image/jpeg', primary: index === 0 };
      const thumbnail = attach(
        null,
        { type: 'thumbnail', title: 'thumbnail' },
        `thumbnail ${at} ${index}`,
      );
      attach(id, { ...row, created_at, attachment_thumbnail: thumbnail }, `photo ${at} ${index}`);
    }
    const manual = names.length > 0 && random.chance(10) ? ['manual.pdf'] : [];
    for (const title of manual)
      attach(
        id,
        { type: 'manual', title, mime_type: 'application/pdf', created_at: moment('2026-01-01') },
        `manual ${at}`,
      );
    if (cell('archived') !== 'true' && names.length > 0)
      photos.set(cell('asset_id'), [...names, ...manual]);
  }
  const tables = {
    ...{ entity_types: types, entities, entity_fields: fields, attachments, tag_entities: tagged },
    tags: [...tags].map(([name, id]) => ({ id, name })),
    manifest: { schemaVersion: 1, exportedAt: '2026-08-01T10:00:00Z', counts: {} },
  };
  const json = Object.entries(tables).map(([name, rows]) => {
    return { path: `${name}.json`, content: JSON.stringify(rows) };
  });
  return { name: 'homebox-export.zip', zip: makeZip([...json, ...files]), things, photos };
}

export function clean(own: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ''));
}
