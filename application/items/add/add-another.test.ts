import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, hiddenFields } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
} from '../../testing/create-test-application.ts';

const DRILL = {
  name: 'Drill',
  description: 'Old',
  quantity: '2',
  location: 'Cellar',
  tags: 'a, b',
};

test('“Save and add another” saves and leads to a form with its place and tags alone, which says what was saved', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const page = bodyText(await member.get('/items/new'));
  assert.match(page, /<button name="button" value="save">Save item<\/button>/);
  const fields = { ...hiddenFields(page), ...DRILL, button: 'another' };
  const saved = await member.post('/items', fields);
  assert.equal(headerOf(saved, 'Location'), '/items/new?saved=1');
  assert.equal(headerOf(await member.post('/items', fields), 'Location'), '/items/new?saved=1');
  const next = bodyText(await member.follow(saved));
  assert.match(next, /“Drill” was saved as No\. 1\. Add another\./);
  assert.match(next, /<title>“Drill” was saved/);
  assert.match(next, /<input [^>]*id="name"[^>]* autofocus/);
  assert.equal(next.split(' autofocus').length, 2, 'and not the message');
  for (const [name, value] of [
    ['name', ''],
    ['quantity', '1'],
    ['location', 'Cellar'],
    ['tags', 'a, b'],
  ])
    assert.match(next, new RegExp(`id="${name}" name="${name}"[^>]* value="${value}"`));
  assert.notEqual(hiddenFields(next)['_once'], fields['_once' as never]);
  assert.equal((await application.models.items.list(1)).itemCount, 1);
});

test('“Add another like this” fills the form with everything of the item', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  await member.post('/items', DRILL);
  const item = bodyText(await member.get('/items/1'));
  assert.match(item, /href="\/items\/new\?like=1">Add another like this</);
  const { _once } = hiddenFields(bodyText(await member.get('/items/new?like=1')));
  const page = bodyText(await member.get('/items/new?like=1'));
  for (const value of ['Drill', '2', 'Cellar', 'a, b'])
    assert.ok(page.includes(`value="${value}"`), value);
  assert.notEqual(hiddenFields(page)['_once'], _once);
  for (const like of ['9', '0', 'x', ''])
    assert.equal((await member.get(`/items/new?like=${like}`)).status, 200, like);
});
