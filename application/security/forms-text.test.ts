/**
 * Rows C9 and C14, C16 and C17 of docs/hostile.md: text that a database or a template could
 * interpret.
 */
import assert from 'node:assert/strict';
import test, { mock, type TestContext } from 'node:test';
import { bodyText, createVisitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  PASSWORD,
} from '../testing/create-test-application.ts';
import { dumpDatabase, escapeMarkup } from './probe.ts';

const FIELDS = ['name', 'description', 'location', 'tags'] as const;

async function openForm(t: TestContext) {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const create = async (text: string) => {
    const fields = Object.fromEntries(FIELDS.map((field) => [field, text]));
    const answer = await member.post('/items', fields);
    assert.equal(answer.status, 303, text);
    return String(answer.headers['Location']);
  };
  /** The page of an item that has the text in every field. */
  const show = async (text: string) => bodyText(await member.get(await create(text)));
  return { ...application, member, create, show };
}

/**
 * The page without the targets of its links, which repeat tags and locations in another encoding.
 */
function withoutLinks(markup: string): string {
  return markup.replaceAll(/ href="[^"]*"/g, '');
}

async function comesBack(t: TestContext, texts: readonly string[]): Promise<void> {
  const { show, models, member } = await openForm(t);
  for (const [index, text] of texts.entries()) {
    const markup = withoutLinks(await show(text));
    const item = await models.items.find(index + 1);
    for (const field of FIELDS) assert.equal(String(item?.[field]), text);
    // Title, heading, description, location, tag.
    assert.equal(markup.split(escapeMarkup(text)).length - 1, 5, JSON.stringify(text));
    const list = withoutLinks(bodyText(await member.get('/items')));
    // Name, location, tag, and the last two again beside the list.
    assert.equal(list.split(escapeMarkup(text)).length - 1, 5, JSON.stringify(text));
  }
}

test('C9: every text of Unicode comes back byte for byte, and none with a NUL or broken UTF-8', async (t) => {
  const { member, database, show } = await openForm(t);
  const earlier = await dumpDatabase(database.url);
  for (const field of FIELDS) {
    for (const bytes of ['%ff', '%ed%a0%80', 'a%00b']) {
      const body = field === 'name' ? `name=${bytes}` : `name=Drill&${field}=${bytes}`;
      const answer = await member.post('/items', body);
      assert.equal(answer.status, 400, body);
      assert.doesNotMatch(bodyText(answer), /\0/);
    }
  }
  assert.deepEqual(await dumpDatabase(database.url), earlier);
  const marks = `e${'\u0323'.repeat(9_999)}`;
  assert.equal((await member.post('/items', { name: 'x', description: marks })).status, 303);
  assert.ok(bodyText(await member.get('/items/1')).includes(marks));
  const texts = [
    '\u{1f528} a\u{10ffff}b 👩‍🔧👨‍👩‍👧‍👦',
    'a\ufeffb a\u202eb \u2067a\u2069 a\u200db',
    'Ünïcödé 日本語 ﷺ a\u2028b \u{fffd} a\u0085b \u{e0001}x',
    'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A'.normalize('NFC'),
  ];
  for (const text of texts) {
    const markup = await show(text);
    assert.ok(Buffer.from(markup).includes(Buffer.from(text)), JSON.stringify(text));
  }
});

const SQL = [
  `' OR 1=1-- " OR ""="`,
  `'; DROP TABLE items;-- x"; VACUUM;--`,
  `x' AND 1=0 UNION SELECT \\' OR 1=1--`,
  `%' OR '1' LIKE '%`,
  `?1 :name $1 @x`,
  '`items` \u02bc OR 1=1',
];

