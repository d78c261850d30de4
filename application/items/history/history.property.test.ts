/** Many forms at once, on two instances: the history adds up to the state, and no form counts twice. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import type { Response } from 'seeother';
import type { TypedFields, Visitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  type TestApplication,
} from '../../testing/create-test-application.ts';
import { listBatches, listEvents } from '../../testing/list-events.ts';
import { openAnother, openTestDatabase, testOnEngines } from '../../testing/open-test-database.ts';
import { stateBefore, withFieldsOf } from '../events/item-changes.ts';
import type { ItemEvent } from '../events/item-events.ts';
import { EMPTY_ITEM, ITEM_FIELDS, type ItemInput } from '../item-fields.ts';
import { toItemText } from '../item-form.ts';

const ITEMS = 4;
const AT_ONCE = 12;

const operation = fc.record({
  kind: fc.constantFrom(
    ...(['create', 'edit', 'edit', 'count', 'count', 'set', 'lend', 'lend', 'return'] as const),
    ...(['delete', 'restore', 'undo'] as const),
    ...(['move', 'count many', 'delete many', 'rename', 'undo batch', 'undo batch'] as const),
  ),
  item: fc.integer({ min: 1, max: ITEMS }),
  /** Which of two users, each on an instance of their own. */
  user: fc.integer({ min: 0, max: 1 }),
  value: fc.integer({ min: 1, max: 5 }),
});
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

const START: ItemInput = {
  ...EMPTY_ITEM,
  ...{ name: 'Thing', quantity: 5, location: 'Cellar', tags: ['a'] },
};

interface Sent {
  readonly operation: Operation;
  /** Stands in the event of the form. */
  readonly mark: string;
  readonly isDone: boolean;
}

/** Sends the form twice at once; resolves to whether it was carried out. */
async function sendTwice(visitor: Visitor, path: string, fields: TypedFields, once: string) {
  const send = async (): Promise<Response> => {
    const answer = await visitor.post(path, { ...fields, _once: once });
    if (answer.status !== 429 && answer.status !== 503) return answer;
    // Other undos are running.
    await setTimeout(10);
    return send();
  };
  const answers = await Promise.all([send(), send()]);
  for (const { status } of answers) assert.ok([303, 400, 404, 409].includes(status), `${status}`);
  return answers.some(({ status }) => status === 303);
}

/** Some of the items, as ticked on the list. */
function tick(value: number): TypedFields {
  const numbers = Array.from({ length: ITEMS }, (_, index) => index + 1);
  const ticked = numbers.filter((number) => number % value !== 0 || value === 1);
  return Object.fromEntries(ticked.map((number, row) => [`row_${row}`, String(number)]));
}

