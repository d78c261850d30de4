import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  type TestApplication,
} from '../../testing/create-test-application.ts';
import { addItem } from '../../testing/open-test-database.ts';
import type { NewItem } from '../item-rows.ts';

const DRILL: NewItem = {
  name: 'Drill',
  description: 'Two batteries',
  quantity: 2_000,
  location: 'Workshop',
  tags: ['tools', 'lent out'],
};

async function addItems({ database }: TestApplication, count: number): Promise<void> {
  for (let number = 1; number <= count; number++) {
    await addItem(database, { ...DRILL, name: `Thing ${number}` });
  }
}

function namesIn(markup: string): readonly string[] {
  return [...markup.matchAll(/>(Thing \d+)<\/a>/g)].map(([, name = '']) => name);
}

test('a list without items says so, and leads those to the form who may use it', async (t) => {
  const application = await createTestApplication(t);
  const answer = await createVisitor(application).get('/items');
  assert.equal(answer.status, 200);
  assert.match(bodyText(answer), /Nothing here yet\.<\/p>/);
  const member = await createMember(application);
  assert.match(bodyText(await member.get('/items')), /Nothing here yet\. <a href="\/items\/new">/);
});

test('a page beyond the last shows the last, and an invalid page shows the first', async (t) => {
  const application = await createTestApplication(t);
  await addItems(application, 21);
  const visitor = createVisitor(application);
  for (const page of ['3', '1000000000', '9007199254740991']) {
    assert.deepEqual(
      namesIn(bodyText(await visitor.get(`/items?page=${page}`))),
      ['Thing 1'],
      page,
    );
  }
  for (const page of ['', '0', '-1', '01', '1e3', 'NaN', 'x', '9007199254740992', '%00']) {
    const answer = await visitor.get(`/items?page=${page}`);
    assert.equal(answer.status, 200, page);
    assert.equal(namesIn(bodyText(answer))[0], 'Thing 21', page);
  }
});

test('every visitor sees all fields of an item', async (t) => {
  const application = await createTestApplication(t);
  await addItem(application.database, DRILL);
  const answer = await createVisitor(application).get('/items/1');
  const markup = bodyText(answer);
  assert.equal(answer.status, 200);
  assert.match(markup, /<h1>Drill /);
  for (const text of ['Two batteries', '2,000', 'Workshop', 'tools', 'lent out', 'No. 1']) {
    assert.ok(markup.includes(text), text);
  }
});

test('a missing item is a 404 page with advice', async (t) => {
  const application = await createTestApplication(t);
  const visitor = createVisitor(application);
  assert.match(bodyText(await visitor.get('/items/7')), /There are no items yet/);
  await addItems(application, 3);
  const answer = await visitor.get('/items/7');
  const markup = bodyText(answer);
  assert.equal(answer.status, 404);
  assert.equal(headerOf(answer, 'Content-Type'), 'text/html; charset=utf-8');
  assert.match(markup, /There is no item with the number 7 yet\. .* from 1 to 3\./);
  assert.match(markup, /What you can do now/);
  assert.match(markup, /href="\/items"/);
});
