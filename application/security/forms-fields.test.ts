/** Rows C1 to C3 and C10 to C13 of docs/hostile.md: the fields of a form, and repeats of a form. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, encodeFields, type TypedFields } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  PASSWORD,
} from '../testing/create-test-application.ts';
import { dumpDatabase, pathOf } from './probe.ts';

async function openForm(t: TestContext) {
  const application = await createTestApplication(t, { environment: { REGISTRATION: 'open' } });
  const member = await createMember(application);
  const dump = () => dumpDatabase(application.database.url);
  return { ...application, member, dump };
}

const PROTOTYPES = [
  ...['__proto__', 'constructor', 'prototype', '__proto__.x', 'constructor.prototype.x'],
  ...['a[__proto__][x]', '__proto__[x]', 'name[__proto__][x]', 'constructor[prototype][x]', '[x]'],
  ...['toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'name[]', 'name.x'],
];

const REFUSED = [
  ['/items/:number', 404],
  ['/items/imports/:id', 404],
  ['/items/import', 415],
  ['/items/history/batches', 404],
  ['/items/rename', 404],
  ['/reset-password', 403],
  ['/people/:id', 409],
] as const;

test('C1: field names such as __proto__ are ignored and change no object', async (t) => {
  const { member, models, routes } = await openForm(t);
  const list = bodyText(await member.get('/items'));
  for (const path of routes.filter(({ method }) => method === 'POST').map((one) => one.pattern)) {
    for (const name of PROTOTYPES) {
      if (path === '/logout') continue;
      const answer = await member.post(pathOf(path), `${encodeURIComponent(name)}=polluted`);
      // A form without required fields is valid, and so a 303. There is no item yet, and no link to reset
      // a password; the only administrator is neither removed nor has their own password reset.
      const isOpen = ['/items', '/login', '/register'].includes(path);
      const [, refused = 400] = REFUSED.find(([start]) => path.startsWith(start)) ?? [];
      const expected = [400, refused, ...(isOpen ? [] : [303])];
      assert.ok(expected.includes(answer.status), `${name} to ${path} is ${answer.status}`);
    }
  }
  assert.equal(Reflect.get({}, 'x'), undefined);
  assert.equal(`${{}}`, '[object Object]');
  assert.equal(bodyText(await member.get('/items')), list);
  const all = PROTOTYPES.map((name) => `${encodeURIComponent(name)}=polluted`).join('&');
  assert.equal((await member.post('/items', `${all}&name=Drill`)).status, 303);
  assert.deepEqual((await models.items.find(1))?.name, 'Drill');
  assert.equal(Reflect.get({}, 'x'), undefined);
  for (const query of PROTOTYPES) {
    const answer = await member.get(`/items?${encodeURIComponent(query)}=polluted`);
    assert.equal(answer.status, 200, query);
  }
});

// By decision, an invalid form is a 400, here and below.
test('C2: a repeated field is an error, and the query is not part of a form', async (t) => {
  const { member, dump } = await openForm(t);
  const earlier = await dump();
  for (const body of [
    'name=a&name=b',
    'name=a&name=a',
    'name=a&name=',
    'name&name=b',
    'n%61me=a&name=b',
  ]) {
    const answer = await member.post('/items', body);
    assert.equal(answer.status, 400, body);
    assert.match(bodyText(answer), /Name was sent twice; send it once/, body);
  }
  const query = await member.post('/items?name=x&_once=y', 'quantity=1');
  assert.equal(query.status, 400);
  assert.match(bodyText(query), /Enter a name/);
  const login = await member.post('/login', `username=ada&username=bob&password=${PASSWORD}`);
  assert.equal(login.status, 400);
  assert.deepEqual(await dump(), earlier);
});

test('C3: an undeclared field is never stored', async (t) => {
  const { member, models } = await openForm(t);
  const foreign = {
    ...{ isAdmin: '1', id: '5', number: '99', owner_id: '1', created_by: '7', createdBy: 'bob' },
    ...{ created_at: '1999-01-01', version: '5', NAME: 'Other', updated_by: '7', 'name ': 'Other' },
  };
  const answer = await member.post('/items', { ...foreign, name: 'Drill' });
  assert.equal(answer.headers['Location'], '/items/1');
  const { createdAt, updatedAt, ...item } = (await models.items.find(1)) ?? {};
  assert.deepEqual(item, {
    ...{ number: 1, name: 'Drill', description: '', quantity: 1, location: '', tags: [] },
    ...{ minimum: null, loan: null, createdBy: 'ada', updatedBy: 'ada', version: 1 },
  });
  assert.deepEqual(createdAt, updatedAt);
  assert.notEqual(createdAt?.getUTCFullYear(), 1999);
});

/** One character of two UTF-16 code units and four UTF-8 bytes. */
const WIDE = '\u{1f528}';