async function carryOut(
  visitor: Visitor,
  { database, models }: TestApplication,
  operation: Operation,
  mark: string,
): Promise<boolean> {
  const { kind, item, value } = operation;
  const send = (path: string, fields: TypedFields = {}) => sendTwice(visitor, path, fields, mark);
  switch (kind) {
    case 'create':
      return send('/items', { name: `Thing ${mark}`, quantity: '5' });
    case 'edit': {
      const before = await models.items.find(item);
      if (before === null) return false;
      const fields = { name: `Thing ${mark}`, quantity: String(value), tags: `t${value}` };
      const version = String(before.version);
      return send(`/items/${item}/edit`, { ...fields, location: before.location, version });
    }
    case 'count': {
      const button = value % 2 === 0 ? 'take' : 'add';
      return send(`/items/${item}/quantity`, { amount: String(value), reason: mark, button });
    }
    case 'set': {
      const seen = (await models.items.find(item))?.quantity;
      const set = { amount: String(value), seen: String(seen), reason: mark, button: 'set' };
      return send(`/items/${item}/quantity`, set);
    }
    case 'lend':
      return send(`/items/${item}/lend`, { to: mark, until: value > 2 ? '2999-12-31' : '' });
    case 'return': {
      const lent = (await models.items.find(item))?.loans[0]?.at ?? '';
      return send(`/items/${item}/return`, { lent });
    }
    case 'delete':
    case 'restore':
      return send(`/items/${item}/${kind}`);
    case 'move':
      return send('/items/select', { ...tick(value), location: `Place ${mark}`, button: 'move' });
    case 'count many': {
      const found = await models.items.findMany([1, 2, item]);
      const rows = found.flatMap(({ number, quantity }, at) =>
        Object.entries({
          number,
          was: quantity,
          seen: quantity,
          counted: value,
          choice: 'counted',
        }).map(([name, text]) => [`items.${at}.${name}`, String(text)]),
      );
      return send('/items/count/differences', Object.fromEntries(rows));
    }
    case 'delete many':
      return send('/items/select', { ...tick(value), button: 'delete' });
    case 'rename': {
      const place = await models.places.resolve((await models.items.find(item))?.location ?? '');
      const version = (await models.places.find(place?.id ?? 1))?.version ?? 1;
      const fields = { name: `Room ${value}`, inside: value > 2 ? 'House' : '', merge: '' };
      return send(`/places/${place?.id ?? 1}/edit`, { ...fields, version: `${version}` });
    }
    case 'undo batch': {
      const batches = (await listBatches(database)).slice(0, value);
      return send(`/items/history/batches/${batches.at(-1)?.id ?? 1}/undo`);
    }
    case 'undo': {
      const { events } = await models.history.ofItem(item, value);
      return send(`/items/${item}/history/${events.at(-1)?.id ?? 1}/undo`);
    }
  }
}

