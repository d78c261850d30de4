import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { createStores } from '../database/create-stores.ts';
import { buttonField } from '../field/button-field.ts';
import { choiceField, choicesField } from '../field/choice-field.ts';
import { dateField } from '../field/date-field.ts';
import { dateTimeField } from '../field/date-time-field.ts';
import { checkboxField, textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { choiceGroup, fieldGroup, rows } from '../form/field-set.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { page, seeOther, withSession } from '../http/response.ts';
import { german } from '../language/german.ts';
import { createLanguage } from '../language/language.ts';
import { requireSession } from '../session/require-session.ts';
import type { Draft } from '../session/session.ts';
import { endSession, startSession } from '../session/session-change.ts';
import { createSite } from '../site/create-site.ts';
import { createMemoryStores } from '../site/stores.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { bodyText, createVisitor, hiddenFields, type Visitor } from '../testing/visitor.ts';
import { stepPages } from './step-pages.ts';
import { steps } from './steps.ts';

const contactForm = defineForm({
  name: textField({ label: 'Name', required: 'Enter a name', maxLength: 40 }),
});
const roomForm = defineForm({
  room: choiceField({
    label: 'Room',
    required: 'Choose a room',
    choices: [
      { value: 'blue', label: 'The blue room' },
      { value: 'red', label: 'The red room' },
    ],
  }),
  board: checkboxField({ label: 'Breakfast' }),
});
const mealForm = (max: number) =>
  defineForm({ meal: textField({ label: 'Meal', required: 'Enter a meal', maxLength: max }) });

const booking = steps()
  .step('contact', contactForm, { title: 'Your details' })
  .step('room', roomForm, { title: 'Room' })
  .step('meals', ({ room }) => mealForm(room.room === 'blue' ? 5 : 9), {
    title: 'Meals',
    when: ({ room }) => room.board,
  });

const passOn = (<C>(context: C, next: (context: C) => unknown) =>
  next(context)) as unknown as typeof requireSession;
const ROOM = { room: 'blue', board: 'on' };

type Row = { readonly text: string };

async function openBookings(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'steps-'));
  const open = () =>
    openSqlite(join(folder, 'bookings.db'), {
      migrate: async ({ run }) => {
        await run('create table if not exists bookings (text text not null)');
      },
    });
  let database = await open();
  t.after(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });
  let draft: Draft | null = null;
  const keepDraft = (one: Draft) => {
    draft = one;
  };
  const start = (isProtected = false, order = booking) => {
    const site = createSite(createStores(database), {
      log: false,
      errors: { report: () => {} },
    })
      .post('/login/:name', ({ params }) =>
        withSession(
          seeOther(localPath('/')),
          startSession({ id: params.name, name: params.name }, { draft }),
        ),
      )
      .post('/logout', () => withSession(seeOther(localPath('/')), endSession))
      .get('/booked', ({ flash }) => page(html`<main>${flash}</main>`));
    return stepPages(site, '/book', order, {
      button: 'Book',
      middleware: [isProtected ? requireSession : passOn],
      show: ({ step, title, position, formHtml }) =>
        html`<main class="${step}"><h1>${title}</h1><p>${position}</p>${formHtml}</main>`,
      async send({ answers: { contact, room, meals }, transaction }) {
        await transaction.run('insert into bookings values (?)', [
          [contact.name, room.room, meals?.meal ?? 'none'].join(' '),
        ]);
        if (contact.name === 'Nobody')
          return { errors: [{ field: null, message: 'The house is full' }], status: 409 };
        return { path: localPath('/booked'), message: `Booked for ${contact.name}.` };
      },
    });
  };
  const bookings = async () => {
    const { rows } = await database.read.run<Row>('select text from bookings', []);
    return rows.map(({ text }) => text);
  };
  const count = async () => {
    const { rows } = await database.read.run<{ count: number }>(
      'select count(*) as count from seeother_values',
      [],
    );
    return rows[0]?.count;
  };
  const restart = async () => {
    await database.close();
    database = await open();
  };
  return { start, bookings, count, restart, keepDraft };
}

/** Where a form leads. */
async function next(visitor: Visitor, path: string, fields: Readonly<Record<string, string>>) {
  const answer = await visitor.submit(path, fields);
  assert.equal(answer.status, 303, bodyText(answer));
  return String(answer.headers['Location']);
}

const shown = async (visitor: Visitor, path: string) =>
  bodyText(await visitor.follow(await visitor.get(path)));