test('C10: lengths are counted in characters, after trimming and NFC', async (t) => {
  const { member, models } = await openForm(t);
  const isTaken = async (fields: TypedFields) =>
    (await member.post('/items', { name: 'Drill', ...fields })).status === 303;
  const bounds = {
    name: [1, 120],
    description: [0, 10_000],
    location: [0, 120],
    tags: [0, 40],
  } as const;
  for (const [field, [shortest, longest]] of Object.entries(bounds)) {
    for (const letter of ['x', 'é', WIDE]) {
      for (const length of [shortest - 1, shortest, longest - 1, longest, longest + 1]) {
        if (length < 0) continue;
        const text = letter.repeat(length);
        const fits = length >= shortest && length <= longest;
        assert.equal(await isTaken({ [field]: text }), fits, `${field}: ${letter}, ${length}`);
        assert.equal(await isTaken({ [field]: ` \t${text}\r\n ` }), fits, `${field}: ${length}`);
      }
    }
    // Two code points as typed, one after NFC.
    assert.equal(await isTaken({ [field]: 'e\u0301'.repeat(longest) }), true, field);
  }
  for (const [quantity, fits] of [
    ['-1', false],
    ['0', true],
    ['1', true],
    ['999999', true],
    ['1000000', true],
    ['1000001', false],
  ] as const)
    assert.equal(await isTaken({ quantity }), fits, quantity);
  const tags = (count: number) =>
    Array.from({ length: count }, (_, index) => `tag ${index}`).join();
  for (const count of [19, 20, 21]) assert.equal(await isTaken({ tags: tags(count) }), count <= 20);

  const registers = async (fields: TypedFields) =>
    (await member.post('/register', { username: 'bob', password: PASSWORD, ...fields })).status ===
    303;
  for (const length of [2, 3, 4, 39, 40, 41])
    assert.equal(await registers({ username: 'b'.repeat(length) }), length >= 3 && length <= 40);
  for (const [index, length] of [7, 8, 9, 999, 1_000, 1_001].entries()) {
    const fields = { username: `carl${index}`, password: WIDE.repeat(length) };
    assert.equal(await registers(fields), length >= 8 && length <= 1_000, `password: ${length}`);
  }
  assert.equal((await models.items.find(1))?.name.length, 1);
});

const TYPED = {
  name: '',
  description: 'Two\nlines',
  quantity: 'many',
  location: 'Attic',
  tags: 'a, b',
};

test('C11: an invalid form is a 400 with the typed text, and nothing is written', async (t) => {
  const { member, dump } = await openForm(t);
  const earlier = await dump();
  const answer = await member.post('/items', { ...TYPED, _once: 'once' });
  const markup = bodyText(answer);
  assert.equal(answer.status, 400);
  for (const field of ['name', 'quantity']) {
    assert.match(markup, new RegExp(`<input[^>]* id="${field}"[^>]* aria-invalid="true"`));
    assert.match(
      markup,
      new RegExp(`id="${field}"[^>]* aria-describedby="[^"]*\\b${field}-error"`),
    );
    assert.match(markup, new RegExp(`<p [^>]*id="${field}-error"`));
    assert.match(markup, new RegExp(`<a href="#${field}">`));
  }
  assert.equal(markup.split('aria-invalid').length, 3);
  for (const field of ['quantity', 'location', 'tags'] as const)
    assert.match(markup, new RegExp(`name="${field}" value="${TYPED[field]}"`));
  assert.match(markup, />\nTwo\nlines<\/textarea>/);
  assert.match(markup, /name="_once" value="once"/);
  assert.equal((await member.post('/items', '')).status, 400);
  assert.deepEqual(await dump(), earlier);
});

test('C12: a valid form is a 303 to a path on this site, and the page after it creates nothing', async (t) => {
  const { member, dump, models } = await openForm(t);
  const answer = await member.post('/items', { name: 'Drill' });
  assert.equal(answer.status, 303);
  assert.equal(answer.headers['Location'], '/items/1');
  assert.equal(answer.headers['Cache-Control'], 'no-store');
  // The first visit shows the flash and removes it from the session.
  assert.equal((await member.get('/items/1')).status, 200);
  const written = await dump();
  for (let time = 0; time < 3; time++) assert.equal((await member.get('/items/1')).status, 200);
  assert.deepEqual(await dump(), written);
  assert.equal((await models.items.list(1)).itemCount, 1);
});

test('C13: a form sent fifty times at once creates one item, and every response redirects to it', async (t) => {
  const { member, models, dump } = await openForm(t);
  const shown = bodyText(await member.get('/items/new'));
  const once = / name="_once" value="([^"]+)"/.exec(shown)?.[1] ?? '';
  assert.match(once, /^[\w-]{22,}$/);
  const body = encodeFields({ _once: once, name: 'Drill', tags: 'a, b' });
  const answers = await Promise.all(Array.from({ length: 50 }, () => member.post('/items', body)));
  const places = new Set(answers.map(({ status, headers }) => `${status} ${headers['Location']}`));
  assert.deepEqual([...places], ['303 /items/1']);
  assert.equal((await models.items.list(1)).itemCount, 1);
  assert.equal((await dump())['receipts']?.length, 1);
  assert.equal((await member.post('/items', body)).headers['Location'], '/items/1');
  const changed = encodeFields({ _once: once, name: 'Saw', tags: 'a, b' });
  assert.equal((await member.post('/items', changed)).headers['Location'], '/items/2');
});