testOnEngines(
  'the history of forms that were sent twice at once adds up to the state of the items',
  async (t) => {
    const runs = fc.array(operation, { minLength: 30, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(runs, (operations) => check(t, operations)),
      { numRuns: 3, endOnFailure: true },
    );
  },
);

async function check(t: TestContext, operations: readonly Operation[]): Promise<void> {
  const database = await openTestDatabase(t);
  const one = await createTestApplication(t, { database });
  const other = await createTestApplication(t, { database: await openAnother(t, database) });
  const users = [await createMember(one, 'ada'), await createMember(other, 'bo')] as const;
  const instances = [one, other] as const;
  const { history, items } = one.models;
  for (let number = 1; number <= ITEMS; number++) await users[0].post('/items', toItemText(START));

  const sent: Sent[] = [];
  for (let start = 0; start < operations.length; start += AT_ONCE) {
    const batch = operations.slice(start, start + AT_ONCE).map(async (operation, index) => {
      const mark = `form-${start + index}`;
      const { user } = operation;
      const [visitor, instance] = [users[user] ?? users[0], instances[user] ?? one];
      const isDone = await carryOut(visitor, instance, operation, mark);
      sent.push({ operation, mark, isDone });
    });
    await Promise.all(batch);
  }

  const events = await listEvents(database);
  // Additions have negative ids.
  const ids = events.map(({ id }) => id).filter((id) => id > 0);
  assert.deepEqual(
    ids,
    ids.map((_, index) => ids.length - index),
    'ids have no gap',
  );
  const created = sent.filter((form) => form.operation.kind === 'create' && form.isDone);
  const last = ITEMS + created.length;
  assert.equal(await items.lastNumber(), last, 'no create is lost or doubled');
  const added = events.filter(({ kind }) => kind === 'added');
  assert.deepEqual(
    new Set(added.map(({ number }) => number)),
    new Set(Array.from({ length: last }, (_, index) => index + 1)),
  );
  assert.equal(added.length, last, 'each addition is in the history, once');
  checkForms(sent, events);
  await checkBatches(one, sent, events);

  let present = 0;
  for (let number = 1; number <= last; number++) {
    const own = events.filter((event) => event.number === number);
    const item = await items.find(number);
    const deletion = await history.findDeletion(number);
    assert.equal(item === null, deletion !== null, `item ${number} is there or was deleted`);
    const state = item ?? deletion?.deleted ?? assert.fail(`item ${number} is lost`);
    if (item !== null) present++;
    assert.deepEqual(
      own.map(({ version }) => version),
      own.map((_, index) => own.length - index),
      `item ${number} has one event for each version`,
    );
    if (item !== null) assert.equal(item.version, own.length);
    const original = stateBefore(
      state,
      own.map(({ changes }) => changes),
    );
    assert.deepEqual(original.loans, []);
    if (number <= ITEMS)
      assert.deepEqual(withFieldsOf(START, original, ITEM_FIELDS), START, `item ${number}`);
  }
  assert.equal((await items.list(1)).itemCount, present);
  assert.equal((await items.list(1, { search: 'thing' })).itemCount, present);
}

const SINGLE: ReadonlySet<string> = new Set([
  ...['edit', 'count', 'set', 'lend', 'return', 'delete', 'restore', 'undo'],
]);

/** Each batch counts its events and those undone, and its form has no other batch. */
async function checkBatches(
  { database }: TestApplication,
  sent: readonly Sent[],
  events: readonly ItemEvent[],
): Promise<void> {
  const batches = await listBatches(database);
  const moves = await database.read.selectFrom('place_changes').select('batch').execute();
  const isUndone = (id: number) =>
    batches.some(({ operation }) => operation.kind === 'undone' && operation.undoes === id);
  for (const { id, ...batch } of batches) {
    const own = events.filter((event) => event.batch === id);
    const undone = own.filter(({ undoneBy }) => undoneBy !== null);
    // The change of a place is the first event of its batch, which no item has.
    const place = moves.some((move) => move.batch === id) ? 1 : 0;
    const counted = [batch.events, batch.undone];
    const all = [own.length + place, undone.length + (isUndone(id) ? place : 0)];
    assert.deepEqual(counted, all, `batch ${id} counts`);
    if (own.length > 0) assert.equal(batch.lastEvent, own[0]?.id);
    const numbers = new Set(own.map(({ number }) => number));
    assert.equal(numbers.size, own.length, `batch ${id} changes an item once`);
  }
  const done = sent.filter(
    ({ operation, isDone }) => isDone && operation.kind !== 'create' && !SINGLE.has(operation.kind),
  );
  // A form that needs to change nothing leaves no batch.
  assert.ok(batches.length <= done.length, `${batches.length} batches of ${done.length} forms`);
  for (const { mark, isDone } of sent) {
    const moved = batches.filter(
      ({ operation }) => operation.kind === 'moved' && operation.location === `Place ${mark}`,
    );
    assert.ok(moved.length <= (isDone ? 1 : 0), `${mark} moves once`);
  }
}

/** Each form that was carried out has one event, and no other has any. */
function checkForms(sent: readonly Sent[], events: readonly ItemEvent[]): void {
  for (const { operation, mark, isDone } of sent) {
    if (operation.kind === 'count') {
      const found = events.filter(({ reason }) => reason === mark);
      assert.equal(found.length, isDone ? 1 : 0, `${mark} counts`);
    }
    if (operation.kind === 'set') {
      const found = events.filter(({ reason }) => reason === mark);
      assert.ok(found.length <= (isDone ? 1 : 0), `${mark} counts once`);
    }
    if (operation.kind === 'lend') {
      const found = events.filter(
        ({ changes, undoes }) => undoes === null && changes.loans?.[1][0]?.to === mark,
      );
      assert.equal(found.length, isDone ? 1 : 0, `${mark} counts`);
    }
    if (operation.kind === 'edit') {
      const found = events.filter(
        ({ changes, undoes }) => undoes === null && changes.name?.[1] === `Thing ${mark}`,
      );
      assert.equal(found.length, isDone ? 1 : 0, `${mark} counts`);
    }
  }
  const returned = events.filter(({ kind, undoes }) => kind === 'returned' && undoes === null);
  const returns = sent.filter(({ operation, isDone }) => operation.kind === 'return' && isDone);
  assert.equal(returned.length, returns.length, 'each return counts');
  const alone = events.filter(({ kind, batch }) => kind !== 'added' && batch === null);
  const done = sent.filter(({ operation, isDone }) => SINGLE.has(operation.kind) && isDone);
  // A restore of an item that is there is answered like one that was carried out.
  assert.ok(alone.length <= done.length, `${alone.length} events of ${done.length} forms`);
}
