import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Response } from 'seeother';
import { QueueFull } from 'seeother/middleware';
import { bodyText, createVisitor, hiddenFields, type Visitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
} from '../../testing/create-test-application.ts';
import { fillItems } from '../../testing/fill-items.ts';
import { formIn } from '../../testing/form-in.ts';
import { listEvents } from '../../testing/list-events.ts';
import {
  addItem,
  openTestDatabase,
  repeatOnEngines,
  testOnEngines,
} from '../../testing/open-test-database.ts';

const THING = { description: '', quantity: 10, tags: [] };
const WORKSHOP = '/items/count?location=Workshop';

/** Three things in the workshop, 10 of each, and one elsewhere. */
async function openShelf(t: TestContext) {
  const database = await openTestDatabase(t);
  const application = await createTestApplication(t, { database });
  for (const [name, location] of [
    ['Saw', 'Workshop, wall'],
    ['Drill', 'Workshop'],
    ['Screw', 'Workshop'],
    ['Kettle', 'Kitchen'],
  ] as const)
    await addItem(database, { ...THING, name, location });
  const { items } = application.models;
  return {
    database,
    application,
    member: await createMember(application),
    /** Those of the three things in the workshop. */
    quantities: async () => (await items.findMany([1, 2, 3])).map(({ quantity }) => quantity),
  };
}

/** Types numbers over those of a page to count, by the name of the item. */
async function type(visitor: Visitor, numbers: Readonly<Record<string, string>>, path = WORKSHOP) {
  const form = formIn(bodyText(await visitor.get(path)), '/items/count');
  return visitor.post(actionOf(form), { ...hiddenFields(form), ...typed(form, numbers) });
}

function typed(form: string, numbers: Readonly<Record<string, string>>) {
  const rows = [...form.matchAll(/name="items\.(\d+)\.name" value="([^"]*)"/g)].map(
    ([, at, name = '']) => [`items.${at}.counted`, numbers[name] ?? '10'],
  );
  return Object.fromEntries(rows);
}

function actionOf(form: string): string {
  return (/action="([^"]*)"/.exec(form)?.[1] ?? '').replaceAll('&amp;', '&');
}

/** Sends the page of the differences; `choices` by the row. */
async function store(
  visitor: Visitor,
  page: Response,
  choices: Readonly<Record<string, string>> = {},
) {
  const form = formIn(bodyText(page), '/items/count/differences');
  return visitor.post(actionOf(form), { ...hiddenFields(form), ...choices });
}

test('numbers are typed over, the differences shown, stored at once, and undone with one button', async (t) => {
  const { member, quantities } = await openShelf(t);
  const page = bodyText(await member.get(WORKSHOP));
  // What stands together is together: by location, then by name.
  assert.deepEqual(
    [...page.matchAll(/<th scope="row">([^<]*?) ?</g)].map(([, name]) => name),
    ['Drill', 'Screw', 'Saw'],
  );
  const sent = await type(member, { Drill: '9', Saw: '', Screw: '12' });
  assert.equal(sent.status, 303);
  assert.deepEqual(await quantities(), [10, 10, 10], 'nothing is stored yet');
  const differences = await member.follow(sent);
  const shown = bodyText(differences);
  assert.match(shown, /2 of 3 numbers differ from what is stored/);
  assert.match(shown, /Drill<\/a><\/th>\n.*>10<\/td>\n.*>9 <[^>]*>\(−1\)</);
  assert.match(shown, /Screw<\/a><\/th>\n.*>10<\/td>\n.*>12 <[^>]*>\(\+2\)</);
  // "Go on counting" leads to what was typed.
  const back = /<a href="([^"]*)">Go on counting/.exec(shown)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const again = bodyText(await member.get(back));
  assert.match(again, /name="items\.0\.counted" value="9"/);
  assert.match(again, /name="items\.2\.counted" value="10"/);

  const stored = await store(member, differences);
  assert.equal(headerOf(stored, 'Location'), '/items?location=Workshop');
  const list = bodyText(await member.follow(stored));
  assert.match(list, /Corrected the quantity of 2 items\./);
  assert.deepEqual(await quantities(), [10, 9, 12]);
  const history = async (query: string) => bodyText(await member.get(`/items/history${query}`));
  // With an item, each change of the count is a line.
  assert.match(await history('?kind=changed'), />corrected the quantity of 2 items</);
  assert.match(await history('?kind=changed&item=drill'), /set the quantity of .*>Drill<.* to 9</);
  const undo = formIn(list, '/undo');
  await member.post(actionOf(undo), hiddenFields(undo));
  assert.deepEqual(await quantities(), [10, 10, 10]);
});

