/** With READERS=everybody, visitors see that a thing is lent, and only people with an account see to whom. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Response } from 'seeother';
import { bodyText, createVisitor, request } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  setRole,
} from '../testing/create-test-application.ts';
import {
  addItem,
  openTestDatabase,
  repeatOnEngines,
  testOnEngines,
} from '../testing/open-test-database.ts';
import { contentOf, crawl, targetsOf } from './probe.ts';

/** No other text of the site has it. */
const BORROWER = 'Zuzanna';
const THING = { description: '', quantity: 1, location: '', tags: [] };
const NAMED = ['/items', '/items/1', '/items/2', '/items/held', '/items/print'];
const QUERIES = ['q', 'tag', 'location', 'to'].map((name) => `${name}=${BORROWER}`);

/** Two things of one borrower, one of them overdue, and two of nobody. */
async function openSite(t: TestContext) {
  const database = await openTestDatabase(t);
  let time = new Date('2026-11-20T12:00:00Z');
  const application = await createTestApplication(t, { database, now: () => time });
  const ada = await createMember(application);
  for (const name of ['Drill', 'Saw', 'Hammer', 'Ladder'])
    await addItem(database, { ...THING, name });
  await ada.submit('/items/1/lend', { to: BORROWER, until: '2026-11-21' });
  await ada.submit('/items/2/lend', { to: BORROWER });
  await ada.submit('/items/3/lend', { to: BORROWER });
  await ada.post('/items/3/delete', {});
  time = new Date('2026-11-23T12:00:00Z');
  await ada.submit('/login', { username: 'ada', password: 'correct horse battery' });
  return { application, ada };
}

async function names(answer: Response): Promise<boolean> {
  return new RegExp(BORROWER, 'i').test(await contentOf(answer));
}

repeatOnEngines('B14: no answer to a visitor names who has borrowed something', async (t) => {
  const { application, ada } = await openSite(t);
  const { routes } = application;
  // Members read first, so that what is cached for them is there.
  for (const path of NAMED) assert.ok(await names(await ada.get(path)), path);
  const visitor = createVisitor(application);
  for (const path of [...NAMED, '/items?show=overdue'])
    assert.match(bodyText(await visitor.get(path)), /lent|overdue/i, path);
  const telling: string[] = [];
  for (const { method, target } of targetsOf(routes, ['1', '2', '3'])) {
    const body = method === 'POST' ? new Uint8Array() : null;
    if (await names(await application.handle(request(method, target, body))))
      telling.push(`${method} ${target}`);
  }
  for (const path of await crawl(visitor, NAMED))
    if (await names(await visitor.get(path))) telling.push(`GET ${path}`);
  assert.deepEqual(telling, []);
});

testOnEngines('B14: no query of a visitor finds what somebody has borrowed', async (t) => {
  const { application, ada } = await openSite(t);
  const visitor = createVisitor(application);
  const nobody = (query: string) => query.replace(BORROWER, 'Xxxxxxx');
  // What the page repeats of the query is no answer.
  const read = async (target: string) =>
    bodyText(await visitor.get(target)).replaceAll(/Zuzanna|Xxxxxxx/g, '');
  for (const path of ['/items', '/items/1', '/items/held', '/items/print', '/items/filters'])
    for (const query of QUERIES) {
      const target = `${path}?${query}`;
      await ada.get(target);
      const printedAt = /<time.*?<\/time>/g;
      const [found, other] = [await read(target), await read(`${path}?${nobody(query)}`)];
      assert.equal(found.replaceAll(printedAt, ''), other.replaceAll(printedAt, ''), target);
    }
  assert.match(bodyText(await ada.get(`/items/held?to=${BORROWER}`)), /What Zuzanna has/);
});

testOnEngines(
  'B14: a page with a borrower is not confirmed to a visitor as unchanged',
  async (t) => {
    const { application } = await openSite(t);
    const reader = await createMember(application, 'rea');
    await setRole(application, 'rea', 'reader');
    const visitor = createVisitor(application);
    for (const path of ['/items', '/items/1']) {
      const tag = headerOf(await reader.get(path), 'ETag') ?? assert.fail(path);
      const answer = await visitor.get(path, { headers: { 'if-none-match': tag } });
      assert.equal(answer.status, 200, path);
    }
  },
);
