import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor } from 'seeother/testing';
import { createTestApplication } from '../../testing/create-test-application.ts';
import { fillItems } from '../../testing/fill-items.ts';
import { MAX_PRINTED } from './print-page.ts';

test('a page to print has all that match, with its address and date, and says where it ends', async (t) => {
  const now = () => new Date('2026-11-20T12:00Z');
  const application = await createTestApplication(t, {
    now,
    environment: { PUBLIC_ORIGIN: 'https://things.example' },
  });
  await fillItems(application.database, MAX_PRINTED + 1);
  const visitor = createVisitor(application, { headers: { host: 'things.example' } });
  const read = async (query: string) => {
    const page = bodyText(await visitor.get(`/items/print${query}`)).replaceAll('&amp;', '&');
    return { page, rows: page.split('<th scope="row">').length - 1 };
  };
  const some = await read('?q=drill&tag=tools&sort=oldest&page=3');
  assert.equal(
    some.rows,
    (await application.models.items.list(1, { search: 'drill', tag: 'tools' })).itemCount,
  );
  assert.match(some.page, /<h1>Items: drill, tools <span class="count">\d+ items</);
  assert.match(some.page, /Oldest first\. <time[^>]*>20 Nov 2026, 12:00 UTC<\/time>\./);
  assert.ok(some.page.includes('https://things.example/items?q=drill&tag=tools&sort=oldest</p>'));
  assert.doesNotMatch(some.page, /There are more/);
  const all = await read('');
  assert.equal(all.rows, MAX_PRINTED);
  assert.match(all.page, /There are more: these are the first 2,000\. Add a filter/);
  assert.match((await read('?q=xylophone')).page, /Nothing matches\./);
});
