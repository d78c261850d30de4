/** The columns and the rows of the list that an account has chosen, through the real router. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor, type Visitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
} from '../../testing/create-test-application.ts';
import { addItem, openTestDatabase, repeatOnEngines } from '../../testing/open-test-database.ts';
import { DEFAULT_VIEW, readListView, writeListView } from './list-view.ts';

async function columnsOf(visitor: Visitor) {
  const page = bodyText(await visitor.get('/items'));
  const headers = [...page.matchAll(/<th scope="col" class="([^"]*)"/g)].map(([, name]) => name);
  const cells = /<tbody>\s*<tr>([\s\S]*?)<\/tr>/.exec(page)?.[1]?.matchAll(/<td class="([^"]*)"/g);
  assert.deepEqual(headers, ['name', ...[...(cells ?? [])].map(([, name]) => name)]);
  return `${headers.join(' ')}${page.includes('class="items compact"') ? ' compact' : ''}`;
}

repeatOnEngines(
  'each account has the columns and rows that it chose, on every device',
  async (t) => {
    const database = await openTestDatabase(t);
    const application = await createTestApplication(t, {
      database,
      environment: { REGISTRATION: 'open' },
    });
    await addItem(database, { name: 'Drill', location: 'Office', tags: ['red'], serial: 'SN-7' });
    const ada = await createMember(application);
    const bo = await createMember(application, 'bo');
    const usual = 'name number location tagged';
    assert.equal(await columnsOf(ada), usual);
    const tag = headerOf(await ada.get('/items'), 'ETag') ?? '';
    const sent = { columns: ['added', 'changed', 'location'], rows: 'compact' };
    const answer = await ada.submit('/account/list', sent);
    assert.equal(headerOf(answer, 'Location'), '/items');
    await ada.follow(answer);
    assert.equal(await columnsOf(ada), 'name location changed added compact');
    assert.equal((await ada.get('/items', { headers: { 'if-none-match': tag } })).status, 200);
    assert.equal(
      await columnsOf(await createMember(application)),
      'name location changed added compact',
    );
    for (const other of [bo, createVisitor(application)])
      assert.equal(await columnsOf(other), usual);
    const form = bodyText(await ada.get('/account/list'));
    assert.deepEqual(
      [...form.matchAll(/value="(\w+)" checked/g)].map(([, value]) => value),
      ['location', 'changed', 'added', 'compact'],
    );
    const list = bodyText(await ada.get('/items'));
    assert.match(list, /class="changed"><time datetime="[^"]+Z" title="[^"]+ UTC">Today<\/time>/);
    const others = { columns: ['serial', 'number', 'minimum'], rows: 'compact' };
    await ada.follow(await ada.submit('/account/list', others));
    assert.equal(await columnsOf(ada), 'name item-number minimum plain compact');
    assert.match(
      bodyText(await ada.get('/items')),
      /<td class="item-number">1<\/td>\s*<td class="minimum"><\/td>\s*<td class="plain">SN-7<\/td>/,
    );
    await ada.follow(await ada.submit('/account/list', { rows: 'comfortable' }));
    assert.equal(await columnsOf(ada), 'name');
    assert.equal((await ada.submit('/account/list', { columns: 'price', rows: '' })).status, 400);
  },
);

test('a choice is read as it was written, without what only another release knows', () => {
  assert.equal(readListView(''), DEFAULT_VIEW);
  const view = { columns: ['tags', 'quantity'], isCompact: true } as const;
  assert.equal(writeListView(view), 'name quantity tags compact');
  assert.deepEqual(readListView('wide name quantity price tags compact'), {
    ...{ columns: ['quantity', 'tags'], isCompact: true },
  });
  assert.deepEqual(readListView(writeListView(DEFAULT_VIEW)), DEFAULT_VIEW);
});