test('C14: SQL in text is stored unchanged, and has no effect in a parameter or a cookie', async (t) => {
  await comesBack(t, SQL);
  const application = await createTestApplication(t);
  const member = await createMember(application);
  await member.post('/items', { name: 'Drill' });
  const list = bodyText(await member.get('/items'));
  const shown = bodyText(await createVisitor(application).get('/items'));
  const earlier = await dumpDatabase(application.database.url);
  const sid = `sid=${member.cookie('sid')}`;
  for (const [index, payload] of SQL.entries()) {
    const encoded = encodeURIComponent(payload);
    for (const name of ['page', 'sort', payload]) {
      const answer = await member.get(`/items?${encodeURIComponent(name)}=${encoded}`);
      assert.equal(bodyText(answer), list, name);
    }
    for (const name of ['q', 'tag', 'location']) {
      const answer = await member.get(`/items?${name}=${encoded}`);
      assert.equal(answer.status, 200, name);
      assert.match(bodyText(answer), /Nothing matches\./, `${name}: ${payload}`);
    }
    assert.equal((await member.get(`/items/${encoded}`)).status, 404, payload);
    const visitor = createVisitor(application);
    const cookies = [`sid=${payload}`, `${sid}'${payload}`, `sid="${payload}"`];
    for (const cookie of cookies) {
      const answer = await visitor.get('/items', { headers: { cookie } });
      assert.equal(bodyText(answer), shown, cookie);
    }
    const address = `192.0.2.${index}`;
    const asPassword = { username: 'ada', password: payload };
    const asName = { username: payload, password: PASSWORD, next: payload };
    for (const fields of [asName, asPassword]) {
      const answer = await visitor.post('/login', fields, { address });
      assert.equal(answer.status, 401, payload);
    }
    const receipt = await member.post('/items', { name: '', _once: payload });
    assert.equal(receipt.status, 400);
  }
  const written = { failed_log_ins: [], seeother_account_events: [] };
  const later = await dumpDatabase(application.database.url);
  const { failed_log_ins: tries, seeother_account_events: events = [] } = later;
  assert.deepEqual({ ...later, ...written }, { ...earlier, ...written });
  const own = earlier['seeother_account_events'] ?? [];
  assert.deepEqual(events.slice(0, own.length), own);
  assert.equal(events.length, own.length + 2 * SQL.length);
  assert.equal(tries?.length, 4 * SQL.length);
});

test('C16: template or format syntax in text is shown unchanged', async (t) => {
  await comesBack(t, [
    `{{7*7}} \${7*7} %s%n%x%d <%= 7*7 %>`,
    '{{constructor.constructor("x")()}}',
    "$& $1 $' $$ $` \\u0041 \\x41 \\n",
    '#{7*7} &lt; &amp;amp; &#60; %3Cb%3E +a+',
    '@{x} *{7*7} [[7*7]] {0} {name} __once__',
    '`id` $(id)',
  ]);
});

test('C17: no input with more than 30 marks on one letter is normalized', async (t) => {
  const { member, create, handle } = await openForm(t);
  const normalize = mock.method(String.prototype, 'normalize');
  t.after(() => normalize.mock.restore());
  for (const pair of ['\u0f73', '\u0301\u0316']) {
    const heap = `e${pair.repeat(40)}`;
    await create(`e${pair}`);
    await create(`${pair.repeat(5)} e${pair.repeat(5)}`);
    const fields = { name: heap, description: heap, location: heap };
    assert.equal((await member.post('/items', fields)).status, 303);
    assert.equal((await member.post('/items', { name: 'x', tags: heap })).status, 400);
    for (const name of ['q', 'tag', 'location', 'sort', 'page'])
      await member.get(`/items?${name}=${encodeURIComponent(heap)}`);
    const visitor = createVisitor({ handle });
    await visitor.post('/login', { username: heap, password: heap, next: `/${heap}` });
    await visitor.post('/register', { username: heap, password: heap, invitation: heap });
  }
  const texts = normalize.mock.calls.map((call) => String(call.this));
  assert.ok(
    texts.some((text) => /\p{M}/u.test(text)),
    'text with marks is normalized',
  );
  const heaps = texts.filter((text) => /\p{M}{31}/u.test(text));
  assert.deepEqual(heaps, []);
});