test('the steps lead one to the next, and all answers are sent together', async (t) => {
  const { start, bookings } = await openBookings(t);
  const visitor = createVisitor(start());
  const room = await next(visitor, '/book', { name: ' Ada <1> ' });
  assert.match(room, /^\/book\/[\w-]{22}\/room$/);
  const meals = await next(visitor, room, ROOM);
  assert.equal(meals, room.replace('room', 'meals'));
  const check = await next(visitor, meals, { meal: 'soup' });
  assert.equal(check, room.replace('room', 'check'));
  assert.deepEqual(await bookings(), []);
  const list = await shown(visitor, check);
  assert.match(list, /<h1>Check your answers<\/h1><p><\/p>/);
  assert.deepEqual(list.match(/(?<=<d[td]>)[^<]+/g), [
    'Name',
    'Ada &lt;1&gt;',
    'Room',
    'The blue room',
    'Breakfast',
    'Yes',
    'Meal',
    'soup',
  ]);
  const done = await visitor.submit(check, {});
  assert.equal(done.headers['Location'], '/booked');
  assert.match(bodyText(await visitor.follow(done)), /Booked for Ada &lt;1&gt;\./);
  assert.deepEqual(await bookings(), ['Ada <1> blue soup']);
});

test('a step has its number, and the number of all once it is known', async (t) => {
  const { start } = await openBookings(t);
  const visitor = createVisitor(start());
  const positionOn = async (path: string) => /<p>(.*?)<\/p>/.exec(await shown(visitor, path))?.[1];
  assert.equal(await positionOn('/book'), 'Step 1');
  const room = await next(visitor, '/book', { name: 'Ada' });
  assert.equal(await positionOn(room), 'Step 2');
  const meals = await next(visitor, room, ROOM);
  assert.equal(await positionOn(meals), 'Step 3 of 3');
  await next(visitor, room, { room: 'red' });
  assert.equal(await positionOn(room), 'Step 2 of 2');
});

test('a GET stores nothing, and a refused step neither', async (t) => {
  const { start, count } = await openBookings(t);
  const visitor = createVisitor(start());
  await visitor.get('/book');
  const refused = await visitor.submit('/book', { name: '' });
  assert.equal(refused.status, 400);
  assert.match(bodyText(refused), /<a href="#name">Enter a name<\/a>/);
  assert.equal((await visitor.get(`/book/${'x'.repeat(22)}/room`)).status, 404);
  assert.equal((await visitor.get('/book/__proto__/check')).status, 404);
  assert.equal(await count(), 0);
});

test('Back and Continue lose nothing: what was typed is stored, valid or not', async (t) => {
  const { start, bookings } = await openBookings(t);
  const visitor = createVisitor(start());
  const room = await next(visitor, '/book', { name: 'Ada' });
  const meals = await next(visitor, room, ROOM);
  const typed = { ...hiddenFields(await shown(visitor, meals)), meal: 'too long for it' };
  const back = await visitor.post(`${meals}?back`, typed);
  assert.equal(back.headers['Location'], room);
  assert.match(await shown(visitor, room), /<option value="blue" selected>[\s\S]* checked>/);
  assert.equal(await next(visitor, room, ROOM), meals);
  const again = await shown(visitor, meals);
  assert.match(again, / value="too long for it"/);
  assert.doesNotMatch(again, /There is a problem/);
  const check = room.replace('room', 'check');
  const led = await visitor.get(check);
  assert.equal(led.headers['Location'], `${meals}?change`);
  assert.match(await shown(visitor, check), /Meal must be 5 characters or less/);
  assert.deepEqual(await bookings(), []);
});

test('a link to change an answer leads back to all answers, by way of what the change asks for', async (t) => {
  const { start } = await openBookings(t);
  const visitor = createVisitor(start());
  const room = await next(visitor, '/book', { name: 'Ada' });
  const check = await next(visitor, room, { room: 'red' });
  const links = (await shown(visitor, check)).match(/(?<=<a href=")[^"]+/g) ?? [];
  assert.deepEqual(links, [
    `${room.replace('room', 'contact')}?change#name`,
    `${room}?change#room`,
    `${room}?change#board`,
  ]);
  assert.doesNotMatch(await shown(visitor, `${room}?change`), /formaction/);
  assert.equal(
    await next(visitor, `${room.replace('room', 'contact')}?change`, { name: 'Bo' }),
    check,
  );
  const meals = await next(visitor, `${room}?change`, ROOM);
  assert.equal(meals, `${room.replace('room', 'meals')}?change`);
  assert.equal(await next(visitor, meals, { meal: 'soup' }), check);
  assert.match(await shown(visitor, check), /Bo[\s\S]*blue[\s\S]*soup/);
});

