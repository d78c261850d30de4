import assert from 'node:assert/strict';
import { createItems } from '../items/item.ts';
import { openAnother, openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { createDefinitions, fieldsOfKind } from './definitions.ts';
import { addItemKind, addOwnField } from './write-definitions.ts';

testOnEngines('definitions are read again after each change, by whichever process', async (t) => {
  const database = await openTestDatabase(t);
  const items = createItems(database);
  const { definitions } = items;
  const none = await definitions.read();
  assert.deepEqual([none.revision, none.fields], ['', []]);
  const other = await openAnother(t, database);
  const tool = await other.write(async (transaction) => {
    const kind = await addItemKind(transaction, { name: 'Tool' });
    await addOwnField(transaction, { kind: 'text', label: 'Maker', itemKind: kind });
    await addOwnField(transaction, { kind: 'date', label: 'Bought' });
    return kind;
  });
  assert.equal(await definitions.known(), none, 'no revision was read since');
  // What each page reads anyway.
  await items.revision();
  const known = await definitions.known();
  const labels = (kind: number | null) => fieldsOfKind(known, kind).map(({ label }) => label);
  assert.deepEqual([labels(null), labels(tool)], [['Bought'], ['Bought', 'Maker']]);
  assert.equal(await definitions.read(), known, 'nothing has changed');
  await other.write((transaction) =>
    transaction
      .updateTable('own_fields')
      .set({ removed: 1 })
      .where('label', '=', 'Maker')
      .execute(),
  );
  const later = await definitions.read();
  assert.deepEqual(
    later.fields.map(({ label }) => label),
    ['Bought'],
  );
  assert.deepEqual(
    [...later.allFields.values()].map(({ removed }) => removed),
    [true, false],
  );
});

testOnEngines('a process that has read nothing yet knows the definitions', async (t) => {
  const database = await openTestDatabase(t);
  await database.write((transaction) => addOwnField(transaction, { kind: 'text', label: 'Maker' }));
  assert.equal((await createDefinitions(database).known()).fields.length, 1);
});
