/** Two processes on one PostgreSQL: what is done on one counts on the other. */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { bodyText, createVisitor, hiddenFields, type Visitor } from 'seeother/testing';
import { headerOf, PASSWORD } from '../testing/create-test-application.ts';
import { skipWithoutPrograms } from '../testing/postgres/find-programs.ts';
import { reachInstance } from '../testing/reach-instance.ts';
import { type Pair, startPair } from '../testing/start-pair.ts';

const ADA = { username: 'ada', password: PASSWORD };
const skip = skipWithoutPrograms();

let pair: Pair;

before(async () => {
  if (skip === false)
    pair = await startPair({ SAMPLE_ITEMS: '0', REGISTRATION: 'open' }, 'postgres');
});
after(() => pair?.stop());

/** Somebody with an account of that name; `onOne` and `onTwo` are the same browser on either instance. */
async function enter(username: string) {
  let index: 0 | 1 = 0;
  const visitor = createVisitor(reachInstance(() => pair.instances[index].url));
  const on = (chosen: 0 | 1) => (): Visitor => {
    index = chosen;
    return visitor;
  };
  const [onOne, onTwo] = [on(0), on(1)];
  assert.equal((await onOne().submit('/register', { ...ADA, username })).status, 303);
  return { onOne, onTwo };
}

test('a session of one instance works on the other, and ends on both', {
  skip,
}, async () => {
  const { onOne, onTwo } = await enter('ada');
  assert.match(bodyText(await onTwo().get('/items/new')), /Logged in as<\/span> <strong>ada/);
  const cookie = `sid=${onTwo().cookie('sid')}`;
  assert.equal((await onTwo().post('/logout')).status, 303);
  const kept = createVisitor(reachInstance(() => pair.instances[0].url));
  assert.equal((await kept.get('/items/new', { headers: { cookie } })).status, 303);
  assert.equal((await onOne().submit('/login', ADA)).status, 303);
  assert.equal((await onTwo().get('/items/new')).status, 200);
});

test('the same form sent to both instances creates one item', {
  skip,
}, async () => {
  const { onOne, onTwo } = await enter('bob');
  const hidden = hiddenFields(bodyText(await onOne().get('/items/new')));
  const first = await onOne().post('/items', { ...hidden, name: 'Ladder' });
  const second = await onTwo().post('/items', { ...hidden, name: 'Ladder' });
  assert.equal(first.status, 303);
  assert.equal(headerOf(second, 'Location'), headerOf(first, 'Location'));
  const next = await onTwo().submit('/items/new', { name: 'Stool' });
  const numberOf = (response: typeof first) => Number(headerOf(response, 'Location')?.slice(7));
  assert.equal(numberOf(next), numberOf(first) + 1);
});

test('an item saved on one instance is immediately in the list of the other', {
  skip,
}, async () => {
  const { onOne, onTwo } = await enter('bess');
  for (const name of ['Rake', 'Spade']) {
    for (const visitor of [onOne, onTwo])
      assert.doesNotMatch(bodyText(await visitor().get('/items')), new RegExp(name));
    assert.equal((await onOne().submit('/items/new', { name })).status, 303);
    assert.match(bodyText(await onTwo().get('/items')), new RegExp(name));
  }
});

test('a message from one is shown on the other, once', { skip }, async () => {
  const { onOne, onTwo } = await enter('cleo');
  const saved = await onOne().submit('/items/new', { name: 'Bucket' });
  assert.match(bodyText(await onTwo().follow(saved)), /The item was saved\./);
  for (const visitor of [onOne(), onTwo()])
    assert.doesNotMatch(bodyText(await visitor.follow(saved)), /The item was saved\./);
});

test('a draft from one instance comes back on the other after the log-in', { skip }, async () => {
  const { onOne, onTwo } = await enter('dora');
  const typed = { ...hiddenFields(bodyText(await onOne().get('/items/new'))), name: 'Rope & hook' };
  await onTwo().post('/logout');
  const refused = await onOne().post('/items', typed);
  assert.equal(refused.status, 401);
  const form = /<form[^>]*action="\/login"[\s\S]*?<\/form>/.exec(bodyText(refused))?.[0] ?? '';
  const login = { ...hiddenFields(form), ...ADA, username: 'dora' };
  const back = await onTwo().post('/login', login);
  assert.equal(headerOf(back, 'Location'), '/items/new');
  assert.match(bodyText(await onOne().follow(back)), /value="Rope &amp; hook"/);
  assert.equal((await onTwo().post('/draft/discard')).status, 303);
  assert.doesNotMatch(bodyText(await onOne().get('/items/new')), /Rope/);
});

test('failed log-ins on both instances count together', { skip }, async () => {
  const { onOne, onTwo } = await enter('eve');
  await onOne().post('/logout');
  const tryOn = async (visitor: Visitor, username: string) =>
    (await visitor.submit('/login', { username, password: 'a wrong guess' })).status;
  const statuses: number[] = [];
  for (let count = 0; count < 5; count++)
    statuses.push(await tryOn(onOne(), 'mallory'), await tryOn(onTwo(), 'mallory'));
  assert.deepEqual(new Set(statuses), new Set([401]));
  assert.equal(await tryOn(onOne(), 'mallory'), 429);
  assert.equal(await tryOn(onTwo(), 'mallory'), 429);
});