test('answers of a step that is left out are kept, and neither shown nor sent', async (t) => {
  const { start, bookings } = await openBookings(t);
  const visitor = createVisitor(start());
  const room = await next(visitor, '/book', { name: 'Ada' });
  const meals = await next(visitor, room, ROOM);
  const check = await next(visitor, meals, { meal: 'soup' });
  await next(visitor, room, { room: 'blue' });
  assert.doesNotMatch(await shown(visitor, check), /soup/);
  assert.equal((await visitor.get(meals)).headers['Location'], check);
  assert.equal((await visitor.post(meals, { meal: 'rice' })).status, 409);
  await next(visitor, room, ROOM);
  assert.match(await shown(visitor, check), /soup/);
  await next(visitor, room, { room: 'blue' });
  await visitor.submit(check, {});
  assert.deepEqual(await bookings(), ['Ada blue none']);
});

test('all answers are validated when they are sent, as they may be older than the form', async (t) => {
  const { start, bookings } = await openBookings(t);
  const site = { current: start() };
  const visitor = createVisitor({ handle: (request) => site.current.handle(request) });
  const room = await next(visitor, '/book', { name: 'Ada' });
  const check = await next(visitor, room, { room: 'red' });
  const page = hiddenFields(await shown(visitor, check));
  const shorter = {
    name: textField({ label: 'Name', required: 'Enter a name', maxLength: 2 }),
  };
  const strict = steps()
    .step('contact', defineForm(shorter) as typeof contactForm, { title: 'Your details' })
    .step('room', roomForm, { title: 'Room' })
    .step('meals', mealForm(9), { title: 'Meals', when: ({ room }) => room.board });
  site.current = start(false, strict);
  const led = await visitor.post(check, page);
  assert.equal(led.headers['Location'], `${room.replace('room', 'contact')}?change`);
  assert.match(await shown(visitor, check), /Name must be 2 characters or less/);
  assert.equal(
    await next(visitor, `${room.replace('room', 'contact')}?change`, { name: 'A' }),
    check,
  );
  assert.equal((await visitor.submit(check, {})).status, 303);
  assert.deepEqual(await bookings(), ['A red none']);
});

for (const kind of ['SQLite', 'memory'])
  test(`answers are sent once, from two tabs and at the same time (${kind})`, async (t) => {
    const sent: string[] = [];
    const { start, bookings } = await openBookings(t);
    const inMemory = () =>
      stepPages(createSite(createMemoryStores(), { log: false }), '/book', booking, {
        button: 'Book',
        show: ({ formHtml }) => html`<main>${formHtml}</main>`,
        async send({ answers }) {
          await new Promise(setImmediate);
          sent.push(answers.contact.name);
          return { path: localPath('/booked'), message: 'Booked.' };
        },
      });
    const visitor = createVisitor(kind === 'memory' ? inMemory() : start());
    const room = await next(visitor, '/book', { name: 'Ada' });
    const check = await next(visitor, room, { room: 'red' });
    const page = hiddenFields(await shown(visitor, check));
    const copies = [page, page, { ...page, _once: 'of-another-tab' }];
    const answers = await Promise.all(copies.map((copy) => visitor.post(check, copy)));
    answers.push(await visitor.post(check, { _once: 'other', answers: 'old' }));
    for (const answer of answers) assert.equal(answer.headers['Location'], '/booked');
    assert.equal((kind === 'memory' ? sent : await bookings()).length, 1);
    for (const path of [check, room, room.replace('room', 'contact')])
      assert.equal((await visitor.get(path)).headers['Location'], '/booked');
  });

test('a form that is sent twice starts once, and goes on with its answers after Back', async (t) => {
  const { start, count } = await openBookings(t);
  const visitor = createVisitor(start());
  const first = { ...hiddenFields(await shown(visitor, '/book')), name: 'Ada' };
  const [room, same] = await Promise.all(
    [1, 2].map(async () => String((await visitor.post('/book', first)).headers['Location'])),
  );
  assert.ok(room !== undefined && room === same);
  const check = await next(visitor, room, { room: 'red' });
  const changed = await visitor.post('/book', { ...first, name: 'Bo' });
  assert.equal(changed.headers['Location'], room);
  assert.match(await shown(visitor, check), /Bo[\s\S]*The red room/);
  assert.equal(await count(), 1);
  const other = await next(visitor, '/book', { name: 'Cy' });
  assert.notEqual(other, room);
  await visitor.submit(check, {});
  const repeated = await visitor.post('/book', { ...first, name: 'Bo' });
  assert.equal(repeated.headers['Location'], '/booked');
  const another = String((await visitor.post('/book', first)).headers['Location']);
  assert.match(another, /\/room$/);
  assert.ok(another !== room && another !== other);
});

