/** Rows C11 and C18 of docs/hostile.md: what a page gives back of a form, and how much of it. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor, get } from 'seeother/testing';
import { createMember, createTestApplication } from '../testing/create-test-application.ts';
import { dumpDatabase } from './probe.ts';

const TYPED = {
  name: '',
  description: 'Two\nlines',
  quantity: 'many',
  location: 'Attic',
  tags: 'a, b',
};

test('C11: an invalid form is a 400 with the typed text, and nothing is written', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const dump = () => dumpDatabase(application.database.url);
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

/** Characters of submitted text that one page repeats. */
const MOST = 65_536;

/** Text that is five times as long when it is escaped. */
function quotes(count: number): string {
  return "'".repeat(count);
}

function countQuotes(markup: string): number {
  return markup.split('&#39;').length - 1;
}

const MEGABYTE = 1_048_576;
const REFUSED = {
  'one field': `name=${quotes(4 * MEGABYTE - 5)}`,
  'a long field before others': `description=${quotes(3 * MEGABYTE)}&location=Shelf&tags=${quotes(MEGABYTE - 99)}`,
  'two hundred fields': Array.from({ length: 200 }, () => `name=${quotes(20_000)}`).join('&'),
  'two hundred names': Array.from({ length: 200 }, () => `${quotes(20_000)}=x`).join('&'),
};

test('C18: an error page repeats at most 65,536 characters and says what it has cut', async (t) => {
  const visitor = createVisitor(await createTestApplication(t));
  const targets = ['/items', '/account/sessions/end', '/%zz', '/login', '/register'];
  for (const target of targets) {
    for (const [name, body] of Object.entries(REFUSED)) {
      const answer = await visitor.post(target, body);
      assert.ok(answer.status >= 400, `${target}: ${answer.status}`);
      const markup = bodyText(answer);
      assert.ok(countQuotes(markup) <= MOST, `${target}, ${name}: ${countQuotes(markup)}`);
      assert.ok(markup.length < 6 * MOST, `${target}, ${name}: ${markup.length}`);
    }
  }
  const markup = bodyText(await visitor.post('/items', REFUSED['a long field before others']));
  for (const part of [
    /<dt>Location<\/dt><dd>Shelf<\/dd>/,
    /<dt>Description, the first [\d,]{6} of 3,145,728 characters<\/dt>/,
    /Long text is shown in part/,
  ])
    assert.ok(part.test(markup), String(part));
});

test('C18: a form that is shown again has every text that its fields accept, and 65,536 characters of longer ones', async (t) => {
  const application = await createTestApplication(t, { environment: { REGISTRATION: 'open' } });
  const member = await createMember(application);
  const long = quotes(200_000);
  const item = `name=${long}&description=${long}&quantity=${long}&location=${long}&tags=${long}`;
  const account = `username=${long}&password=${long}`;
  const refused = {
    '/items': await member.post('/items', item),
    '/login': await createVisitor(application).post('/login', account),
    '/register': await createVisitor(application).post('/register', account),
  };
  for (const [target, answer] of Object.entries(refused)) {
    assert.equal(answer.status, 400);
    const markup = bodyText(answer);
    assert.ok(countQuotes(markup) < 90_000, `${target}: ${countQuotes(markup)}`);
    assert.ok(/Only the first [\d,]{6} characters are shown here/.test(markup), target);
  }
});

test('C18: a log-in page repeats no hidden field or link that is too long', async (t) => {
  const application = await createTestApplication(t, { environment: { REGISTRATION: 'open' } });
  const visitor = createVisitor(application);
  const wrong = { username: 'ada', password: 'a wrong password' };
  for (const name of ['next', 'draft', 'invitation']) {
    const fields = { ...wrong, [name]: `/${'x'.repeat(150_000)}` };
    for (const target of ['/login', '/register']) {
      const markup = bodyText(await visitor.post(target, { ...fields, username: '?' }));
      assert.ok(markup.length < 10_000, `${target}, ${name}: ${markup.length}`);
    }
    const markup = bodyText(await visitor.post('/login', fields));
    assert.ok(markup.length < 10_000, `${name}: ${markup.length}`);
  }
});

test('C18: the links of the list repeat no search that is too long', async (t) => {
  const application = await createTestApplication(t, { environment: { SAMPLE_ITEMS: '1' } });
  const member = await createMember(application);
  const tags = Array.from({ length: 20 }, (_, index) => `tag ${index}`).join();
  for (let count = 0; count < 20; count++) await member.post('/items', { name: 'Drill', tags });
  for (const query of [`q=drill${quotes(15_000)}`, `q=drill&tag=${quotes(15_000)}`]) {
    const markup = bodyText(await application.handle(get(`/items?${query}`)));
    assert.ok(markup.length < 500_000, `${query.slice(0, 20)}: ${markup.length}`);
  }
});