test('when nothing differs, nothing is asked', async (t) => {
  const { member } = await openShelf(t);
  const list = bodyText(await member.follow(await type(member, {})));
  assert.match(list, /Nothing differs from what is stored\./);
});

repeatOnEngines(
  'what was changed meanwhile comes back as a question, and the rest is stored',
  async (t) => {
    const { application, member, quantities } = await openShelf(t);
    const bo = await createMember(application, 'bo');
    const take = (number: number) =>
      bo.post(`/items/${number}/quantity`, { amount: '4', button: 'take' });
    const differences = await member.follow(
      await type(member, { Saw: '9', Drill: '9', Screw: '9' }),
    );
    await take(1);
    const answer = await store(member, differences);
    assert.deepEqual(await quantities(), [6, 9, 9]);
    const asking = await member.follow(answer);
    const page = bodyText(asking);
    assert.match(page, /Corrected the quantity of 2 items\. “Saw” was changed meanwhile/);
    assert.match(page, /It was changed meanwhile: it was 10 when you counted 9, and is 6 now\./);
    const refused = await store(member, asking);
    assert.equal(refused.status, 400);
    assert.match(bodyText(refused), /Saw: choose which number is right/);

    // The answer counts for the number that the page shows, and for no other.
    await take(1);
    const outdated = await store(member, refused, { 'items.0.choice': 'counted' });
    assert.deepEqual(await quantities(), [2, 9, 9]);
    const latest = await member.follow(outdated);
    assert.match(
      bodyText(latest),
      /Nothing was changed\. “Saw” was changed meanwhile[\s\S]*is 2 now/,
    );
    const kept = await store(member, latest, { 'items.0.choice': 'stored' });
    assert.equal(headerOf(kept, 'Location'), '/items?location=Workshop');
    assert.deepEqual(await quantities(), [2, 9, 9]);
    await store(member, latest, { 'items.0.choice': 'counted' });
    assert.deepEqual(await quantities(), [9, 9, 9]);
  },
);

repeatOnEngines('what is lent is named, and a count does not overwrite it unasked', async (t) => {
  const { member, quantities } = await openShelf(t);
  await member.submit('/items/2/lend', { to: 'Bo', until: '2030-12-03' });
  const { lent = '' } = hiddenFields(formIn(bodyText(await member.get('/items/2')), '/return'));
  const shelf = bodyText(await member.get(WORKSHOP));
  assert.match(shelf, /Drill[^\n]*1 is lent to Bo, until 3 Dec 2030/);
  assert.match(shelf, /name="items\.0\.counted" value=""/, 'it is not here to be counted');
  const differences = await member.follow(await type(member, { Drill: '0', Saw: '9' }));
  const page = bodyText(differences);
  assert.match(page, /1 is lent to Bo, until 3 Dec 2030\. What is lent is not counted here/);
  const refused = await store(member, differences);
  assert.equal(refused.status, 400);
  assert.match(bodyText(refused), /Drill: choose which number is right/);
  await store(member, refused, { 'items.0.choice': 'stored' });
  assert.deepEqual(await quantities(), [9, 10, 10]);
  const returned = await member.follow(await member.post('/items/2/return', { lent }));
  assert.match(bodyText(returned), /Bo returned “Drill”\.<\/p>[\s\S]*<p>Quantity <strong>10</);
});