test('a step that was sent already is a 409, which gives back what was typed', async (t) => {
  const { start, bookings } = await openBookings(t);
  const visitor = createVisitor(start());
  const room = await next(visitor, '/book', { name: 'Ada' });
  await visitor.submit(await next(visitor, room, { room: 'red' }), {});
  assert.equal((await visitor.post(room, { room: 'red' })).headers['Location'], '/booked');
  const refused = await visitor.post(room.replace('room', 'contact'), { name: 'Bo' });
  assert.equal(refused.status, 409);
  assert.match(bodyText(refused), /sent already[\s\S]*<dd>Bo<\/dd>/);
  assert.deepEqual(await bookings(), ['Ada red none']);
});

test('what is sent is what the page has shown', async (t) => {
  const { start, bookings } = await openBookings(t);
  const visitor = createVisitor(start());
  const room = await next(visitor, '/book', { name: 'Ada' });
  const check = await next(visitor, room, { room: 'red' });
  const old = hiddenFields(await shown(visitor, check));
  await next(visitor, `${room}?change`, { room: 'blue' });
  const refused = await visitor.post(check, old);
  assert.equal(refused.status, 409);
  assert.match(bodyText(refused), /Your answers have changed[\s\S]*The blue room/);
  assert.deepEqual(await bookings(), []);
  assert.equal((await visitor.post(check, hiddenFields(bodyText(refused)))).status, 303);
  assert.deepEqual(await bookings(), ['Ada blue none']);
});

test('answers that send refuses stay as they are, and nothing is committed', async (t) => {
  const { start, bookings } = await openBookings(t);
  const visitor = createVisitor(start());
  const room = await next(visitor, '/book', { name: 'Nobody' });
  const check = await next(visitor, room, { room: 'red' });
  for (let count = 0; count < 2; count++) {
    const refused = await visitor.submit(check, {});
    assert.equal(refused.status, 409);
    assert.match(bodyText(refused), /<li>The house is full<\/li>/);
  }
  assert.deepEqual(await bookings(), []);
  await next(visitor, `${room.replace('room', 'contact')}?change`, { name: 'Ada' });
  assert.equal((await visitor.submit(check, {})).status, 303);
});

test('a visitor’s answers become those of the user of that browser, and no other one finds them', async (t) => {
  const { start, bookings } = await openBookings(t);
  const site = start();
  const [ada, bob] = [createVisitor(site), createVisitor(site)];
  const first = { ...hiddenFields(await shown(ada, '/book')), name: 'Ada' };
  const room = String((await ada.post('/book', first)).headers['Location']);
  await ada.post('/login/ada');
  await bob.post('/login/bob');
  assert.equal((await ada.get(room)).status, 200);
  for (const path of [room, room.replace('room', 'check'), room.replace('room', 'contact')]) {
    assert.equal((await bob.get(path)).status, 404);
    const sent = await bob.post(path, { ...ROOM, name: 'Typed by Ada' });
    assert.equal(sent.status, 409);
    assert.match(bodyText(sent), /belong to another account, and you are logged in as bob now/);
    if (path.endsWith('contact')) assert.match(bodyText(sent), /Typed by Ada/);
  }
  const others = String((await bob.post('/book', first)).headers['Location']);
  assert.notEqual(others, room);
  await ada.post('/logout');
  assert.equal((await ada.get(room)).status, 401);
  const refused = await ada.post(room, { room: 'red' });
  assert.equal(refused.status, 401);
  assert.match(bodyText(refused), /<dd>red<\/dd>/);
  await ada.post('/login/ada');
  const check = await next(ada, room, { room: 'red' });
  await ada.submit(check, {});
  assert.deepEqual(await bookings(), ['Ada red none']);
});

test('what was typed before the log-in is shown, and not an older answer', async (t) => {
  const { start, keepDraft } = await openBookings(t);
  const visitor = createVisitor(start());
  const room = await next(visitor, '/book', { name: 'Ada' });
  const contact = room.replace('room', 'contact');
  keepDraft({ action: contact, path: contact, fields: { name: 'Bo' }, once: null, language: 'en' });
  await visitor.post('/login/ada');
  assert.match(await shown(visitor, contact), / value="Bo"/);
  await next(visitor, contact, { name: 'Cy' });
  assert.match(await shown(visitor, contact), / value="Cy"/);
});

