import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { AccountMail } from 'seeother/accounts';
import { createOutbox } from 'seeother/database';
import { bodyText, createVisitor } from 'seeother/testing';
import { migrate } from './database.ts';
import { openTestDatabase } from './open-database.ts';
import { createRouter } from './router.ts';

const database = await openTestDatabase(migrate);
const mails: AccountMail[] = [];
const outbox = createOutbox(database, { mail: async (mail: AccountMail) => void mails.push(mail) });
const router = createRouter(database, { log: false }, outbox);
const password = 'correct horse battery';
const email = 'ada@example.org';

after(() => database.close());

/** The path of the link in the last mail. */
async function findLink(): Promise<string> {
  await outbox.run();
  const [, link = ''] = /^http:\/\/[^/]+(\/\S+)$/m.exec(mails.at(-1)?.text ?? '') ?? [];
  return link;
}

test('a user adds an address, logs in by a link to it, and replaces a forgotten password', async () => {
  const ada = createVisitor(router);
  await ada.submit('/register', { username: 'Ada', password, passwordagain: password });
  await ada.submit('/account/email', { email });
  assert.equal((await ada.submit(await findLink(), {})).status, 303);

  const other = createVisitor(router);
  await other.submit('/login/link?next=%2Fitems%2Fnew', { email });
  const link = await findLink();
  assert.equal((await createVisitor(router).get(link)).status, 403, 'only where it was asked for');
  const answer = await other.submit(link, {});
  assert.equal(answer.headers['Location'], '/items/new');
  assert.match(bodyText(await other.follow(answer)), />Ada<[\s\S]*Log out/);

  const forgetful = createVisitor(router);
  await forgetful.submit('/password/forgot', { email });
  const words = 'another long password';
  await forgetful.submit(await findLink(), { password: words, passwordagain: words });
  const again = await createVisitor(router).submit('/login', { username: 'Ada', password: words });
  assert.equal(again.status, 303);
});
