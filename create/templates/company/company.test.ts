import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { bodyText, createVisitor } from 'seeother/testing';
import { migrate } from './database.ts';
import { openTestDatabase } from './open-database.ts';
import { createRouter } from './router.ts';

// Nothing listens there.
process.env.OPENID_ISSUER = 'http://127.0.0.1:1';
process.env.OPENID_CLIENT_ID = 'items';
process.env.OPENID_CLIENT_SECRET = 'a secret of this test';

const database = await openTestDatabase(migrate);
const visitor = createVisitor(createRouter(database, { log: false }));
const password = 'correct horse battery';
await visitor.submit('/register', { username: 'Ada', password, passwordagain: password });
await visitor.post('/logout');

after(() => database.close());

test('the log-in has a button of the company, and while that is away, the password still logs in', async () => {
  const page = bodyText(await visitor.get('/login?next=%2Fitems%2Fnew'));
  assert.match(page, /Log in with your company/);
  const [, path = ''] = /action="(\/login\/with\/company[^"]*)"/.exec(page) ?? [];
  const away = await visitor.post(path.replaceAll('&amp;', '&'));
  assert.equal(away.status, 503);
  const [, back = ''] = /href="(\/login\?next=[^"]*)"/.exec(bodyText(away)) ?? [];
  const answer = await visitor.submit(back, { username: 'Ada', password });
  assert.equal(answer.headers['Location'], '/items/new');
});