test('answers that a visitor has sent are not sent again after the log-in', async (t) => {
  const { start, bookings } = await openBookings(t);
  const visitor = createVisitor(start());
  const room = await next(visitor, '/book', { name: 'Ada' });
  const check = await next(visitor, room, { room: 'red' });
  const fields = hiddenFields(await shown(visitor, check));
  await visitor.post(check, fields);
  await visitor.post('/login/ada');
  assert.equal((await visitor.post(check, fields)).headers['Location'], '/booked');
  assert.deepEqual(await bookings(), ['Ada red none']);
});

test('answers expire some days after the last change', async (t) => {
  t.mock.timers.enable({ apis: ['Date'] });
  const day = 86_400_000;
  const site = stepPages(createSite(createMemoryStores(), { log: false }), '/book', booking, {
    button: 'Book',
    days: 2,
    show: ({ formHtml }) => html`<main>${formHtml}</main>`,
    send: () => localPath('/'),
  });
  const visitor = createVisitor(site);
  const room = await next(visitor, '/book', { name: 'Ada' });
  t.mock.timers.tick(1.9 * day);
  const check = await next(visitor, room, { room: 'red' });
  t.mock.timers.tick(1.9 * day);
  assert.equal((await visitor.get(check)).status, 200);
  t.mock.timers.tick(0.1 * day);
  assert.equal((await visitor.get(check)).status, 404);
  const refused = await visitor.post(room, { room: 'blue' });
  assert.equal(refused.status, 404);
  assert.match(bodyText(refused), /Start again[\s\S]*<dd>blue<\/dd>/);
});

test('a step that depends on answers gives back what was typed without a session', async (t) => {
  const { start } = await openBookings(t);
  const visitor = createVisitor(start(true));
  await visitor.post('/login/ada');
  const room = await next(visitor, '/book', { name: 'Ada' });
  const meals = await next(visitor, room, ROOM);
  await visitor.post('/logout');
  const refused = await visitor.post(meals, { meal: 'soup' });
  assert.equal(refused.status, 401);
  assert.match(bodyText(refused), /<dd>soup<\/dd>/);
  assert.match(String((await visitor.get(meals)).headers['Location']), /^\/login\?next=/);
});

test('answers outlive a restart', async (t) => {
  const { start, restart, bookings } = await openBookings(t);
  let site = start();
  const visitor = createVisitor({ handle: (request) => site.handle(request) });
  const room = await next(visitor, '/book', { name: 'Ada' });
  await restart();
  site = start();
  await visitor.submit(await next(visitor, room, { room: 'red' }), {});
  assert.deepEqual(await bookings(), ['Ada red none']);
});

