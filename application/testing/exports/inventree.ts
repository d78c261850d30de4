/**
 * An export of the stock of InvenTree 1.2 with 400 things: the labels of `StockItemSerializer` with those of its part
 * and its location, as `data_exporter/mixins.py` writes them, and quantities with five decimals.
 */
import { clean } from './homebox.ts';
import { createRandom, type ExpectedThing, type RealExport, toCsv } from './make-random.ts';

const HEADINGS = [
  ...['ID', 'Part', 'Quantity', 'Serial Number', 'Batch Code', 'Location', 'Installed In', 'Build'],
  ...[
    'Consumed By',
    'Customer',
    'Delete on deplete',
    'Expiry Date',
    'In Stock',
    'Is Building',
    'External Link',
  ],
  ...[
    'Notes',
    'Owner',
    'Packaging',
    'Parent Item',
    'Source Purchase Order',
    'Status',
    'Status text',
    'SKU',
    'MPN',
  ],
  ...[
    'Barcode Hash',
    'Updated',
    'Stocktake Date',
    'Purchase Price',
    'Currency',
    'Allocated Quantity',
    'Expired',
  ],
  ...['Installed Items', 'Child Items', 'Stale', 'Supplier part.SKU', 'Supplier part.MPN'],
  ...['Part detail.Name', 'Part detail.Description', 'Part detail.IPN', 'Part detail.Revision'],
  ...['Location detail.Name', 'Location detail.Path'],
];

const PARTS = [
  ...[
    ['R_10K_0402_1%', 'Resistor 10k, 0402', 'RES-00012'],
    ['C_100nF_0603', '100 nF X7R', 'CAP-00003'],
  ],
  ...[
    ['M3x8 Zylinderschraube', 'DIN 912, verzinkt', 'SCR-0308'],
    ['STM32F411', 'MCU', ''],
  ],
  ...[
    ['Heizbett', '24 V, 300 × 300 mm', 'HB-24'],
    ['Netzteil 350 W', '', 'PSU-350'],
  ],
] as const;
const PLACES = [
  'Workshop/Drawer A/1',
  'Workshop/Drawer A/2',
  'Workshop/Drawer B',
  'Lager/Kiste 7',
  '',
];

export function createInvenTreeExport(count = 400): RealExport {
  const random = createRandom(12);
  const things: ExpectedThing[] = [];
  const rows: string[][] = [HEADINGS];
  for (let at = 1; at <= count; at++) {
    const [name, description, ipn] = random.one(PARTS);
    const isSerial = random.chance(20);
    const isPart = !isSerial && random.chance(5);
    const quantity = isSerial ? 1 : random.whole(1, 5_000);
    const place = random.one(PLACES);
    const serial = isSerial ? `${1_000 + at}` : '';
    const price = random.chance(70) ? (random.whole(1, 400_000) / 10_000).toFixed(4) : '';
    const expiry = random.chance(10) ? random.day() : '';
    const batch = random.chance(30) ? `B-${random.whole(100, 999)}` : '';
    const status = random.one(['OK', 'OK', 'OK', 'Attention needed', 'Damaged']);
    rows.push([
      ...[
        `${at}`,
        `${PARTS.findIndex(([one]) => one === name) + 1}`,
        `${quantity}.${isPart ? '50000' : '00000'}`,
      ],
      ...[serial, batch, place === '' ? '' : '7', '', '', '', '', 'True', expiry, 'True', 'False'],
      ...[
        random.chance(10) ? `https://lcsc.example/${at}` : '',
        random.one(['', '', 'Rolle, angebrochen']),
        '',
      ],
      ...[random.one(['', 'Reel', 'Tray']), '', '', '10', status, random.one(['', 'C25744']), ''],
      ...['', '2026-05-01 09:00', '', price, 'EUR', '0', 'False', '0', '0', 'False', '', ''],
      ...[name, description, ipn, '', place.split('/').at(-1) ?? '', place],
    ]);
    things.push({
      ...{ name, location: place.replaceAll('/', ', '), quantity, serial },
      own: clean({ IPN: ipn, 'Batch code': batch, 'Expiry date': expiry, Status: status }),
    });
  }
  return { name: 'InvenTree_StockItem.csv', file: toCsv(rows), things };
}
