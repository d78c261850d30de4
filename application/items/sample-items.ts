/** A few items for an empty database, so that the first page shows something. */
import type { Database } from '../database/kysely.ts';
import { takeLock } from '../database/locks.ts';
import type { Items } from './item.ts';
import type { Item, NewItem } from './item-rows.ts';

const SAMPLES: readonly NewItem[] = [
  {
    name: 'Label printer',
    description: 'Prints 12 mm and 24 mm tape. The charger is in the same drawer.',
    quantity: 1,
    location: 'Office, drawer 2',
    tags: ['office', 'lent out often'],
  },
  {
    name: 'Cordless drill',
    description: '18 V with two batteries. Charge one when you take the other.',
    quantity: 2,
    location: 'Workshop, wall',
    tags: ['tools'],
  },
  {
    name: 'HDMI cable, 3 m',
    description: '',
    quantity: 7,
    location: 'Meeting room, cabinet',
    tags: ['cables', 'meeting room'],
  },
  {
    name: 'First-aid kit',
    description: 'Check the dates in January and in July.\nRefills are ordered by the office.',
    quantity: 3,
    location: 'Kitchen, by the door',
    tags: ['safety'],
  },
  {
    name: 'Projector',
    description: 'Lamp changed in March. The remote control is taped to the lid.',
    quantity: 1,
    location: 'Meeting room, cabinet',
    tags: ['meeting room'],
  },
  {
    name: 'Folding table',
    description: '180 × 75 cm, seats six.',
    quantity: 4,
    location: 'Cellar, left shelf',
    tags: ['furniture', 'events'],
  },
];

const NAMES = new Set(SAMPLES.map(({ name }) => name));

/** Whether it is a sample as it was added: by nobody, and not changed since. */
export function isSample({ name, createdBy, version }: Item): boolean {
  return createdBy === null && version === 1 && NAMES.has(name);
}

/** Adds all samples, or none if there is an item. */
export async function addSampleItems(database: Database, items: Items): Promise<void> {
  if ((await items.range()) !== null) return;
  await database.write(async (transaction) => {
    // Another instance may start at the same time.
    await takeLock(transaction, 'samples');
    const first = await transaction.selectFrom('items').select('number').limit(1).execute();
    if (first.length > 0) return;
    for (const sample of SAMPLES) await items.add(transaction, sample, null);
  });
}
