import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import {
  bodyText,
  createAuthenticator,
  createVisitor,
  hiddenFields,
  type Visitor,
} from 'seeother/testing';
import { migrate } from './database.ts';
import { openTestDatabase } from './open-database.ts';
import { createRouter } from './router.ts';

const ORIGIN = 'https://items.example';
const database = await openTestDatabase(migrate);
const router = createRouter(database, { log: false, publicOrigin: ORIGIN });
const init = { headers: { host: 'items.example' }, scheme: 'https' } as const;
const authenticator = createAuthenticator();
const password = 'correct horse battery';

after(() => database.close());

/** Answers the question of a page with the passkey, as the script in it does. */
async function usePasskey(visitor: Visitor, path: string) {
  const page = bodyText(await visitor.get(path));
  const [form = ''] = /<form[^>]* data-passkey=[\s\S]*?<\/form>/.exec(page) ?? [];
  const read = (name: string) =>
    (new RegExp(` ${name}="([^"]*)"`).exec(form)?.[1] ?? '')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
  const response = authenticator.answer({ options: read('data-options') }, ORIGIN);
  return visitor.post(read('action'), { ...hiddenFields(form), response });
}

test('a user adds a passkey, and logs in with it alone', async () => {
  const ada = createVisitor(router, init);
  await ada.submit('/register', { username: 'Ada', password, passwordagain: password });
  assert.equal((await usePasskey(ada, '/account/passkeys')).status, 303);

  const other = createVisitor(router, init);
  const answer = await usePasskey(other, '/login?next=%2Fitems%2Fnew');
  assert.equal(answer.headers['Location'], '/items/new');
  assert.match(bodyText(await other.follow(answer)), />Ada<[\s\S]*Log out/);
});