test('groups, rows, choices and buttons are answered, listed and changed like other fields', async () => {
  const party = defineForm({
    address: fieldGroup({
      label: 'Address',
      fields: { town: textField({ label: 'Town', maxLength: 9 }) },
    }),
    days: choicesField({
      label: 'Days',
      choices: [
        { value: 'sa', label: 'Saturday' },
        { value: 'su', label: 'Sunday' },
      ],
    }),
    day: dateField({ label: 'Day', as: 'parts' }),
    at: dateTimeField({ label: 'At', zone: ['UTC', 'Asia/Tokyo'] }),
    guests: rows({
      label: 'Guests',
      name: 'Guest',
      max: 3,
      fields: { name: textField({ label: 'Name', required: 'Enter a name', maxLength: 9 }) },
    }),
    notes: textField({ label: 'Notes', maxLength: 99, multiline: true }),
    by: choiceGroup({
      label: 'Contact',
      choices: {
        post: { label: 'By post' },
        mail: { label: 'By mail', fields: { at: textField({ label: 'Mail', maxLength: 9 }) } },
      },
    }),
    button: buttonField({
      buttons: [
        { value: 'later', label: 'Pay later' },
        { value: 'now', label: 'Pay now' },
      ],
    }),
  });
  const order = steps()
    .step('contact', contactForm, { title: 'You' })
    .step('party', party, { title: 'Party' });
  const sent: unknown[] = [];
  const site = stepPages(createSite(createMemoryStores(), { log: false }), '/party', order, {
    button: 'Send',
    show: ({ formHtml }) => html`<main>${formHtml}</main>`,
    send({ answers }) {
      sent.push(answers.party);
      return localPath('/');
    },
  });
  const visitor = createVisitor(site);
  const path = await next(visitor, '/party', { name: 'Ada' });
  const typed = {
    'address.town': 'Bern',
    days: ['sa', 'su'],
    'day.day': '5',
    'day.month': '1',
    'day.year': '2027',
    'at.dateTime': '2027-01-05T14:30',
    'at.zone': 'UTC',
    'guests.0': 'row',
    'guests.0.name': 'Bo',
    notes: 'one\r\ntwo',
    by: 'mail',
    'by.mail.at': 'a@b',
    button: 'now',
  };
  const grown = await visitor.post(`${path}?send`, { ...typed, _change: 'add guests' });
  assert.equal(grown.status, 200);
  assert.match(bodyText(grown), / name="guests\.1\.name"/);
  const refused = await visitor.post(path, { ...typed, 'guests.1': 'row', 'guests.1.name': '' });
  assert.equal(refused.status, 400);
  assert.match(bodyText(refused), /Guest 2: enter a name/);
  const check = String((await visitor.post(path, typed)).headers['Location']);
  const list = await shown(visitor, check);
  assert.deepEqual(
    list.match(/(?<=<d[td]>)[\s\S]*?(?=<\/d)/g)?.filter((text) => !text.startsWith('<a')),
    [
      ...['Name', 'Ada', 'Address: Town', 'Bern', 'Days', 'Saturday and Sunday'],
      ...['Day', 'January 5, 2027', 'At', 'January 5, 2027 2:30 PM UTC'],
      ...['Guest 1: Name', 'Bo', 'Notes', 'one<br>two', 'Contact', 'By mail', 'Mail', 'a@b'],
    ],
  );
  assert.match(list, /\?change#guests\.0\.name"/);
  const filled = await shown(visitor, `${path}?change`);
  for (const value of ['Bern', 'Bo', 'a@b']) assert.match(filled, new RegExp(` value="${value}"`));
  assert.equal(filled.match(/ checked/g)?.length, 3);
  await visitor.submit(check, {});
  assert.deepEqual(sent, [
    {
      address: { town: 'Bern' },
      days: ['sa', 'su'],
      day: '2027-01-05',
      at: { local: '2027-01-05T14:30', zone: 'UTC', instant: '2027-01-05T14:30:00Z' },
      guests: [{ name: 'Bo' }],
      notes: 'one\ntwo',
      by: { choice: 'mail', at: 'a@b' },
      button: 'now',
    },
  ]);
});

test('the pages are in the language of the request', async () => {
  const texts = { Room: 'Zimmer', 'The red room': 'Das rote Zimmer', Book: 'Buchen' };
  const languages = [createLanguage({ ...german, texts })];
  const site = createSite(createMemoryStores(), { log: false, languages });
  const router = stepPages(site, '/book', booking, {
    button: 'Book',
    show: ({ title, position, formHtml }) => html`<main>${title}, ${position}${formHtml}</main>`,
    send: () => localPath('/'),
  });
  const visitor = createVisitor(router);
  const room = await next(visitor, '/book', { name: 'Ada' });
  assert.match(await shown(visitor, room), /Zimmer, Schritt 2<[\s\S]*>Weiter<[\s\S]*>Zurück</);
  const list = await shown(visitor, await next(visitor, room, { room: 'red' }));
  assert.match(list, /Prüfen Sie Ihre Angaben,[\s\S]*Das rote Zimmer[\s\S]*Nein[\s\S]*Buchen/);
});

test('the same steps at two addresses have answers of their own', async () => {
  const site = createSite(createMemoryStores(), { log: false });
  const router = stepPages(site, '/clubs/:club/join', booking, {
    button: 'Join',
    show: ({ formHtml, params }) => html`<main>${params.club}${formHtml}</main>`,
    send: ({ params }) => localPath(`/clubs/${encodeURIComponent(params.club)}`),
  });
  const visitor = createVisitor(router);
  const room = await next(visitor, '/clubs/a%2Fb%3F/join', { name: 'Ada' });
  assert.match(room, /^\/clubs\/a%2Fb%3F\/join\/[\w-]{22}\/room$/);
  assert.equal((await visitor.get(room.replace('a%2Fb', 'c'))).status, 404);
  const check = await next(visitor, room, { room: 'red' });
  assert.equal(await next(visitor, check, {}), '/clubs/a%2Fb%3F');
});
