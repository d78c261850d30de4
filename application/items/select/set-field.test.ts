/** The kind and fields of the team's own, set on several things at once. */
import assert from 'node:assert/strict';
import { bodyText } from 'seeother/testing';
import { createField, createKind } from '../../own-fields/change-definitions.ts';
import { formIn } from '../../testing/form-in.ts';
import { openFields } from '../../testing/open-fields.ts';
import { addItem, repeatOnEngines } from '../../testing/open-test-database.ts';
import { undoBatch } from '../history/undo-batch.ts';

repeatOnEngines('a field of ticked things is set as one batch, with one Undo', async (t) => {
  const { ada, application, database } = await openFields(t);
  const { items } = application.models;
  await database.write(async (transaction) => {
    await createKind(transaction, { name: 'Camera' }, null);
    const choices = [{ id: 'c1', label: 'Good' }];
    await createField(
      transaction,
      { kind: 'choice', label: 'State', choices, required: true },
      null,
    );
    await createField(transaction, { kind: 'text', label: 'Mount', itemKind: 1 }, null);
  });
  for (const name of ['A', 'B', 'C'])
    await addItem(database, { name, own: {}, kind: name === 'A' ? 1 : null }, 1);
  const own = async () => {
    const values = await items.valuesOf([1, 2, 3].map((number) => ({ number })));
    return [1, 2, 3].map((number) => values.get(number) ?? {});
  };

  // The button of the page to select leads there with what is ticked.
  const select = bodyText(await ada.get('/items/select'));
  assert.match(select, /name="step" value="field">Set a field…/);
  const step = await ada.get('/items/select?step=field&list=q%3D&row_0=1&row_1=2');
  assert.equal(step.headers.Location, '/fields/set?ticked=1-2');
  const page = '/fields/set?ticked=1-2';
  assert.match(formIn(bodyText(await ada.get(page)), 'set'), /name="ticked" value="1-2"/);

  const set = await ada.submit(page, { set: 'own_1', 'set.own_1.value': 'c1' });
  assert.match(bodyText(await ada.follow(set)), /Set “State” of 2 items to “Good”\./);
  assert.deepEqual(await own(), [{ 1: 'c1' }, { 1: 'c1' }, {}]);
  const mount = await ada.submit(page, { set: 'own_2', 'set.own_2.value': 'M42' });
  assert.match(
    bodyText(await ada.follow(mount)),
    /of 1 item to “M42”\. “B” stayed: things of their kind do not have this field\./,
  );
  // A required field is not emptied, and nothing else is.
  assert.equal((await ada.submit(page, { set: 'own_1', 'set.own_1.value': '' })).status, 400);
  assert.equal(
    (await ada.submit('/fields/set', { set: 'own_1', 'set.own_1.value': 'c1' })).status,
    400,
  );
  await ada.submit(page, { set: 'kind', 'set.kind.value': '' });
  assert.equal((await items.find(1))?.kind, null);
  assert.deepEqual(await own(), [{ 1: 'c1', 2: 'M42' }, { 1: 'c1' }, {}]);
  await database.write((transaction) => undoBatch(transaction, 3, 1));
  await database.write((transaction) => undoBatch(transaction, 1, 1));
  assert.deepEqual(await own(), [{ 2: 'M42' }, {}, {}]);
  assert.equal((await items.find(1))?.kind, 1);
  assert.match(bodyText(await ada.get('/items/history')), /set “Mount” of 1 item to “M42”/);

  const file = bodyText(await ada.get('/items.csv'));
  assert.match(file, /,kind,State,Mount,lent to,/);
  assert.match(file, /^1,A,.*,Camera,,M42,/m);
});
