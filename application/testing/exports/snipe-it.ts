/**
 * An export of the assets of Snipe-IT 8 with 400 things: every column of `AssetPresenter.php` in its order, in English,
 * with two custom fields. Most assets have no name of their own, and costs have marks for thousands.
 */
import { clean } from './homebox.ts';
import { createRandom, type ExpectedThing, type RealExport, toCsv } from './make-random.ts';

const HEADINGS = [
  ...[
    'ID',
    'Company',
    'Asset Name',
    'Device Image',
    'Asset Tag',
    'Serial',
    'Model',
    'Model No.',
    'Category',
  ],
  ...[
    'Status',
    'Checked Out To',
    'Employee No.',
    'Location',
    'Default Location',
    'Manufacturer',
    'Supplier',
  ],
  ...[
    'Purchase Date',
    'Age',
    'Purchase Cost',
    'Order Number',
    'EOL',
    'Warranty',
    'Warranty Expires',
    'Notes',
  ],
  ...['Checkouts', 'Checkins', 'Requests', 'Created At', 'Updated At', 'Checkout Date'],
  ...['Expected Checkin Date', 'Last Audit', 'Next Audit Date', 'BYOD', 'RAM', 'MAC Address'],
];

const MODELS = [
  ...[
    ['ThinkPad T14', '21HD', 'Lenovo', 'Laptop'],
    ['MacBook Pro 14"', 'A2918', 'Apple', 'Laptop'],
  ],
  ...[
    ['UltraSharp 27', 'U2723QE', 'Dell', 'Monitor'],
    ['LaserJet M404', 'W1A53A', 'HP', 'Printer'],
  ],
  ...[
    ['iPhone 15', 'A3090', 'Apple', 'Phone'],
    ['Büro-Telefon D785', '', 'Snom', 'Phone'],
  ],
] as const;
const PEOPLE = ['Jörg Müller', 'Ada Lovelace', 'Zoë Brown', 'O’Neil, Sam', 'Łukasz Nowak'];
const PLACES = ['Berlin office', 'Zürich', 'Warehouse', 'Home office', ''];

export function createSnipeItExport(count = 400): RealExport {
  const random = createRandom(8);
  const things: ExpectedThing[] = [];
  const rows: string[][] = [HEADINGS];
  for (let at = 1; at <= count; at++) {
    const [model, modelNumber, maker, category] = random.one(MODELS);
    const name = random.chance(15) ? `${category} ${random.whole(1, 400)}` : '';
    const serial = random.chance(92) ? random.letters(12) : '';
    const isOut = random.chance(40);
    const person = random.one(PEOPLE);
    const place = random.one(PLACES);
    const cents = random.whole(4_900, 389_900);
    const cost = random.chance(90)
      ? (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })
      : '';
    const bought = random.chance(90) ? random.day() : '';
    const warranty =
      bought === ''
        ? ''
        : `${bought.slice(0, 2)}${Number(bought.slice(2, 4)) + 3}${bought.slice(4)}`.replace(
            '02-29',
            '02-28',
          );
    const ram = category === 'Laptop' ? random.one(['16 GB', '32 GB', '8 GB']) : '';
    const status = isOut ? 'Deployed' : random.one(['Ready to Deploy', 'Pending', 'Broken']);
    rows.push([
      ...[
        `${at}`,
        random.one(['Acme GmbH', '']),
        name,
        '',
        `ASSET-${String(at).padStart(5, '0')}`,
        serial,
      ],
      ...[model, modelNumber, category, status, isOut ? person : '', isOut ? `${1_000 + at}` : ''],
      ...[
        place,
        random.one(['Warehouse', '']),
        maker,
        random.one(['CDW', 'Bechtle AG', '']),
        bought,
      ],
      ...[
        bought === '' ? '' : '2 years',
        cost,
        random.chance(50) ? `PO-${random.whole(1000, 9999)}` : '',
      ],
      ...[random.chance(50) ? random.day() : '', bought === '' ? '' : '36 months', warranty],
      ...[random.one(['', '', 'Akku schwach, prüfen', 'Line 1\nLine 2']), '1', '0', '0'],
      ...['2024-01-05 10:12:00', '2026-02-03 08:00:00', isOut ? '2026-03-02 09:30:00' : ''],
      ...[
        isOut && random.chance(30) ? '2027-01-15' : '',
        '',
        '',
        random.one(['false', 'false', 'true']),
      ],
      ...[ram, category === 'Laptop' ? macOf(random.whole(0, 0xffffff)) : ''],
    ]);
    things.push({
      ...{ name: name === '' ? model : name, location: place, quantity: 1, serial },
      ...(isOut ? { lentTo: person } : {}),
      own: clean({
        ...{ Model: model, Manufacturer: maker, Status: status, 'Purchase date': bought },
        'Purchase cost': cost === '' ? '' : (cents / 100).toFixed(2),
        'Warranty expires': warranty,
        RAM: ram.replace(' GB', ''),
      }),
    });
  }
  return { name: 'export-assets.csv', file: toCsv(rows), things };
}

function macOf(number: number): string {
  const text = number.toString(16).padStart(6, '0');
  return `00:1a:2b:${text.slice(0, 2)}:${text.slice(2, 4)}:${text.slice(4)}`;
}
