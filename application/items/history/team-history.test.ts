/** The history of all items: what it has, its filters, and how the engines read it. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { QueueFull } from 'seeother/middleware';
import { bodyText } from 'seeother/testing';
import { setRegion } from '../../site/format.ts';
import { createClock } from '../../testing/create-clock.ts';
import { createMember, createTestApplication } from '../../testing/create-test-application.ts';
import { explainQueries } from '../../testing/explain-queries.ts';
import { fillHistory } from '../../testing/fill-history.ts';
import { fillItems } from '../../testing/fill-items.ts';
import { openTestDatabase, testOnEngines } from '../../testing/open-test-database.ts';
import { toTimes, WHOLE_HISTORY } from './history-query.ts';
import { createTeamHistory, type HistoryFilter } from './team-history.ts';

/** The times of the events and of the batch, by their ids. */
const EVENTS = [
  [-1, '2026-11-10T08:00'],
  [-2, '2026-11-16T23:59'],
  [1, '2026-11-19T08:00'],
  [2, '2026-11-20T08:00'],
  [3, '2026-11-20T08:00'],
  [4, '2026-11-20T09:00'],
] as const;
const BATCHES = [[1, '2026-11-20T08:00']] as const;

testOnEngines('the history has what everybody did, by day, and is filtered', async (t) => {
  const database = await openTestDatabase(t);
  const application = await createTestApplication(t, { database, now: createClock().now });
  const ada = await createMember(application, 'ada');
  const bo = await createMember(application, 'bo');
  await ada.submit('/items/new', { name: 'Drill' });
  await bo.submit('/items/new', { name: 'Hammer' });
  await bo.post('/items/1/lend', { to: 'Cy' });
  await ada.post('/items/select', { row_0: '1', row_1: '2', location: 'Roof', button: 'move' });
  await ada.post('/items/2/delete');
  await database.write(async (transaction) => {
    for (const [table, times] of [
      ['item_events', EVENTS],
      ['batches', BATCHES],
    ] as const)
      for (const [id, time] of times)
        await transaction
          .updateTable(table)
          .set({ at: `${time}:00.000Z` })
          .where('id', '=', id)
          .execute();
  });
  const read = async (query: string) => {
    const [main = ''] =
      /<h1>.*<\/main>/s.exec(bodyText(await ada.get(`/items/history${query}`))) ?? [];
    const lines = main.matchAll(
      /<h2.*?>(.*?)<\/h2>|<strong>(ada|bo)<\/strong> (.*?)<\/(?:span|p)>/g,
    );
    return [...lines].map(
      ([, day, who, what = '']) => day ?? `${who} ${what.replaceAll(/<[^>]*>/g, '')}`,
    );
  };
  const [deleted, moved] = ['ada deleted Hammer', 'ada moved 2 items to Roof'];
  const [lent, hammer, drill] = ['bo lent Drill to Cy', 'bo added Hammer', 'ada added Drill'];
  const [monday, before] = ['Monday 16 November 2026', 'Tuesday 10 November 2026'];
  const all = ['Today', deleted, moved, 'Yesterday', lent, monday, hammer, before, drill];
  const filtered = {
    '': all,
    '?person=x&kind=toString&from=2026-02-30&after=1': all,
    '?person=2': ['Yesterday', lent, monday, hammer],
    '?kind=added': [monday, hammer, before, drill],
    '?kind=added&person=1': [before, drill],
    '?kind=changed': ['Today', moved],
    '?from=2026-11-19': ['Today', deleted, moved, 'Yesterday', lent],
    '?from=2026-11-11&to=2026-11-16': [monday, hammer],
    '?from=2026-11-19&to=9999-12-31': ['Today', deleted, moved, 'Yesterday', lent],
    '?item=1': ['Today', 'ada changed Drill', 'Yesterday', lent, before, drill],
    '?item=hamm': ['Today', deleted, 'ada changed Hammer', monday, hammer],
    '?item=dri&kind=lent': ['Yesterday', lent],
    '?item=saw': [],
    '?item=%25': [],
    '?person=9': [],
  };
  for (const [query, lines] of Object.entries(filtered))
    assert.deepEqual(await read(query), lines, query);
});

const EVERYTHING = { person: null, kind: null, from: null, until: null, items: null };

testOnEngines('the pages of the history go on where the last one ended', async (t) => {
  const database = await openTestDatabase(t);
  const teamHistory = createTeamHistory(database);
  await fillItems(database, 30);
  await fillHistory(database, 30);
  const at = '2024-01-01T00:00:00.000Z';
  await database.write((transaction) =>
    transaction.updateTable('item_events').set({ at }).where('id', '<=', 40).execute(),
  );
  const seen: number[] = [];
  for (let page = await teamHistory(7, EVERYTHING, null); ; ) {
    seen.push(...page.lines.map(({ id }) => id));
    if (page.next === null) break;
    page = await teamHistory(7, EVERYTHING, page.next);
  }
  const ids = Array.from({ length: 61 }, (_, index) => 61 - index);
  assert.deepEqual(seen, ids, 'also between changes of one millisecond');
});

const WHOLE_TABLE = {
  sqlite:
    /^SCAN (?!item_events USING INDEX item_events_by_time|batches USING INDEX batches_by_time)/,
  postgres: /Seq Scan on item_events/,
};

testOnEngines('no filter of the history scans the events', async (t) => {
  const database = await openTestDatabase(t);
  await fillItems(database, 5_000);
  await fillHistory(database, 5_000);
  const explained = explainQueries(database);
  const teamHistory = createTeamHistory(explained);
  const time = new Date('2024-01-03');
  const filters: Readonly<Record<string, Partial<HistoryFilter>>> = {
    'no filter': {},
    'a person': { person: 1 },
    'a kind': { kind: 'deleted' },
    'a person and a kind': { person: 1, kind: 'lent' },
    'a time': { from: time, until: new Date(time.getTime() + 3_600_000) },
  };
  for (const [name, filter] of Object.entries(filters)) {
    for (const after of [null, { at: time.toISOString(), id: 3_000 }]) {
      await teamHistory(50, { ...EVERYTHING, ...filter }, after);
      const plans = await explained.takePlans();
      assert.ok(plans.length > 0);
      const steps = plans.flatMap((plan) => plan.steps);
      const scans = steps.filter((step) => WHOLE_TABLE[database.engine].test(step));
      assert.deepEqual(scans, [], `${name}: ${steps.join('\n')}`);
    }
  }
  await teamHistory(50, { ...EVERYTHING, items: [7, 8] }, null);
  const steps = (await explained.takePlans()).flatMap((plan) => plan.steps);
  assert.match(steps.join('\n'), /item_events_by_item/);
});

test('a day ends at midnight, also where it begins an hour later', () => {
  setRegion({ timeZone: 'America/Santiago', locale: 'en-GB' });
  try {
    const { from, until } = toTimes({ ...WHOLE_HISTORY, from: '2026-09-06', to: '2026-09-06' });
    assert.deepEqual(
      [from, until].map((time) => time?.toISOString()),
      ['2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z'],
    );
  } finally {
    setRegion({ timeZone: 'UTC', locale: 'en-GB' });
  }
});

test('the items of a filter wait for their turn like any other search', async (t) => {
  const application = await createTestApplication(t, {
    replace: ({ items }) => ({
      items: { ...items, list: () => Promise.reject(new QueueFull()) },
    }),
  });
  const member = await createMember(application);
  assert.equal((await member.get('/items/history?item=drill')).status, 503);
  assert.equal((await member.get('/items/history?item=7')).status, 200);
});
