import assert from 'node:assert/strict';
import { bodyText, createVisitor, hiddenFields } from 'seeother/testing';
import { createMember, createTestApplication } from '../testing/create-test-application.ts';
import { formIn } from '../testing/form-in.ts';
import { addItem, openTestDatabase, repeatOnEngines } from '../testing/open-test-database.ts';
import { createItems } from './item.ts';
import { addSampleItems } from './sample-items.ts';

repeatOnEngines('an empty database gets a few sample items without a creator', async (t) => {
  const database = await openTestDatabase(t);
  const items = createItems(database);
  await addSampleItems(database, items);
  const { items: listed, itemCount } = await items.list(1);
  assert.equal(itemCount, 6);
  assert.deepEqual(
    listed.map(({ createdBy }) => createdBy),
    Array(6).fill(null),
  );
  assert.equal((await items.find(1))?.name, 'Label printer');
});

repeatOnEngines('a database with an item gets no samples', async (t) => {
  const database = await openTestDatabase(t);
  const items = createItems(database);
  const mine = { name: 'Mine', description: '', quantity: 1, location: '', tags: [] };
  await addItem(database, mine);
  await addSampleItems(database, items);
  assert.deepEqual(
    (await items.list(1)).items.map(({ name }) => name),
    ['Mine'],
  );
});

repeatOnEngines(
  'samples that nobody has changed are removed by one button, with one Undo',
  async (t) => {
    const database = await openTestDatabase(t);
    const application = await createTestApplication(t, { database });
    await addSampleItems(database, application.models.items);
    const member = await createMember(application);
    const list = async () => bodyText(await member.get('/items'));
    const shown = await list();
    assert.match(shown, /These are 6 samples/);
    assert.doesNotMatch(bodyText(await createVisitor(application).get('/items')), /samples/);
    assert.doesNotMatch(bodyText(await member.get('/items?q=drill')), /samples/);

    const form = formIn(shown, 'select');
    const path = (/action="([^"]*)"/.exec(form)?.[1] ?? '').replaceAll('&amp;', '&');
    const fields = { ...hiddenFields(form), button: 'delete' };
    const answers = [await member.post(path, fields), await member.post(path, fields)];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303],
    );
    const empty = await list();
    assert.match(empty, /Nothing here yet\./);
    const undo = formIn(empty, 'undo');
    const undoPath = /action="([^"]*)"/.exec(undo)?.[1] ?? '';
    await member.post(undoPath, hiddenFields(undo));
    const restored = await list();
    assert.match(restored, /6 items/);
    assert.doesNotMatch(restored, /samples/, 'somebody wanted them');
  },
);