repeatOnEngines('what was lent after it was counted comes back as a question', async (t) => {
  const { member, quantities } = await openShelf(t);
  const differences = await member.follow(await type(member, { Drill: '0' }));
  await member.submit('/items/2/lend', { to: 'Bo' });
  const asking = await member.follow(await store(member, differences));
  assert.match(bodyText(asking), /1 is lent to Bo\. What is lent is not counted here/);
  assert.deepEqual(await quantities(), [10, 10, 10]);
  const refused = await member.follow(await store(member, asking, { 'items.0.choice': 'counted' }));
  assert.match(bodyText(refused), /“Drill” was changed meanwhile, or more are lent: choose/);
  assert.deepEqual(await quantities(), [10, 10, 10]);
});

test('what is typed after a look back is compared with what that page shows', async (t) => {
  const { member, quantities } = await openShelf(t);
  const differences = bodyText(await member.follow(await type(member, { Saw: '9' })));
  await member.post('/items/1/quantity', { amount: '3', button: 'add' });
  const back = /<a href="([^"]*)">Go on counting/.exec(differences)?.[1] ?? assert.fail();
  const again = await type(member, { Saw: '10' }, back.replaceAll('&amp;', '&'));
  const shown = await member.follow(again);
  assert.match(bodyText(shown), /Saw<\/a><\/th>\n.*>13<\/td>\n.*>10 </);
  await store(member, shown);
  assert.deepEqual(await quantities(), [10, 10, 10]);
});

test('a form with an error comes back while too many searches wait', async (t) => {
  const { application, member } = await openShelf(t);
  const page = bodyText(await member.get(WORKSHOP));
  t.mock.method(application.models.items, 'list', async () => {
    throw new QueueFull('Too many searches are waiting.');
  });
  assert.equal((await member.get(WORKSHOP)).status, 503);
  const form = formIn(page, '/items/count');
  const fields = { ...hiddenFields(form), ...typed(form, { Saw: 'nine', Drill: '8' }) };
  const refused = await member.post(actionOf(form), fields);
  assert.equal(refused.status, 400);
  for (const text of ['nine', '8'])
    assert.ok(bodyText(refused).includes(`counted" value="${text}"`), text);
});

test('an item that was deleted meanwhile is named, and the rest is stored', async (t) => {
  const { member, quantities } = await openShelf(t);
  const differences = await member.follow(await type(member, { Saw: '9', Drill: '9' }));
  await member.post('/items/1/delete', {});
  const list = bodyText(await member.follow(await store(member, differences)));
  assert.match(list, /Corrected the quantity of 1 item\. No\. 1 was deleted meanwhile\./);
  assert.deepEqual(await quantities(), [9, 10]);
});

test('a number that cannot be read names its item, and keeps all others', async (t) => {
  const { member } = await openShelf(t);
  const refused = await type(member, { Saw: 'nine', Drill: '-1', Screw: '8' });
  assert.equal(refused.status, 400);
  const page = bodyText(refused);
  assert.match(page, /<a href="#items\.0\.counted">Drill: counted must be between 0 and 1,000,000/);
  assert.match(page, /<a href="#items\.2\.counted">Saw: counted must be a whole number/);
  for (const text of ['nine', '-1', '8'])
    assert.ok(page.includes(`counted" value="${text}"`), text);
});

test('numbers that were typed before the log-in are there after it', async (t) => {
  const { application, member, quantities } = await openShelf(t);
  const visitor = createVisitor(application);
  const form = formIn(bodyText(await member.get(WORKSHOP)), '/items/count');
  const refused = await visitor.post(actionOf(form), {
    ...hiddenFields(form),
    ...typed(form, { Drill: '7' }),
  });
  assert.equal(refused.status, 401);
  const hidden = hiddenFields(formIn(bodyText(refused), '/login'));
  const account = { username: 'ada', password: PASSWORD };
  const page = await visitor.follow(await visitor.post('/login', { ...hidden, ...account }));
  const again = formIn(bodyText(page), '/items/count');
  assert.match(again, /name="items\.0\.counted" value="7"/);
  const sent = await visitor.post(actionOf(again), {
    ...hiddenFields(again),
    ...typed(again, { Drill: '7' }),
  });
  await store(visitor, await visitor.follow(sent));
  assert.deepEqual(await quantities(), [10, 7, 10]);
});

