import assert from 'node:assert/strict';
import test from 'node:test';
import { EMPTY_ITEM } from '../item-fields.ts';
import type { Item } from '../item-rows.ts';
import { itemsCsv } from './csv.ts';

const item: Item = {
  ...EMPTY_ITEM,
  number: 7,
  name: 'Ladder, 3 m',
  description: 'Two parts.\n"Fragile"',
  minimum: 3,
  loans: [],
  quantity: 2,
  tags: ['tools', 'lent out'],
  serial: 'SN-7',
  code: '4006381333931',
  createdAt: new Date(0),
  createdBy: null,
  updatedAt: new Date(0),
  updatedBy: null,
  version: 1,
  picture: null,
};

/** Without the headings. */
async function toLines(item: Item): Promise<string> {
  async function* batches() {
    yield [item];
  }
  const { body } = await itemsCsv(batches(), { findReferences: async () => new Map() });
  return (await new Response(body).text()).replace(/^number,.*,added\r\n/, '');
}

test('an item is one record of RFC 4180', async () => {
  assert.equal(
    await toLines(item),
    '7,"Ladder, 3 m","Two parts.\n""Fragile""",2,3,,"tools, lent out",SN-7,4006381333931,,,,,,1970-01-01T00:00:00.000Z\r\n',
  );
  const lines = await toLines({ ...item, name: 'Ladder', description: 'a\nb', tags: [] });
  assert.equal(lines, '7,Ladder,"a\nb",2,3,,,SN-7,4006381333931,,,,,,1970-01-01T00:00:00.000Z\r\n');
});
