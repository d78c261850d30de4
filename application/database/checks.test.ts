/** The form of an item and the database's own checks know the same limits. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { itemForm } from '../items/item-form.ts';
import type { NewItem } from '../items/item-rows.ts';
import { addItem, openTestDatabase } from '../testing/open-test-database.ts';

const LEAST: NewItem = { name: 'x', description: '', quantity: 0, location: '', tags: [] };
const { fields } = itemForm;
/** Two code units each: a database that counted those, or bytes, would be found out. */
const text = (length: number) => '🎉'.repeat(length);
const tags = (count: number) => Array.from({ length: count }, (_, index) => `tag ${index}`);
const limitOf = (limit: number | undefined) => limit ?? assert.fail('the form says no limit');

const name = limitOf(fields.name.limits.maxLength);
const description = limitOf(fields.description.limits.maxLength);
const location = limitOf(fields.location.limits.maxLength);
const serial = limitOf(fields.serial.limits.maxLength);
const code = limitOf(fields.code.limits.maxLength);
const lowest = limitOf(fields.quantity.limits.min);
const highest = limitOf(fields.quantity.limits.max);
const maxTagLength = limitOf(fields.tags.limits.maxEntryLength);
const fewest = limitOf(fields.minimum.limits.min);
const most = limitOf(fields.minimum.limits.max);
const maxTags = limitOf(fields.tags.limits.maxEntries);

test('the database accepts every value that the form accepts', async (t) => {
  const database = await openTestDatabase(t);
  const longest: NewItem = {
    name: text(name),
    description: text(description),
    quantity: highest,
    minimum: most,
    location: text(location),
    serial: text(serial),
    code: text(code),
    tags: [...tags(maxTags - 1), text(maxTagLength)],
  };
  assert.equal(await addItem(database, longest), 1);
  assert.equal(await addItem(database, { ...LEAST, quantity: lowest, minimum: fewest }), 2);
});

test('the database refuses every value that the form refuses', async (t) => {
  const database = await openTestDatabase(t);
  const beyond: Readonly<Record<string, Partial<NewItem>>> = {
    'no name': { name: '' },
    'a long name': { name: text(name + 1) },
    'a long description': { description: text(description + 1) },
    'a long location': { location: text(location + 1) },
    'a long serial number': { serial: text(serial + 1) },
    'a long product code': { code: text(code + 1) },
    'a quantity too low': { quantity: lowest - 1 },
    'a quantity too high': { quantity: highest + 1 },
    'a minimum too low': { minimum: fewest - 1 },
    'a minimum too high': { minimum: most + 1 },
    'a long tag': { tags: [text(maxTagLength + 1)] },
    'an empty tag': { tags: [''] },
    'too many tags': { tags: tags(maxTags + 1) },
  };
  for (const [what, input] of Object.entries(beyond)) {
    await assert.rejects(addItem(database, { ...LEAST, ...input }), /constraint/i, what);
  }
  assert.equal(await addItem(database, LEAST), 1, 'nothing was kept, and no number lost');
});
