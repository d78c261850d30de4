/** Row C18 of docs/hostile.md: how much of what a client sends a page gives back. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor, get } from 'seeother/testing';
import { createMember, createTestApplication } from '../testing/create-test-application.ts';

/** Characters of typed text on one page. */
const MOST = 65_536;

/** Text that takes five times its length on a page. */
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

test('C18: an error page gives back 65,536 characters at most, and says what it has left out', async (t) => {
  const visitor = createVisitor(await createTestApplication(t));
  const targets = ['/items', '/account/sessions/end-others', '/%zz', '/login', '/register'];
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

test('C18: a form from another site gets nothing back', async (t) => {
  const visitor = createVisitor(await createTestApplication(t));
  const headers = { 'sec-fetch-site': 'cross-site' };
  for (const target of ['/items', '/login', '/register', '/nothing', '/logout']) {
    const answer = await visitor.post(target, REFUSED['one field'], { headers });
    assert.equal(answer.status, 403);
    assert.equal(countQuotes(bodyText(answer)), 0, target);
  }
});

test('C18: a form that is shown again holds what its fields may hold, and 65,536 characters at most beyond it', async (t) => {
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

test('C18: a log-in page repeats no hidden text and no link of any length', async (t) => {
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

test('C18: the links of the list repeat no search of any length', async (t) => {
  const application = await createTestApplication(t, { environment: { SAMPLE_ITEMS: '1' } });
  const member = await createMember(application);
  const tags = Array.from({ length: 20 }, (_, index) => `tag ${index}`).join();
  for (let count = 0; count < 20; count++) await member.post('/items', { name: 'Drill', tags });
  for (const query of [`q=drill${quotes(15_000)}`, `q=drill&tag=${quotes(15_000)}`]) {
    const markup = bodyText(await application.handle(get(`/items?${query}`)));
    assert.ok(markup.length < 500_000, `${query.slice(0, 20)}: ${markup.length}`);
  }
});
