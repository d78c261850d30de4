import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { bodyText, createVisitor } from 'seeother/testing';
import { migrate } from './database.ts';
import { openTestDatabase } from './open-database.ts';
import { createRouter } from './router.ts';

const database = await openTestDatabase(migrate);
const router = createRouter(database, { log: false });
const password = 'correct horse battery';

after(() => database.close());

test('a user switches on one-time codes, and a log-in asks for one', async () => {
  const visitor = createVisitor(router);
  await visitor.submit('/register', { username: 'Ada', password, passwordagain: password });
  const page = await visitor.get('/account/second-factor');
  const [, key = ''] = /<code>((?:[A-Z2-7]{4} ?)+)<\/code>/.exec(bodyText(page)) ?? [];
  const app = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) });
  const code = app.generate();
  const answer = await visitor.submit(page, { code });
  assert.match(bodyText(await visitor.follow(answer)), /One-time codes are switched on\./);

  const other = createVisitor(router);
  const first = await other.submit('/login', { username: 'Ada', password });
  assert.match(String(first.headers['Location']), /^\/login\/second-factor/);
  assert.doesNotMatch(bodyText(await other.get('/')), />Ada</);
  const used = await other.submit(await other.follow(first), { code });
  assert.equal(used.status, 401, 'a code counts once');
});
