/** What a person reads after a log-in about changes of the account since. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { bodyText, createVisitor, type Visitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  INVITED,
  PASSWORD,
  type TestApplication,
} from '../testing/create-test-application.ts';
import { testOnEngines } from '../testing/open-test-database.ts';

const NEW = 'battery staple';

/** Ada is an administrator, bob a member. */
async function openSite(t: TestContext) {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const bob = await createMember(application, 'bob');
  return { application, ada, bob };
}

async function logIn(application: TestApplication, username: string, password: string, next = '') {
  const visitor = createVisitor(application);
  const answer = await visitor.submit('/login', { username, password, next });
  return { visitor, seen: await follow(visitor, answer) };
}

/** The page after all redirects. */
async function follow(
  visitor: Visitor,
  first: Awaited<ReturnType<Visitor['get']>>,
): Promise<string> {
  let answer = first;
  while (answer.status === 303) answer = await visitor.follow(answer);
  return typeof answer.body === 'string' ? answer.body : '';
}

/** The texts of the messages on a page. */
function messagesOn(markup: string): readonly string[] {
  return [...markup.matchAll(/role="status" tabindex="-1" autofocus><p>([^<]*)</g)].map(
    ([, text = '']) => text,
  );
}

const TIME = '\\d+ \\w+ \\d{4}, \\d\\d:\\d\\d UTC';

testOnEngines(
  'P15: a password that was changed elsewhere is told once, after the next log-in',
  async (t) => {
    const { application, bob } = await openSite(t);
    const change = { currentpassword: PASSWORD, newpassword: NEW };
    assert.equal((await bob.post('/account/password', change)).status, 303);
    assert.deepEqual(messagesOn(bodyText(await bob.get('/items'))), []);
    const { visitor, seen } = await logIn(application, 'bob', NEW);
    const [message = ''] = messagesOn(seen);
    assert.match(
      message,
      new RegExp(`^Your password was changed on ${TIME}\\. If this was not you, `),
    );
    assert.deepEqual(messagesOn(bodyText(await visitor.get('/items'))), []);
    assert.deepEqual(messagesOn((await logIn(application, 'bob', NEW)).seen), []);
    assert.deepEqual(messagesOn((await logIn(application, 'ada', PASSWORD)).seen), []);
  },
);

testOnEngines(
  'P15: a role that an administrator changed is told once, after the next log-in',
  async (t) => {
    const { application, ada, bob } = await openSite(t);
    for (const role of ['administrator', 'reader']) await ada.post('/people/2/role', { role });
    assert.deepEqual(messagesOn(bodyText(await bob.get('/items'))), []);
    const { seen } = await logIn(application, 'bob', PASSWORD);
    const [message = '', ...others] = messagesOn(seen);
    assert.match(
      message,
      new RegExp(`^An administrator changed your role to reader on ${TIME}\\.$`),
    );
    assert.deepEqual(others, []);
    assert.deepEqual(messagesOn((await logIn(application, 'bob', PASSWORD)).seen), []);
    // Administrators know of their own changes.
    await ada.post('/people/2/role', { role: 'administrator' });
    await ada.post('/people/1/role', { role: 'member' });
    assert.deepEqual(messagesOn((await logIn(application, 'ada', PASSWORD)).seen), []);
  },
);

testOnEngines(
  'P15: a reset by a link or in the terminal is told, with a change of the role',
  async (t) => {
    const { application, ada } = await openSite(t);
    await ada.post('/people/2/role', { role: 'reader' });
    const made = await ada.follow(await ada.post('/people/2/reset', { _once: 'k' }));
    const [, link = ''] = /link=([\w-]{43})/.exec(bodyText(made)) ?? [];
    const holder = createVisitor(application);
    const used = await holder.post('/reset-password', { link, username: 'bob', password: NEW });
    assert.deepEqual(messagesOn(await follow(holder, used)), [], 'who uses the link knows of it');
    const [both = ''] = messagesOn((await logIn(application, 'bob', NEW)).seen);
    assert.match(
      both,
      new RegExp(
        `^Your password was reset with a link on ${TIME}\\. .* An administrator changed your role to reader on ${TIME}\\.$`,
      ),
    );
    await application.models.accounts.resetPassword({ username: 'bob', password: PASSWORD });
    const [reset = ''] = messagesOn((await logIn(application, 'bob', PASSWORD)).seen);
    assert.match(reset, new RegExp(`^An administrator reset your password on ${TIME}\\.`));
  },
);

testOnEngines(
  'P15: the notice is on the first page that the user sees, wherever the log-in leads',
  async (t) => {
    const { application, ada } = await openSite(t);
    let role = 'reader';
    for (const next of ['/', '/items/new', '/items/99', '/account/sessions/end', '/items.csv']) {
      await ada.post('/people/2/role', { role });
      role = role === 'reader' ? 'member' : 'reader';
      const { visitor, seen } = await logIn(application, 'bob', PASSWORD, next);
      const told = [...messagesOn(seen), ...messagesOn(bodyText(await visitor.get('/items')))];
      assert.equal(told.length, 1, next);
      assert.match(told[0] ?? '', /^An administrator changed your role/, next);
    }
  },
);

testOnEngines('P15: a log-in that fails takes no notice away', async (t) => {
  const { application, ada } = await openSite(t);
  await ada.post('/people/2/role', { role: 'reader' });
  let isRefused = true;
  const failing = await createTestApplication(t, {
    database: application.database,
    replace: ({ sessions }) => ({
      sessions: {
        ...sessions,
        create: async (session, replaced) =>
          isRefused ? false : sessions.create(session, replaced),
      },
    }),
  });
  const refused = await createVisitor(failing).submit('/login', {
    username: 'bob',
    password: PASSWORD,
  });
  assert.equal(refused.status, 401);
  isRefused = false;
  assert.equal(messagesOn((await logIn(failing, 'bob', PASSWORD)).seen).length, 1);
});

testOnEngines('P15: a new account has no notice', async (t) => {
  const { application, ada } = await openSite(t);
  await ada.post('/people/invitations', { ...INVITED, _once: 'k' });
  const [, invitation = ''] =
    /invitation=([\w-]{43})/.exec(bodyText(await ada.get('/people'))) ?? [];
  const eve = createVisitor(application);
  const answer = await eve.post('/register', { username: 'eve', password: PASSWORD, invitation });
  assert.doesNotMatch(await follow(eve, answer), /Your password|your role/);
  assert.deepEqual(messagesOn((await logIn(application, 'eve', PASSWORD)).seen), []);
});
