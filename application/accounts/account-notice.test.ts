/** What a person reads after a log-in about changes of the account since. */
import assert from 'node:assert/strict';
import { bodyText, createVisitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  PASSWORD,
} from '../testing/create-test-application.ts';
import { testOnEngines } from '../testing/open-test-database.ts';

/** The texts of the messages on a page. */
function messagesOn(markup: string): readonly string[] {
  return [...markup.matchAll(/role="status" tabindex="-1" autofocus><p>([^<]*)</g)].map(
    ([, text = '']) => text,
  );
}

testOnEngines(
  'P15: the notice is on the first page that the user sees, wherever the log-in leads, and once',
  async (t) => {
    const application = await createTestApplication(t);
    const ada = await createMember(application);
    await createMember(application, 'bob');
    let role = 'reader';
    for (const next of ['/', '/items/new', '/items/99', '/account/devices', '/items.csv']) {
      await ada.post('/people/2', { action: 'role', role });
      const visitor = createVisitor(application);
      const bob = { username: 'bob', password: PASSWORD, next };
      let answer = await visitor.submit('/login', bob);
      while (answer.status === 303) answer = await visitor.follow(answer);
      const seen = typeof answer.body === 'string' ? answer.body : '';
      const told = [...messagesOn(seen), ...messagesOn(bodyText(await visitor.get('/items')))];
      assert.equal(told.length, 1, next);
      assert.match(
        told[0] ?? '',
        new RegExp(`\\d{4}, .* UTC: The role was changed\\. The new role is ${role}\\.`, 'i'),
      );
      role = role === 'reader' ? 'member' : 'reader';
    }
  },
);
