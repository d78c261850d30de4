/** Registrations, log-ins, changes and links that meet in one moment, and what their users are told, on each engine. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { onEvent } from '../events/events.ts';
import type { Response } from '../http/response.ts';
import { toTokenKey } from '../session/token.ts';
import { bodyText, createVisitor, type Visitor } from '../testing/visitor.ts';
import { createAccountSite, type Given, PASSWORD } from './accounts-site.fixture.ts';
import type { OpenInstances } from './second-factor-attacks.contract.ts';

const ADA = { username: 'ada', password: PASSWORD };
const OTHER = 'quite another password';
const CHANGE = { currentpassword: PASSWORD, newpassword: OTHER, newpasswordagain: OTHER };
const NEW = { password: OTHER, passwordagain: OTHER };
const LINK = /\/(?:register|password\/new)\?token=[\w-]+/;

export function describeLogIn(name: string, openInstances: OpenInstances): void {
  const story = (what: string, tell: (open: Open, database: OpenDatabase) => Promise<void>) =>
    test(`${name}: ${what}`, async (t) => {
      const openDatabase = await openInstances(t);
      await tell(async (given) => createAccountSite(await openDatabase(), given), openDatabase);
    });

  story('of three registrations of one name at once, one makes an account', async (open) => {
    const [one, other] = [
      await open({ registration: 'open' }),
      await open({ registration: 'open' }),
    ];
    await one.register('first');
    const answers = await Promise.all(
      ['ada', 'Ada', 'ADA'].map((username, at) =>
        createVisitor(at === 1 ? other.site : one.site).post('/register', {
          ...{ username, password: `${PASSWORD} ${at}` },
        }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 400, 400]);
  });

  story('a registration that is sent twice, also at once, logs in each time', async (open) => {
    const { accounts, site } = await open();
    for (const [path, username] of [
      ['/register', 'ada'],
      [await accounts.invite('editor'), 'bob'],
    ] as const) {
      const send = (password = PASSWORD) => createVisitor(site).post(path, { username, password });
      const answers = [...(await Promise.all([send(), send()])), await send()];
      assert.deepEqual(
        answers.map(({ status }) => status),
        [303, 303, 303],
        path,
      );
      assert.equal((await send('another password')).status, 403);
    }
  });

  story('a refused registration says all that is wrong, and an invitation stays', async (open) => {
    const { accounts, register, site } = await open();
    await register('ada');
    const path = await accounts.invite('editor');
    const visitor = createVisitor(site);
    const errorsOf = async (fields: Record<string, string>) => {
      const answer = await visitor.submit(path, fields);
      assert.equal(answer.status, 400);
      const found = bodyText(answer).matchAll(/<li><a href="#(\w+)">([^<]{12})/g);
      return [...found].map(([, field, words]) => `${field}: ${words}`);
    };
    const [taken, easy, slip] = [
      'username: Username is ',
      'password: Choose a pas',
      'passwordagain: The two pass',
    ] as const;
    const typed = { username: 'ADA', password: 'password', passwordagain: 'passwort' };
    assert.deepEqual(await errorsOf(typed), [taken, easy, slip]);
    assert.deepEqual(await errorsOf({ ...typed, username: 'eve' }), [easy, slip]);
    assert.deepEqual(await errorsOf({ username: 'ada', password: '' }), [
      taken,
      'password: Enter a pass',
    ]);
    const bob = { username: 'bob', password: PASSWORD, passwordagain: PASSWORD };
    assert.equal((await visitor.submit(path, bob)).status, 303);
  });

  story('a registration asks for names no faster than the log-in', async (open) => {
    const { register, site } = await open({ registration: 'open' });
    await register('ada');
    const ask = async (username: string) =>
      (await createVisitor(site).post('/register', { username, password: 'short' })).status;
    for (let count = 0; count < 10; count++) assert.equal(await ask('ada'), 400);
    assert.equal(await ask('ada'), 429);
  });

  story('what was copied with a link does no harm', async (open) => {
    const { accounts, register, site } = await open({ publicOrigin: null });
    await register('ada');
    const invitation = await accounts.invite('editor');
    const [reset = ''] = LINK.exec(await accounts.command(['password', 'ada'])) ?? [];
    for (const link of [invitation, reset]) {
      for (const behind of ['.', ')', '%E2%80%9D', '%3E,'])
        assert.equal((await createVisitor(site).get(link + behind)).status, 200, link + behind);
      const sent = await createVisitor(site).submit(`${link}.`, { username: 'bob', ...NEW });
      assert.equal(sent.status, 303, link);
    }
  });

  story('an invitation that was used, and one that never was, are the same page', async (open) => {
    const { accounts, register, site } = await open();
    await register('ada');
    const used = await accounts.invite('editor');
    await createVisitor(site).submit(used, { username: 'bob', ...NEW });
    const pages = new Set<string>();
    for (const path of [used, `/register?token=${'A'.repeat(43)}`, '/register?token=x'])
      for (const answer of [
        await createVisitor(site).get(path),
        await createVisitor(site).post(path, { username: 'cyd', password: PASSWORD }),
      ]) {
        assert.equal(answer.status, 403);
        pages.add(bodyText(answer));
      }
    assert.equal(pages.size, 1);
  });

  story('where everybody registers, an invitation gives its role, once', async (open) => {
    const { accounts, register, site } = await open({ registration: 'open' });
    const ada = await register('ada');
    const link = await accounts.invite('editor');
    await createVisitor(site).submit(link, { username: 'bob', ...NEW });
    assert.match(bodyText(await ada.get('/people')), /bob<\/a><\/th><td>editor</);
    assert.equal((await createVisitor(site).get(link)).status, 403);
  });

  story('twenty users behind one address log in at once', async (open) => {
    const { accounts, site } = await open();
    const names = Array.from({ length: 20 }, (_, at) => `user-${at}`);
    for (const username of names)
      await createVisitor(site).post(await accounts.invite('reader'), { ...ADA, username });
    const answers = await Promise.all(
      names.map((username) => createVisitor(site).post('/login', { ...ADA, username })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(20).fill(303),
    );
  });

  story('a registration knows the browser, and a disabled account no browser', async (open, db) => {
    const { register, site } = await open();
    const ada = await register('ada');
    const bob = await register('bob', 'editor');
    for (let count = 0; count < 10; count++)
      await createVisitor(site, { address: `198.51.100.${count}` }).post('/login', {
        ...{ username: 'bob', password: 'wrong' },
      });
    const asBob = { ...ADA, username: 'bob' };
    assert.equal((await createVisitor(site).post('/login', asBob)).status, 429);
    assert.equal((await bob.post('/login', asBob)).status, 303);
    await ada.submit('/people/2', { action: 'disable' });
    const { rows } = await (await db()).read.run(
      'select * from seeother_account_devices where account_id = 2',
    );
    assert.deepEqual(rows, []);
  });

  story('a log-out without a session leads to the log-in', async (open) => {
    const { site } = await open();
    const answer = await createVisitor(site).post('/logout');
    assert.deepEqual([answer.status, answer.headers['Location']], [303, '/login']);
  });

  story('a log-in whose password was changed meanwhile starts no session', async (open) => {
    const { accounts, register } = await open();
    const ada = await register('ada');
    const { sessions } = accounts.stores;
    const found = await sessions.find(toTokenKey(ada.cookie('sid') ?? ''));
    assert.ok(found !== null);
    const start = (key: string) => sessions.create({ ...found, key }, null);
    assert.equal(await start('before'), true);
    assert.equal((await ada.submit('/account/password', CHANGE)).status, 303);
    assert.equal(await start('after'), false);
    assert.equal(await sessions.find('after'), null);
  });

  story('of two changes of a password at once, from two sessions, one succeeds', async (open) => {
    const [one, other] = [await open(), await open()];
    const here = await one.register('ada');
    const there = createVisitor(other.site);
    await there.submit('/login', ADA);
    const words = [OTHER, 'a third password of ada'] as const;
    const answers = await Promise.all(
      [here, there].map((visitor, at) =>
        visitor.post('/account/password', { ...CHANGE, newpassword: words[at] ?? '' }),
      ),
    );
    const isDone = answers.map(({ headers }) => headers['Location'] === '/account');
    assert.equal(isDone.filter(Boolean).length, 1);
    for (const [at, password] of words.entries()) {
      const { status } = await createVisitor(one.site).post('/login', { ...ADA, password });
      assert.equal(status, isDone[at] ? 303 : 401);
    }
  });

  story('a change of a password checks one, and its repeat with another is wrong', async (open) => {
    const { register, site } = await open();
    const ada = await register('ada');
    let hashes = 0;
    const off = onEvent('work', () => {
      hashes++;
    });
    // Only the new password is correct: an answer that tells it would be a second guess.
    const guess = { currentpassword: 'a wrong guess', newpassword: PASSWORD, _once: 'guess' };
    const refused = await ada.post('/account/password', guess);
    off();
    assert.deepEqual([refused.status, hashes], [400, 1]);
    const always = { headers: { cookie: `sid=${ada.cookie('sid')}` } };
    const form = { currentpassword: PASSWORD, newpassword: OTHER, _once: 'key' };
    assert.equal((await ada.post('/account/password', form)).status, 303);
    const edited = { ...form, newpassword: 'a third password of ada' };
    const again = await createVisitor(site).post('/account/password', edited, always);
    assert.equal(again.status, 400);
    assert.match(bodyText(again), /<a href="#currentpassword">Current password is incorrect/);
  });

  story('a link logs out one other device, a button all, and no page has a key', async (open) => {
    const { register, site } = await open();
    const ada = await register('ada');
    const others = [createVisitor(site), createVisitor(site), createVisitor(site)];
    for (const other of others) await other.submit('/login', ADA);
    const shown = bodyText(await ada.get('/account/devices'));
    const ids = [...shown.matchAll(/href="\/account\/devices\?id=(\w+)"/g)];
    for (const visitor of [ada, ...others]) {
      const key = toTokenKey(visitor.cookie('sid') ?? '');
      for (let at = 0; at + 10 <= key.length; at++)
        assert.ok(!shown.includes(key.slice(at, at + 10)));
    }
    const open_ = async () => {
      const pages = await Promise.all(others.map((other) => other.get('/account')));
      return pages.filter(({ status }) => status === 200).length;
    };
    assert.equal(ids.length, 3);
    await ada.submit(`/account/devices?id=${ids[0]?.[1]}`, {});
    assert.equal(await open_(), 2);
    await ada.submit('/account/devices', {});
    assert.equal(await open_(), 0);
    assert.equal((await ada.get('/account')).status, 200);
  });

  story('what others did to an account is told once, after the next log-in', async (open) => {
    const { register, site } = await open({ hasMail: false });
    const ada = await register('ada');
    const bob = await register('bob', 'editor');
    const logIn = async (password: string, username = 'bob') => {
      const visitor = createVisitor(site);
      return messageOf(await visitor.follow(await visitor.post('/login', { username, password })));
    };
    assert.equal(await logIn(PASSWORD), '', 'a new account has nothing to tell');
    await ada.submit('/people/2', { action: 'role', role: 'reader' });
    assert.equal(messageOf(await bob.get('/')), '');
    assert.equal(
      (await createVisitor(site).post('/login', { ...ADA, username: 'bob' })).status,
      303,
    );
    await ada.submit('/people/2', { action: 'role', role: 'editor' });
    // A log-in that fails takes nothing away.
    await createVisitor(site).post('/login', { username: 'bob', password: 'wrong' });
    const told = await logIn(PASSWORD);
    assert.match(told, /The role was changed\. The new role is editor\. If this was not you, tell/);
    assert.doesNotMatch(told, /reader/, 'it was told before');
    assert.equal(await logIn(PASSWORD), '');
    const link = await linkOf(ada, await ada.submit('/people/2', { action: 'link' }));
    const holder = createVisitor(site);
    await holder.follow(await holder.submit(link, NEW));
    assert.equal(await logIn(PASSWORD, 'ada'), '');
  });

  story('nobody makes a link for their own password', async (open) => {
    const { events, register } = await open();
    const ada = await register('ada');
    const refused = await ada.submit('/people/1', { action: 'link' });
    assert.equal(refused.status, 409);
    assert.match(bodyText(refused), /Change your own password on the page of your account/);
    assert.doesNotMatch(bodyText(refused), /Make a link/);
    assert.ok(!events.some(({ kind }) => kind === 'link made'));
  });

  story('who gives up the highest role is told so on a page that they see', async (open) => {
    const { register } = await open();
    const ada = await register('ada');
    await register('bob', 'admin');
    const answer = await ada.submit('/people/1', { action: 'role', role: 'reader' });
    const shown = await ada.follow(answer);
    assert.deepEqual([answer.status, shown.status], [303, 200]);
    assert.match(bodyText(shown), /The role is now reader\./);
  });

  story(
    'a link that only this computer opens says so, on pages and in a terminal',
    async (open) => {
      const { accounts, register, site } = await open({ hasMail: false });
      const ada = await register('ada');
      await register('bob', 'reader');
      const reach =
        /The link can be opened on this computer only, because its address is localhost:/;
      const send = async (visitor: Visitor) => [
        messageOf(await visitor.follow(await visitor.submit('/people', INVITED))),
        messageOf(await visitor.follow(await visitor.submit('/people/2', { action: 'link' }))),
      ];
      for (const shown of await send(ada)) {
        assert.match(shown, reach);
        assert.match(shown, LINK);
      }
      const elsewhere = createVisitor(site, { headers: { host: 'site.example' }, scheme: 'https' });
      await elsewhere.submit('/login', ADA);
      for (const shown of await send(elsewhere)) {
        assert.doesNotMatch(shown, /this computer only/);
        assert.match(shown, /https:\/\/site\.example\/(?:register|password\/new)\?token=/);
      }
      assert.doesNotMatch(await accounts.command(['invite']), /this computer only/);
      for (const [publicOrigin, isHere] of [
        ['http://localhost:8000', true],
        ['https://site.example', false],
      ] as const) {
        const terminal = (await open({ publicOrigin, hasMail: false })).accounts;
        for (const words of [['invite'], ['password', 'bob']]) {
          const printed = await terminal.command(words);
          assert.ok(printed.startsWith(publicOrigin), printed);
          assert.equal(/on this computer only/.test(printed), isHere);
        }
      }
    },
  );
}

const INVITED = { to: 'Grace', role: 'editor' };

function messageOf(answer: Response): string {
  return /<p role="status">(.*?)<\/p>/s.exec(bodyText(answer))?.[1] ?? '';
}

async function linkOf(visitor: Visitor, answer: Response): Promise<string> {
  return LINK.exec(bodyText(await visitor.follow(answer)))?.[0] ?? assert.fail('no link is shown');
}

type OpenDatabase = Awaited<ReturnType<OpenInstances>>;
type Open = (given?: Given) => Promise<ReturnType<typeof createAccountSite>>;
