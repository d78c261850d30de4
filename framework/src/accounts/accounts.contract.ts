/** What accounts do on each engine, told as stories of visitors. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Database } from '../database/database.ts';
import { textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { german } from '../language/german.ts';
import { formPage } from '../site/form-page.ts';
import { bodyText, createVisitor, type Visitor } from '../testing/visitor.ts';
import { accountUser } from './account-options.ts';
import { accountProfile } from './account-profile.ts';
import { accountStatements, TABLES } from './account-tables.ts';
import {
  createAccountSite,
  createOwnTables,
  createStory,
  OWN_TABLES,
  PASSWORD,
} from './accounts-site.fixture.ts';

const OTHER = 'quite another password';

export function describeAccounts(
  name: string,
  openDatabase: (t: TestContext) => Promise<Database>,
): void {
  const story = createStory(name, openDatabase);

  story('the first account is an administrator, and nobody else registers', async (open) => {
    const { register, site } = await open();
    const ada = await register('ada');
    assert.match(bodyText(await ada.get('/')), /Hello, ada/);
    assert.equal((await ada.get('/people')).status, 200);
    const other = createVisitor(site);
    assert.equal((await other.get('/register')).status, 403);
  });

  story('who logs in with a name and a password is led to the page asked for', async (open) => {
    const { register, site } = await open();
    await register('ada');
    const visitor = createVisitor(site);
    const asked = await visitor.get('/notes');
    assert.equal(asked.headers['Location'], '/login?next=%2Fnotes');
    const wrong = await visitor.submit('/login?next=%2Fnotes', { username: 'ada', password: 'x' });
    assert.equal(wrong.status, 401);
    const unknown = await visitor.submit('/login', { username: 'nobody', password: 'x' });
    assert.equal(bodyText(unknown).replace('nobody', 'ada').length > 0, true);
    const right = await visitor.submit('/login?next=%2Fnotes', {
      username: 'Ada',
      password: PASSWORD,
    });
    assert.equal(right.headers['Location'], '/notes');
    assert.match(bodyText(await visitor.follow(right)), /<h1>Notes/);
  });

  story(
    'a form that was sent without a session is filled in after the log-in, and counts once',
    async (open) => {
      const { register, site, notes } = await open();
      await register('ada');
      const visitor = createVisitor(site);
      const refused = await visitor.post('/notes', { note: 'not lost' });
      assert.equal(refused.status, 401);
      const [, logIn = ''] = /href="(\/login[^"]*)"/.exec(bodyText(refused)) ?? [];
      const answer = await visitor.submit(logIn.replaceAll('&amp;', '&'), {
        username: 'ada',
        password: PASSWORD,
      });
      const form = await visitor.follow(answer);
      assert.match(bodyText(form), /value="not lost"/);
      for (const _ of [1, 2])
        assert.equal((await visitor.submit(form, { note: 'not lost' })).status, 303);
      assert.deepEqual(notes, ['not lost']);
    },
  );

  story(
    'a change of the password ends all other sessions, also for a double click',
    async (open) => {
      const { register, site, mails } = await open();
      const ada = await register('ada');
      const other = createVisitor(site);
      await other.submit('/login', { username: 'ada', password: PASSWORD });
      const form = await ada.get('/account/password');
      const fields = { currentpassword: PASSWORD, newpassword: OTHER, newpasswordagain: OTHER };
      const wrong = await ada.submit(form, { ...fields, currentpassword: 'wrong' });
      assert.match(bodyText(wrong), /Current password is incorrect/);
      const done = await Promise.all([ada.submit(form, fields), ada.submit(form, fields)]);
      assert.deepEqual(
        done.map(({ status }) => status),
        [303, 303],
      );
      assert.match(bodyText(await ada.get('/account')), /You are logged in as ada/);
      assert.equal((await other.get('/account')).status, 303);
      assert.equal(mails.length, 0, 'the account has no address');
    },
  );

  story('a forgotten password is replaced by a link of a mail, once', async (open) => {
    const { register, site, mails, linkOfMail } = await open();
    const ada = await register('ada');
    await ada.submit('/account/email', { email: 'ada@example.org' });
    assert.equal(mails.at(-1)?.to, 'ada@example.org');
    const confirm = await createVisitor(site).submit(linkOfMail(), {});
    assert.equal(confirm.status, 303);

    const visitor = createVisitor(site);
    await visitor.submit('/password/forgot?next=%2Fnotes', { email: 'ADA@example.org' });
    const link = linkOfMail();
    await visitor.get(link); // A program that scans mails opens it, too.
    const fields = { password: OTHER, passwordagain: OTHER };
    const form = await visitor.get(link);
    const answers = await Promise.all([visitor.submit(form, fields), visitor.submit(form, fields)]);
    assert.deepEqual(
      answers.map(({ headers }) => headers['Location']),
      ['/notes', '/notes'],
    );
    assert.match(bodyText(await visitor.get('/')), /Hello, ada/);
    assert.equal((await ada.get('/account')).status, 303, 'other sessions have ended');
    assert.equal((await createVisitor(site).get(link)).status, 404);
    const told = mails.filter(({ subject }) => subject.startsWith('Your account'));
    assert.equal(told.length, 1);
    assert.match(told[0]?.text ?? '', /The password was reset/);

    await createVisitor(site).submit('/password/forgot', { email: 'nobody@example.org' });
    assert.match(mails.at(-1)?.text ?? '', /no account has it/);
  });

  story('a link of a mail logs in, once, after its button', async (open) => {
    const { register, site, linkOfMail } = await open();
    const ada = await register('ada');
    await ada.submit('/account/email', { email: 'ada@example.org' });
    await createVisitor(site).submit(linkOfMail(), {});
    const visitor = createVisitor(site);
    const sent = await visitor.submit('/login/link', { email: 'ada@example.org' });
    assert.equal(sent.headers['Location'], '/mail-sent');
    const elsewhere = createVisitor(site);
    assert.equal((await elsewhere.get(linkOfMail())).status, 403);
    assert.equal((await elsewhere.post(linkOfMail())).status, 403);
    const form = await visitor.get(linkOfMail());
    assert.match(bodyText(form), /This logs you in as ada/);
    const answers = await Promise.all([visitor.submit(form, {}), visitor.submit(form, {})]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303],
    );
    assert.match(bodyText(await visitor.get('/')), /Hello, ada/);
    const later = createVisitor(site);
    assert.equal((await later.get(linkOfMail())).status, 404);
  });

  story('a link of a mail logs in though the answer to its form was lost', async (open) => {
    const { register, site, linkOfMail } = await open();
    const ada = await register('ada');
    await ada.submit('/account/email', { email: 'ada@example.org' });
    await ada.submit(linkOfMail(), {});
    const visitor = createVisitor(site);
    const form = bodyText(await visitor.get('/login/link'));
    const cookie = `link=${visitor.cookie('link')}`;
    const once = /name="_once" value="([^"]*)"/.exec(form)?.[1] ?? '';
    for (const _ of [1, 2])
      await createVisitor(site, { headers: { cookie } }).post('/login/link', {
        email: 'ada@example.org',
        _once: once,
      });
    assert.match(bodyText(await visitor.get(linkOfMail())), /This logs you in as ada/);
  });

  story('what is dangerous needs a recent log-in, and the form is not lost', async (open) => {
    let now = new Date('2026-06-01T12:00:00Z');
    const { register, notes } = await open({
      now: () => now,
      site: { session: { now: () => now } },
    });
    const ada = await register('ada');
    assert.equal((await ada.get('/danger')).status, 200);
    const form = await ada.get('/danger/notes');
    now = new Date('2026-06-01T12:11:00Z');
    assert.equal((await ada.get('/danger')).headers['Location'], '/login/again?next=%2Fdanger');
    const refused = await ada.submit(form, { note: 'dangerous' });
    assert.equal(refused.status, 401);
    assert.match(bodyText(refused), /must have logged in within the last 10 minutes/);
    const [, logIn = ''] = /href="(\/login\/again[^"]*)"/.exec(bodyText(refused)) ?? [];
    const answer = await ada.submit(logIn.replaceAll('&amp;', '&'), {
      username: 'ada',
      password: PASSWORD,
    });
    const filled = await ada.follow(answer);
    assert.match(bodyText(filled), /value="dangerous"/);
    await ada.submit(filled, { note: 'dangerous' });
    assert.deepEqual(notes, ['dangerous']);
  });

  story('who has to choose a password does so first, and a form waits for it', async (_, t) => {
    const database = await openDatabase(t);
    const { register, notes } = createAccountSite(database);
    const ada = await register('ada');
    const form = await ada.get('/notes');
    const ends = '2999-01-01T00:00:00.000Z';
    await database.write(({ run }) =>
      run('update seeother_accounts set password_expires_at = ?', [ends]),
    );
    const forced = await ada.get('/people?from=x');
    assert.equal(forced.headers['Location'], '/account/password?next=%2Fpeople%3Ffrom%3Dx');
    const refused = await ada.submit(form, { note: 'not lost' });
    assert.match(bodyText(refused), /An administrator knows your password/);
    const [, path = ''] =
      /href="(\/account\/password[^"]*)">Choose a new password</.exec(bodyText(refused)) ?? [];
    const page = await ada.get(path.replaceAll('&amp;', '&'));
    assert.match(bodyText(page), /An administrator knows your password/);
    const fields = { currentpassword: PASSWORD, newpassword: OTHER, newpasswordagain: OTHER };
    const done = await Promise.all([ada.submit(page, fields), ada.submit(page, fields)]);
    for (const one of done) assert.match(String(one.headers['Location']), /^\/notes\?_draft=/);
    const filled = await ada.follow(done[0]);
    assert.match(bodyText(filled), /value="not lost"/);
    await ada.submit(filled, { note: 'not lost' });
    assert.deepEqual(notes, ['not lost']);
    assert.doesNotMatch(bodyText(await ada.get('/account/password')), /An administrator knows/);
  });

  story('a role that is taken away is gone with the next request', async (open) => {
    const { linkOfMail, mails, register } = await open();
    const ada = await register('ada');
    const bob = await register('bob', 'editor');
    assert.equal((await bob.get('/people-only')).status, 200);
    await bob.submit('/account/email', { email: 'bob@example.org' });
    await bob.submit(linkOfMail(), {});
    const done = await ada.submit('/people/2', { role: 'reader', action: 'role' });
    assert.equal(done.status, 303);
    assert.match(mails.at(-1)?.text ?? '', /^The role was changed\. The new role is reader\.\n/);
    assert.equal((await bob.get('/people-only')).status, 403);
    assert.equal((await bob.get('/people')).status, 403);
    const last = await ada.submit('/people/1', { role: 'reader', action: 'role' });
    assert.equal(last.status, 409);
    assert.match(bodyText(last), /only administrator/);
  });

  story('an account that is disabled is logged out everywhere and cannot log in', async (open) => {
    const { register, site } = await open();
    const ada = await register('ada');
    const bob = await register('bob', 'editor');
    await ada.submit('/people/2', { action: 'disable' });
    assert.match(bodyText(await bob.get('/')), /Hello, visitor/);
    const visitor = createVisitor(site);
    assert.equal(
      (await visitor.submit('/login', { username: 'bob', password: PASSWORD })).status,
      401,
    );
    await ada.submit('/people/2', { action: 'enable' });
    assert.equal(
      (await visitor.submit('/login', { username: 'bob', password: PASSWORD })).status,
      303,
    );
  });

  story(
    'an invitation that somebody opens who is logged in asks to log out first',
    async (open) => {
      const { accounts, register, site } = await open();
      await register('ada');
      const bob = await register('bob', 'reader');
      const link = await accounts.invite('editor');
      // Opened in another tab, before the log-in.
      const visitor = createVisitor(site);
      const early = await visitor.get(link);
      await visitor.submit('/login', { username: 'bob', password: PASSWORD });
      const shown = await bob.get(link);
      assert.equal(shown.status, 409);
      assert.equal(shown.headers['Cache-Control'], 'no-store');
      assert.match(bodyText(shown), /You are logged in as bob\./);
      assert.match(bodyText(shown), /<a href="\/">Stay logged in as bob/);
      assert.doesNotMatch(bodyText(shown), /type="password"/);
      const fields = { username: 'eve', password: PASSWORD, passwordagain: PASSWORD };
      for (const refused of [
        await visitor.submit(early, fields),
        await visitor.submit(early, {}),
      ]) {
        assert.equal(refused.status, 409);
        assert.match(bodyText(refused), /You are logged in as bob\./);
        assert.match(bodyText(await visitor.get('/')), /Hello, bob/);
      }
      assert.equal((await createVisitor(site).submit('/login', fields)).status, 401, 'no account');

      const out = await bob.submit(shown, {});
      assert.equal(out.headers['Location'], link);
      const form = await bob.follow(out);
      for (const what of ['sent', 'sent again, with the session'])
        assert.equal((await bob.submit(form, fields)).status, 303, what);
      assert.match(bodyText(await bob.get('/people-only')), /For editors/);
      const sessions = bodyText(await bob.get('/account')).match(/<th scope="row"/g) ?? [];
      assert.equal(sessions.length, 1, 'one session');
      assert.equal((await bob.get(link)).status, 403, 'used up');
    },
  );

  story('a log-out leads back to a page of this site alone', async (open) => {
    const { register } = await open();
    const ada = await register('ada');
    const out = await ada.post('/logout?next=%2F%2Fevil.example');
    assert.equal(out.headers['Location'], '/login');
  });

  story('a form to register ends no session of another account', async (open) => {
    const { register, site } = await open({ registration: 'open' });
    await register('ada');
    const bob = createVisitor(site);
    const form = await bob.get('/register');
    await bob.submit('/login', { username: 'ada', password: PASSWORD });
    const fields = { username: 'bob', password: PASSWORD, passwordagain: PASSWORD };
    const refused = await bob.submit(form, fields);
    assert.equal(refused.status, 409);
    assert.match(
      bodyText(await bob.get('/register')),
      /To create another account, log out first\./,
    );
    assert.match(bodyText(await bob.get('/')), /Hello, ada/);
    const form2 = await bob.follow(await bob.submit(refused, {}));
    assert.equal((await bob.submit(form2, fields)).status, 303);
    assert.match(bodyText(await bob.get('/')), /Hello, bob/);
  });

  story('of two first registrations in one browser, the second ends no session', async (open) => {
    const { site } = await open();
    const visitor = createVisitor(site);
    const [first, second] = [await visitor.get('/register'), await visitor.get('/register')];
    const fields = { password: PASSWORD, passwordagain: PASSWORD };
    assert.equal((await visitor.submit(first, { username: 'ada', ...fields })).status, 303);
    assert.equal((await visitor.submit(second, { username: 'bob', ...fields })).status, 403);
    assert.match(bodyText(await visitor.get('/')), /Hello, ada/);
  });

  story('with addresses, who is logged in is asked to log out first, too', async (open) => {
    const { accounts, linkOfMail, site } = await open({ names: 'email', registration: 'open' });
    const ada = createVisitor(site);
    const password = { password: PASSWORD, passwordagain: PASSWORD };
    await ada.submit('/register/address', { email: 'ada@example.org' });
    assert.equal((await ada.submit(linkOfMail(), password)).status, 303);
    for (const path of ['/register', '/register/address', await accounts.invite('editor')])
      assert.match(bodyText(await ada.get(path)), /You are logged in as ada@example\.org\./, path);
    await createVisitor(site).submit('/register/address', { email: 'bob@example.org' });
    const refused = await ada.get(linkOfMail());
    assert.equal(refused.status, 409);
    const form = await ada.follow(await ada.submit(refused, {}));
    assert.equal((await ada.submit(form, password)).status, 303);
    assert.match(bodyText(await ada.get('/')), /Hello, bob@example\.org/);
  });

  story('a link for the password of another account asks to log out first', async (open) => {
    const { accounts, register, site } = await open();
    const ada = await register('ada');
    await register('bob', 'reader');
    const [link = ''] =
      /\/password\/new\?\S+/.exec(await accounts.command(['password', 'bob'])) ?? [];
    const visitor = createVisitor(site);
    const early = await visitor.get(link);
    await visitor.submit('/login', { username: 'ada', password: PASSWORD });
    const fields = { password: OTHER, passwordagain: OTHER };
    const refused = await visitor.submit(early, fields);
    const shown = await ada.get(link);
    for (const answer of [refused, shown]) {
      assert.equal(answer.status, 409);
      assert.match(bodyText(answer), /You are logged in as ada\. This link is for .*: bob\./);
    }
    for (const one of [visitor, ada]) assert.match(bodyText(await one.get('/')), /Hello, ada/);
    const form = await ada.follow(await ada.submit(shown, {}));
    assert.equal((await ada.submit(form, fields)).status, 303);
    assert.match(bodyText(await ada.get('/')), /Hello, bob/);
    assert.equal((await ada.submit(form, fields)).status, 303, 'sent again');
    assert.equal((await visitor.submit(early, fields)).status, 404, 'of the link that is used up');
    assert.match(bodyText(await visitor.get('/')), /Hello, ada/);
  });

  story('an invitation is listed, and works no more once it is withdrawn', async (open) => {
    const { register, site } = await open({ hasMail: false });
    const ada = await register('ada');
    await register('bob', 'editor');
    await ada.submit('/people', { to: 'Grace', role: 'editor' });
    const shown = bodyText(await ada.get('/people'));
    const [, link = ''] = /(\/register\?token=[\w-]+)/.exec(shown) ?? [];
    assert.match(shown, /Grace<\/th><td>editor<\/td><td data-label="Invited by">ada</);
    assert.equal((await createVisitor(site).get(link)).status, 200);
    const [, id = ''] = /name="id" value="(\w+)"/.exec(shown) ?? [];
    const withdraw = () => ada.post('/people/invitations', { id, action: 'withdraw' });
    assert.equal((await withdraw()).status, 303);
    assert.equal((await createVisitor(site).get(link)).status, 403);
    assert.match(bodyText(await ada.follow(await withdraw())), /used or withdrawn already/);
  });

  test(`${name}: a site is told each event of the log after its commit, and who did it`, async (t) => {
    const database = await openDatabase(t);
    const { accounts, events, linkOfMail, register, site } = createAccountSite(database);
    const ada = await register('ada');
    for (const to of ['grace@example.org', 'bob@example.org'])
      await ada.submit('/people', { to, role: 'editor' });
    const [, id = ''] = /name="id" value="(\w+)"/.exec(bodyText(await ada.get('/people'))) ?? [];
    await ada.post('/people/invitations', { id, action: 'withdraw' });
    const bob = createVisitor(site);
    const fields = { username: 'bob', password: PASSWORD, passwordagain: PASSWORD };
    await bob.submit(linkOfMail(), fields);
    await ada.submit('/people/2', { action: 'role', role: 'reader' });
    for (const words of ['role bob editor', 'disable bob', 'invite reader'])
      await accounts.command(words.split(' '));
    for (const username of ['Bob', 'nobody'])
      await createVisitor(site).submit('/login', { username, password: 'x' });
    await ada.post('/logout');
    assert.deepEqual(
      events.map(({ account, by, detail, kind }) =>
        [account?.username ?? null, kind, detail, by].join(),
      ),
      [
        'ada,registered,,',
        'ada,logged in,registration,',
        'ada,invited,editor,ada',
        'ada,invited,editor,ada',
        'ada,invitation withdrawn,,ada',
        'bob,registered,,ada',
        'bob,logged in,registration,',
        'bob,role changed,reader,ada',
        'bob,role changed,editor,terminal',
        'bob,disabled,,terminal',
        ',invited,reader,terminal',
        'bob,log-in failed,,',
        ',log-in failed,,',
        'ada,logged out,,',
      ],
    );
    const { rows } = await database.read.run<{
      readonly account_id: unknown;
      readonly kind: string;
    }>(`select kind, account_id from ${TABLES.events} order by id`);
    assert.deepEqual(
      rows.map(({ account_id, kind }) => [account_id === null ? null : Number(account_id), kind]),
      events.map(({ account, kind }) => [account?.id ?? null, kind]),
    );
    assert.ok(events.every(({ account }) => Object.keys(account ?? {}).length <= 2));
  });

  test(`${name}: a site is told of a refused attempt, which is not in the log`, async (t) => {
    const database = await openDatabase(t);
    const { events, register, site } = createAccountSite(database);
    await register('ada');
    for (let count = 0; count < 12; count++)
      await createVisitor(site).post('/login', { username: 'ada', password: 'x' });
    const told = events.slice(2).map(({ account, kind }) => [account?.id, kind]);
    assert.deepEqual(told, [
      ...Array.from({ length: 10 }, () => [1, 'log-in failed']),
      ...Array.from({ length: 2 }, () => [1, 'log-in throttled']),
    ]);
    const { rows } = await database.read.run(`select id from ${TABLES.events}`);
    assert.equal(rows.length, 12);
  });

  story(
    'an error of onEvent is a warning, and loses neither the answer nor another event',
    async (open) => {
      const told: string[] = [];
      const { register, site } = await open({
        onEvent({ kind }) {
          told.push(kind);
          const error = new Error(`The log is full: ${kind}`);
          if (kind === 'log-in failed') return Promise.reject(error) as unknown as undefined;
          throw error;
        },
      });
      const warnings: Error[] = [];
      const note = (warning: Error) => warnings.push(warning);
      process.on('warning', note);
      try {
        await register('ada');
        const visitor = createVisitor(site);
        const statuses = new Set<number>();
        for (let count = 0; count < 20 && !statuses.has(429); count++)
          statuses.add(
            (await visitor.post('/login', { username: 'ada', password: 'wrong' })).status,
          );
        assert.deepEqual([...statuses], [401, 429]);
        await new Promise((resolve) => setTimeout(resolve, 10));
      } finally {
        process.off('warning', note);
      }
      assert.deepEqual(
        [...new Set(told)],
        ['registered', 'logged in', 'log-in failed', 'log-in throttled'],
      );
      const own = warnings.filter(({ message }) => message.startsWith('onEvent of the accounts'));
      assert.equal(own.length, told.length);
      assert.match(String(own.at(-1)?.cause), /The log is full: log-in throttled/);
    },
  );

  story('an invitation is sent again, with a new link', async (open) => {
    const { events, linkOfMail, mails, register, site } = await open();
    const ada = await register('ada');
    await ada.submit('/people', { to: 'grace@example.org', role: 'editor' });
    const first = linkOfMail();
    const page = bodyText(await ada.get('/people'));
    assert.match(page, />Send it again<.*>Withdraw</s);
    const [, id = ''] = /name="id" value="(\w+)"/.exec(page) ?? [];
    const renew = () => ada.post('/people/invitations', { id, action: 'renew' });
    const shown = bodyText(await ada.follow(await renew()));
    assert.match(shown, /sent to grace@example\.org\. The earlier link no longer works\./);
    assert.match(bodyText(await ada.follow(await renew())), /was used or withdrawn already/);
    assert.deepEqual([mails.length, mails.at(-1)?.to], [2, 'grace@example.org']);
    assert.equal(events.filter(({ kind }) => kind === 'invited').length, 2);
    const grace = createVisitor(site);
    assert.equal((await grace.get(first)).status, 403);
    const fields = { username: 'grace', password: PASSWORD, passwordagain: PASSWORD };
    assert.equal((await grace.submit(linkOfMail(), fields)).status, 303);
    assert.match(bodyText(await grace.get('/account')), /grace@example\.org/);
  });

  story('without mails, an invitation gets a new link', async (open) => {
    const { accounts, register, site } = await open({ hasMail: false });
    const ada = await register('ada');
    await accounts.invite('editor');
    const link = await renewInvitation(ada);
    const fields = { username: 'grace', password: PASSWORD, passwordagain: PASSWORD };
    assert.equal((await createVisitor(site).submit(link, fields)).status, 303);
  });

  test(`${name}: a link that was handed over confirms no address`, async (t) => {
    const database = await openDatabase(t);
    const before = createAccountSite(database);
    const ada = await before.register('ada');
    await ada.submit('/people', { to: 'grace@example.org', role: 'editor' });
    // The site has no mails any more.
    const { site } = createAccountSite(database, { hasMail: false });
    const [again, grace] = [createVisitor(site), createVisitor(site)];
    await again.submit('/login', { username: 'ada', password: PASSWORD });
    const link = await renewInvitation(again);
    const fields = { username: 'grace', password: PASSWORD, passwordagain: PASSWORD };
    assert.equal((await grace.submit(link, fields)).status, 303);
    assert.doesNotMatch(bodyText(await grace.get('/account')), /grace@example\.org/);
  });

  story('an administrator has twenty open invitations', async (open) => {
    const { register } = await open();
    const ada = await register('ada');
    const bob = await register('bob', 'admin');
    const invite = async (to: number) =>
      (await ada.submit('/people', { to: `person${to}@example.org`, role: 'reader' })).status;
    for (let to = 1; to <= 20; to++) assert.equal(await invite(to), 303);
    const refused = await ada.submit('/people', { to: 'one@example.org', role: 'reader' });
    assert.equal(refused.status, 409);
    assert.match(bodyText(refused), /Too many invitations are open\. Withdraw one first/);
    const ofBob = await bob.submit('/people', { to: 'one@example.org', role: 'reader' });
    assert.equal(ofBob.status, 303);
    const [, id = ''] = /name="id" value="(\w+)"/.exec(bodyText(await ada.get('/people'))) ?? [];
    await ada.post('/people/invitations', { id, action: 'withdraw' });
    assert.equal(await invite(21), 303);
  });

  story('what a site does in the transaction that disables an account', async (open) => {
    const disabled: number[] = [];
    const { accounts, register } = await open({
      async onDisable({ run }, id) {
        await run('select 1');
        disabled.push(id);
        if (disabled.length === 1) throw new Error('This fails.');
      },
    });
    const ada = await register('ada');
    const bob = await register('bob', 'editor');
    assert.equal((await ada.submit('/people/2', { action: 'disable' })).status, 500);
    assert.match(bodyText(await bob.get('/')), /Hello, bob/);
    await ada.submit('/people/2', { action: 'disable' });
    assert.match(bodyText(await bob.get('/')), /Hello, visitor/);
    await accounts.command(['enable', 'bob']);
    await accounts.command(['disable', 'bob']);
    assert.deepEqual(disabled, [2, 2, 2]);
  });

  test(`${name}: accounts work in the tables that a migration has made`, async (t) => {
    const database = await openDatabase(t);
    const { engine } = database;
    await database.write(async ({ run }) => {
      for (const sql of accountStatements(engine)) await run(sql);
    });
    const { register } = createAccountSite(database);
    assert.match(bodyText(await (await register('ada')).get('/')), /Hello, ada/);
    const own = { accounts: 'people', sessions: 'logins' };
    const all = accountStatements(engine).join('\n');
    const ofFramework = accountStatements(engine, own).join('\n');
    assert.match(all, /create table if not exists seeother_accounts /);
    assert.doesNotMatch(ofFramework, /seeother_accounts |seeother_account_sessions/);
    assert.match(ofFramework, /seeother_account_tokens \([^;]*references people/);
  });

  story('a terminal invites, hands out links, and changes roles', async (open) => {
    const { accounts, linkOfMail, site } = await open({ publicOrigin: null });
    const linkIn = (text: string) => text.split('\n')[0] ?? '';
    const invited = linkIn(await accounts.command(['invite', 'admin']));
    const ada = createVisitor(site);
    const fields = { password: PASSWORD, passwordagain: PASSWORD };
    assert.equal((await ada.submit(invited, { username: 'ada', ...fields })).status, 303);
    assert.match(await accounts.command(['role', 'ada', 'admin']), /role of ada is admin/);
    await assert.rejects(accounts.command(['role', 'ada', 'king']), /the roles are reader, editor/);
    await assert.rejects(
      accounts.command(['role', 'ada', 'reader']),
      /no other admin would remain; make somebody else one first\.$/,
    );
    await assert.rejects(
      accounts.command(['disable', 'nobody']),
      /no account has this username or address; check its spelling\.$/,
    );
    await assert.rejects(accounts.command(['invite', 'admin', 'bob']), /use invite \[ROLE\]/);
    assert.match(await accounts.command([]), /^Commands: invite \[ROLE\], password USERNAME,/);
    assert.equal(await accounts.command(['enable', 'ada']), 'ada is not disabled.');
    assert.equal(await accounts.command(['factors', 'ada']), 'ada has no second factor.');
    assert.match(bodyText(await ada.get('/')), /Hello, ada/, 'nobody was logged out');
    await assert.rejects(accounts.command(['delete', 'ada']), /use invite \[ROLE\], password/);
    await ada.submit('/account/email', { email: 'ada@example.org' });
    await ada.submit(linkOfMail(), {});
    const printed = await accounts.command(['password', 'Ada@example.org']);
    assert.match(printed, /\nOpen this path on the site\. ada can choose a new password/);
    assert.match(bodyText(await ada.get('/')), /Hello, visitor/, 'it may have been stolen');
    assert.equal((await ada.submit('/login', { username: 'ada', password: PASSWORD })).status, 401);
    const link = linkIn(printed);
    const other = { password: OTHER, passwordagain: OTHER };
    assert.equal((await createVisitor(site).submit(link, other)).status, 303);
    const bob = createVisitor(site);
    const second = linkIn(await accounts.command(['invite', 'admin']));
    await bob.submit(second, { username: 'bob', ...fields });
    assert.match(await accounts.command(['disable', 'bob']), /bob is logged out everywhere/);
    assert.equal(await accounts.command(['disable', 'bob']), 'bob is disabled already.');
    assert.match(await accounts.command(['password', 'bob']), /first: bob is disabled\.$/);
    assert.equal(await accounts.command(['enable', 'bob']), 'bob can log in again.');
  });

  story('an account that nobody has given a role has the default', async (open) => {
    const { accounts, site } = await open({ defaultRole: 'editor', registration: 'open' });
    const fields = { password: PASSWORD, passwordagain: PASSWORD };
    const register = async (path: string, username: string) => {
      const visitor = createVisitor(site);
      await visitor.submit(path, { username, ...fields });
      return visitor;
    };
    const ada = await register('/register', 'ada');
    await register('/register', 'bob');
    const invited = async (...words: string[]) => {
      const [link = ''] = (await accounts.command(['invite', ...words])).split('\n');
      return link.replace(/^https?:..[^/]+/, '');
    };
    await register(await invited(), 'cyd');
    await register(await invited('reader'), 'dan');
    const people = bodyText(await ada.get('/people'));
    const roles = [...people.matchAll(/>(\w+)<\/a><\/th><td>(\w+)/g)].map(([, ...one]) =>
      one.join(),
    );
    assert.deepEqual(roles.toSorted(), ['ada,admin', 'bob,editor', 'cyd,editor', 'dan,reader']);
    assert.match(people, /value="editor" (?:selected|checked)/, 'of the form to invite');
  });

  story('a profile is part of the registration, and of the user of each request', async (_, t) => {
    const database = await openDatabase(t);
    await createOwnTables(database);
    const form = defineForm({
      called: textField({ label: 'Name', required: 'Enter a name', maxLength: 60 }),
    });
    let id = 6;
    const { site } = createAccountSite(database, {
      tables: { ...OWN_TABLES, nextId: async () => ++id },
      user: accountUser(['called'], ({ called }) => ({ called: String(called) })),
      layout: (title, main, { flash, session }) =>
        html`<h1>${title}</h1><p>${flash}</p><p>For ${(session?.user as { called?: string } | undefined)?.called}.</p>${main}`,
      profile: accountProfile(form, {
        title: 'Change name',
        message: ({ account, values }) => `${account.username} is ${values.called} now.`,
        fill: ({ session }) => ({ called: (session?.user as { called?: string })?.called ?? '' }),
        async save({ transaction, account, values }) {
          if (values.called === 'Nobody')
            return [{ field: 'called', message: 'This name is taken' }];
          if (values.called === 'Twin')
            return [{ field: 'username', message: 'Too much like another' }];
          await transaction.run('update people set called = ? where id = ?', [
            values.called,
            account.id,
          ]);
          return undefined;
        },
      }),
    });
    const ada = createVisitor(site);
    const fields = { username: 'ada', password: PASSWORD, passwordagain: PASSWORD };
    const refused = await ada.submit('/register', { ...fields, called: 'Nobody' });
    assert.match(bodyText(refused), /This name is taken/);
    const ofUsername = await ada.submit('/register', { ...fields, called: 'Twin' });
    assert.equal(ofUsername.status, 400);
    assert.match(bodyText(ofUsername), /<a href="#username">Too much like another<\/a>/);
    assert.equal((await ada.submit('/register', { ...fields, called: 'Ada' })).status, 303);
    assert.match(bodyText(await ada.get('/account')), /For Ada\./);
    // This page has no field of the username.
    const ofWhole = await ada.submit('/account/profile', { called: 'Twin' });
    assert.equal(ofWhole.status, 400);
    assert.match(bodyText(ofWhole), /<li>Too much like another<\/li>/);
    assert.match(bodyText(ofWhole), /<h1>Change name<\/h1>/);
    const changed = await ada.submit('/account/profile', { called: 'Countess' });
    const account = bodyText(await ada.follow(changed));
    assert.match(account, /For Countess\./);
    assert.match(account, /ada is Countess now\./);
    assert.match(account, /"\/account\/profile">Change name</);
    const { rows } = await database.read.run('select id, username, called from people');
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [{ id: 9, username: 'ada', called: 'Countess' }],
    );
  });

  story('its pages know texts that the other pages do not', async (open) => {
    const { site } = await open({ site: { languages: [german] } });
    const form = defineForm({ name: textField({ label: 'Name', required: 'Name', maxLength: 9 }) });
    formPage(site, '/own', form, {
      button: 'Save',
      show: ({ formHtml }) => formHtml,
      send: () => localPath('/'),
    });
    const visitor = createVisitor(site);
    assert.match(bodyText(await visitor.get('/register')), />Benutzername</);
    assert.match(bodyText(await visitor.get('/own')), />Name<.*<button>Save</s);
  });

  story('a link of an administrator sets a new password', async (open) => {
    const { register, site } = await open({ hasMail: false });
    const ada = await register('ada');
    await register('bob', 'editor');
    const shown = bodyText(await ada.follow(await ada.submit('/people/2', { action: 'link' })));
    const [link = ''] = /\/password\/new\?token=[\w-]+/.exec(shown) ?? [];
    const bob = createVisitor(site);
    const done = await bob.submit(link, { password: OTHER, passwordagain: OTHER });
    assert.equal(done.status, 303);
    assert.match(bodyText(await bob.get('/')), /Hello, bob/);
  });

  story('another device is logged out', async (open) => {
    const { events, register, site } = await open();
    const ada = await register('ada');
    const other = createVisitor(site);
    await other.submit('/login', { username: 'ada', password: PASSWORD });
    const list = bodyText(await ada.get('/account/devices'));
    const [, id = ''] = /href="\/account\/devices\?id=(\w+)"/.exec(list) ?? [];
    assert.equal((await ada.submit(`/account/devices?id=${id}`, {})).status, 303);
    assert.match(bodyText(await other.get('/')), /Hello, visitor/);
    assert.match(bodyText(await ada.get('/')), /Hello, ada/);
    assert.equal(events.at(-1)?.kind, 'session ended');
    await other.submit('/login', { username: 'ada', password: PASSWORD });
    assert.equal((await ada.submit('/account/devices', {})).status, 303);
    assert.match(bodyText(await other.get('/')), /Hello, visitor/);
    assert.equal(events.at(-1)?.kind, 'other sessions ended');
  });

  story('the page of an account has its devices, each other one with its link', async (open) => {
    const { register, site } = await open();
    const ada = await register('ada');
    const alone = bodyText(await ada.get('/account'));
    assert.match(alone, /<strong>This device<\/strong>/);
    assert.doesNotMatch(alone, /account\/devices/);
    const other = createVisitor(site, { headers: { 'user-agent': 'Firefox/140.0' } });
    await other.submit('/login', { username: 'ada', password: PASSWORD });
    const shown = bodyText(await ada.get('/account'));
    const links = [...shown.matchAll(/href="(\/account\/devices\?id=\w+)"/g)];
    assert.equal(links.length, 1);
    assert.match(shown, /<a href="\/account\/devices">Log out on all other devices<\/a>/);
    assert.equal((await ada.submit(links[0]?.[1] ?? '', {})).status, 303);
    assert.equal((await other.get('/account')).status, 303);
    const { register: registerWithout } = await open({ without: ['devices'] });
    const without = await registerWithout('ada');
    assert.doesNotMatch(bodyText(await without.get('/account')), /<h2>Devices/);
  });

  story('an account is deleted, but not the only administrator', async (open) => {
    const { register, site } = await open();
    const ada = await register('ada');
    assert.equal((await ada.submit('/account/delete', {})).status, 409);
    const bob = await register('bob', 'reader');
    const gone = await bob.submit('/account/delete', {});
    assert.equal(gone.headers['Location'], '/');
    assert.match(bodyText(await bob.get('/')), /Hello, visitor/);
    const visitor = createVisitor(site);
    assert.equal(
      (await visitor.submit('/login', { username: 'bob', password: PASSWORD })).status,
      401,
    );
    assert.equal((await ada.get('/people/2')).status, 404);
  });

  story('a second click on the end of an account is told the same', async (open) => {
    const { register, site } = await open();
    await register('ada');
    const bob = await register('bob', 'reader');
    const form = await bob.get('/account/delete');
    const cookie = `sid=${bob.cookie('sid')}`;
    assert.equal((await bob.submit(form, {})).status, 303);
    const late = createVisitor(site);
    const again = await late.post('/account/delete', {}, { headers: { cookie } });
    assert.equal(again.headers['Location'], '/');
    assert.match(bodyText(await late.get('/')), /Your account was deleted/);
    const stranger = createVisitor(site, { headers: { cookie: 'sid=nobody' } });
    assert.equal((await stranger.post('/account/delete')).status, 401);
  });

  story(
    'with addresses for names, an account comes to be by a link, and no page tells who has one',
    async (open) => {
      const { site, mails, linkOfMail } = await open({ names: 'email', registration: 'open' });
      const ada = createVisitor(site);
      const first = await ada.follow(await ada.get('/register?next=%2Fnotes'));
      assert.equal(
        (await ada.submit(first, { email: 'Ada@example.org' })).headers['Location'],
        '/mail-sent',
      );
      const form = await ada.get(linkOfMail());
      const fields = { password: PASSWORD, passwordagain: PASSWORD };
      const answers = await Promise.all([ada.submit(form, fields), ada.submit(form, fields)]);
      assert.deepEqual(
        answers.map(({ headers }) => headers['Location']),
        ['/notes', '/notes'],
      );
      const again = createVisitor(site);
      const same = await again.submit('/register/address', { email: 'ada@example.org' });
      assert.equal(same.headers['Location'], '/mail-sent');
      assert.match(mails.at(-1)?.text ?? '', /You have an account/);
      assert.equal(
        (await again.submit('/login', { username: 'ADA@example.org', password: PASSWORD })).status,
        303,
      );
    },
  );
}

/** Of the first one in the list; resolves to its new link, which is handed over. */
async function renewInvitation(administrator: Visitor): Promise<string> {
  const page = bodyText(await administrator.get('/people'));
  const [, id = ''] = /name="id" value="(\w+)"/.exec(page) ?? [];
  const renewed = await administrator.post('/people/invitations', { id, action: 'renew' });
  const shown = bodyText(await administrator.follow(renewed));
  return /\/register\?token=[\w-]+/.exec(shown)?.[0] ?? '';
}
