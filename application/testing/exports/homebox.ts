/**
 * An export of Homebox 0.26 with 400 things: the columns of `ExportCSVRow` in
 * `backend/internal/core/services/reporting/io_row.go`, custom fields as `HB.field.*`, 0 and `false` where there is
 * nothing, paths of places with ` / `, and the places themselves as rows, as its newer releases write them.
 */
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

export function createHomeboxExport(count = 400): RealExport {
  const random = createRandom(26);
  const things: ExpectedThing[] = [];
  const rows: string[][] = [HEADINGS];
  const add = (cells: Readonly<Record<string, string>>) =>
    rows.push(HEADINGS.map((heading) => cells[heading] ?? ''));
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
  return { name: 'homebox-items.csv', file: toCsv(rows), things };
}

export function clean(own: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ''));
}