test('a list of more than a hundred is counted page by page', async (t) => {
  const database = await openTestDatabase(t);
  await fillItems(database, 150);
  const application = await createTestApplication(t, { database });
  const member = await createMember(application);
  const first = bodyText(await member.get('/items/count'));
  assert.match(first, /150 items are on 2 pages: save each before the next one\./);
  assert.equal([...first.matchAll(/<th scope="row">/g)].length, 100);
  const differences = await member.follow(
    // Thing 7 is lent: a number that differs would be a question.
    await type(member, { 'Thing 1: cable': '77', 'Thing 7: cable': '217' }, '/items/count'),
  );
  const second = await store(member, differences);
  assert.match(headerOf(second, 'Location') ?? '', /^\/items\/count\?page=2&key=[\w-]{11}$/);
  const last = await member.follow(second);
  assert.equal([...bodyText(last).matchAll(/<th scope="row">/g)].length, 50);
  const half = bodyText(await member.get('/items/counts/1'));
  assert.match(half, /100 items, <strong>97 missing, 2 more than stored, 50 not counted</);
  await type(member, {}, headerOf(second, 'Location'));
  const counts = bodyText(await member.get('/items/counts'));
  assert.match(counts, /150 items, /);
  assert.doesNotMatch(counts, /counts\/2/, 'the pages of a list are one count');
});

test('an address that was made up shows nothing that is not there, and stores nothing', async (t) => {
  const { member } = await openShelf(t);
  for (const counts of ['', '1', '1.2.3.4', 'a.b.c', '1.10.1000001', '1.-1.2', '0.1.2', '1.1e3.2'])
    assert.equal(
      headerOf(await member.get(`/items/count/differences?counts=${counts}`), 'Location'),
      '/items/count',
      counts,
    );
  const page = bodyText(await member.get('/items/count/differences?counts=99.10.4_2.10.4'));
  assert.match(page, /No\. 99 \(deleted\)/);
});

testOnEngines(
  'of people who count and take at once, nobody overwrites what they have not seen',
  async (t) => {
    const { application, database, quantities } = await openShelf(t);
    const users = await Promise.all(
      ['ada', 'bo', 'cy'].map((name) => createMember(application, name)),
    );
    for (let round = 0; round < 4; round++) {
      const seen = await quantities();
      const events = (await listEvents(database)).length;
      const pages = await Promise.all(
        users.map(async (user, at) => {
          const counted = `${100 * (round + 1) + at}`;
          const numbers = { Saw: counted, Drill: counted, Screw: counted };
          return user.follow(await type(user, numbers));
        }),
      );
      const takes = users.map(
        (user, at) => () => user.post(`/items/${at + 1}/quantity`, { amount: '1', button: 'take' }),
      );
      // Each form twice: it counts once.
      const counts = users.flatMap((user, at) => {
        const page = pages[at] ?? assert.fail();
        return [() => store(user, page), () => store(user, page)];
      });
      const inTurn = round % 2 === 0 ? [...takes, ...counts] : [...counts, ...takes];
      const answers = await Promise.all(inTurn.map((send) => send()));
      assert.ok(answers.every(({ status }) => status === 303));
      const now = await quantities();
      const made = (await listEvents(database)).slice(0, -events || undefined);
      for (const [at, start] of seen.entries()) {
        const own = made.filter(({ number }) => number === at + 1);
        const stored = own.filter(({ batch }) => batch !== null);
        const sum = own.reduce((left, { changes }) => {
          const [from, to] = changes.quantity ?? assert.fail();
          return left + to - from;
        }, start);
        assert.equal(now[at], sum);
        assert.ok(stored.length <= 1, 'the second count is a question');
        for (const { changes } of stored) assert.equal(changes.quantity?.[0], start);
      }
    }
  },
);
