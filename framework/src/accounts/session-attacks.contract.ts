/** Ways to misuse sessions, roles, forms and answers, each refused, on each engine: docs/security/attacks.md. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { onEvent } from '../events/events.ts';
import { createRequest } from '../http/request.ts';
import { encodeFields, get, post } from '../testing/make-request.ts';
import { bodyText, createVisitor, hiddenFields, type Visitor } from '../testing/visitor.ts';
import { TABLES } from './account-tables.ts';
import { type Given, PASSWORD } from './accounts-site.fixture.ts';
import { type Clock, createFactorSite, STEP } from './factor-site.fixture.ts';
import type { OpenInstances } from './second-factor-attacks.contract.ts';

const OTHER = 'quite another password';
const MINUTE = 60_000;

export function describeSessionAttacks(name: string, openInstances: OpenInstances): void {
  const story = (what: string, tell: (open: Open, database: OpenDatabase) => Promise<void>) =>
    test(`${name}: ${what}`, async (t) => {
      const openDatabase = await openInstances(t);
      const open: Open = async (given, clock) =>
        createFactorSite(await openDatabase(), given, clock);
      await tell(open, openDatabase);
    });

  story(
    'a session id that was planted is never that of a session, whichever way one logs in',
    async (open) => {
      const { register, switchOn, codeOf, linkOfMail, site, accounts, pass } = await open();
      const ada = await register('ada');
      await ada.submit('/account/email', { email: 'ada@example.org' });
      await ada.submit(linkOfMail(), {});
      const planted = 'A'.repeat(43);
      const cookie = `sid=${planted}`;
      const opens = async (answer: { readonly headers: object }) => {
        const lines = String((answer.headers as Record<string, unknown>)['Set-Cookie']);
        const [, id] = /(?:^|,)sid=([\w-]{43})/.exec(lines) ?? [];
        assert.ok(id !== undefined && id !== planted, 'a new id');
        const mine = await site.handle(get('/account', { headers: { cookie } }));
        assert.equal(mine.status, 303, 'the planted one is none');
      };
      const begin = async (path: string, fields: Record<string, string>) => {
        const victim = createVisitor(site);
        const shown = await victim.get(path);
        return victim.submit(shown, fields, { headers: { cookie } });
      };
      const sent = { username: 'bob', password: PASSWORD, passwordagain: PASSWORD };
      await opens(await begin(await accounts.invite('reader'), sent));
      await opens(await begin('/login', { username: 'ada', password: PASSWORD }));
      await createVisitor(site).submit('/password/forgot', { email: 'ada@example.org' });
      await opens(await begin(linkOfMail(), { password: OTHER, passwordagain: OTHER }));
      const { secret } = await switchOn(await logIn(site, 'ada', OTHER));
      pass(STEP);
      const waiting = createVisitor(site);
      await waiting.submit('/login', { username: 'ada', password: OTHER });
      const form = await waiting.get('/login/second-factor');
      const both = `${cookie}; second-factor=${waiting.cookie('second-factor')}`;
      await opens(
        await waiting.submit(form, { code: codeOf(secret) }, { headers: { cookie: both } }),
      );
    },
  );

  story('each log-in has a new id, and ends the session of the browser before it', async (open) => {
    const { register, site } = await open();
    const ada = await register('ada');
    for (const path of ['/login', '/login/again']) {
      const before = ada.cookie('sid');
      const form = await ada.get('/login/again');
      const answer = await ada.submit(form, { username: 'ada', password: PASSWORD });
      assert.equal(answer.status, 303, path);
      assert.notEqual(ada.cookie('sid'), before);
      const old = await site.handle(get('/account', { headers: { cookie: `sid=${before}` } }));
      assert.equal(old.status, 303);
    }
  });

  story(
    'every cookie is of this host alone, for no script, and not sent from other sites',
    async (open) => {
      const publicOrigin = 'https://site.example';
      const { site, codeOf, switchOn, linkOfMail } = await open({
        publicOrigin,
        site: { publicOrigin },
      });
      const always = { headers: { host: 'site.example' }, scheme: 'https' } as const;
      const lines: string[] = [];
      const heard = {
        handle: async (request: Parameters<typeof site.handle>[0]) => {
          const answer = await site.handle(request);
          lines.push(...[answer.headers['Set-Cookie'] ?? []].flat());
          return answer;
        },
      };
      const ada = createVisitor(heard, always);
      await ada.submit('/register', {
        username: 'ada',
        password: PASSWORD,
        passwordagain: PASSWORD,
      });
      await ada.submit('/account/email', { email: 'ada@example.org' });
      await ada.submit(linkOfMail(), {});
      const { secret } = await switchOn(ada);
      await ada.post('/logout');
      await ada.submit('/login/link', { email: 'ada@example.org' });
      await ada.submit(linkOfMail(), {});
      await ada.submit('/login/second-factor', { code: codeOf(secret), trust: 'on' });
      const names = new Set(lines.map((line) => line.slice(0, line.indexOf('='))));
      for (const cookie of ['sid', 'device', 'link', 'second-factor', 'trusted'])
        assert.ok(names.has(`__Host-${cookie}`), cookie);
      for (const line of lines)
        assert.match(line, /^__Host-.*; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
    },
  );

  for (const [path, fields] of [
    ['/account/second-factor/off', {}],
    ['/account/recovery-codes', {}],
    ['/account/email', { email: 'eve@example.org' }],
    ['/account/devices', { id: '' }],
    ['/account/delete', {}],
    ['/people', { to: 'eve@example.org', role: 'admin' }],
    ['/people/2', { role: 'admin', action: 'role' }],
    ['/people/2', { action: 'link' }],
  ] as const)
    story(
      `a form to ${path} with ${Object.keys(fields).join(', ') || 'a button'} that is held back until the session has ended does nothing`,
      async (open) => {
        const { register, switchOn, site, pass, mails, events, beginLogIn, codeOf } = await open();
        const owner = await register('ada');
        await register('bob', 'admin');
        const { secret } = await switchOn(owner);
        const thief = await beginLogIn('ada');
        await thief.submit('/login/second-factor', { code: codeOf(secret) });
        pass(STEP);
        const shown = hiddenFields(bodyText(await thief.get(path)));
        const [count, told] = [mails.length, events.length];
        const held = hold(thief, path, { ...shown, ...fields });
        const answer = site.handle(held.request);
        await held.isRead;
        await owner.submit('/account/password', {
          currentpassword: PASSWORD,
          newpassword: OTHER,
          newpasswordagain: OTHER,
        });
        held.release();
        const { status } = await answer;
        assert.ok(status === 401 || status === 403, `${status}`);
        assert.equal(mails.length, count, 'no mail');
        const kinds = events.slice(told).map(({ kind }) => kind);
        assert.deepEqual(kinds, ['password changed']);
        const again = await beginLogIn('ada').catch(() => null);
        assert.equal(again, null, 'only the new password logs in');
      },
    );

  story('a role that is taken away in the middle of a request is gone', async (open) => {
    const { register, site } = await open();
    const ada = await register('ada');
    const bob = await register('bob', 'admin');
    await register('eve', 'reader');
    for (const fields of [
      { role: 'admin', action: 'role' },
      { action: 'link' },
      { action: 'factors' },
      { action: 'disable' },
    ]) {
      await ada.submit('/people/2', { role: 'admin', action: 'role' });
      const shown = hiddenFields(bodyText(await bob.get('/people/3')));
      const held = hold(bob, '/people/3', { ...shown, ...fields });
      const answer = site.handle(held.request);
      await held.isRead;
      await ada.submit('/people/2', { role: 'reader', action: 'role' });
      held.release();
      assert.equal((await answer).status, 403);
    }
    assert.match(
      bodyText(await ada.get('/people/3')),
      /value="reader" (?:checked|selected)|selected[^>]*>reader|checked[^>]*value="reader"/,
    );
  });

  for (const [what, path, fields] of [
    ['demote each other', '/people/', { role: 'reader', action: 'role' }],
    ['disable each other', '/people/', { action: 'disable' }],
    ['delete themselves', '/account/delete', {}],
  ] as const)
    story(
      `of two administrators who ${what} at once, on two instances, one remains`,
      async (open) => {
        const one = await open();
        const other = await open({}, one.clock);
        const ada = await one.register('ada');
        await one.register('bob', 'admin');
        const bob = await logIn(other.site, 'bob', PASSWORD);
        const isOther = path === '/people/';
        const [first, second] = [isOther ? `${path}2` : path, isOther ? `${path}1` : path];
        const forms = [await ada.get(first), await bob.get(second)] as const;
        const answers = await Promise.all([
          ada.submit(forms[0], fields),
          bob.submit(forms[1], fields),
        ]);
        const statuses = answers.map(({ status }) => status).sort();
        assert.equal(statuses[0], 303);
        assert.ok([403, 409].includes(statuses[1] ?? 0), `${statuses}`);
        const people = [
          await logIn(one.site, 'ada', PASSWORD),
          await logIn(one.site, 'bob', PASSWORD),
        ];
        const pages = await Promise.all(people.map((person) => person.get('/people')));
        assert.equal(pages.filter(({ status }) => status === 200).length, 1);
      },
    );

  story('nobody below the highest role sees or changes people', async (open) => {
    const { register, site } = await open();
    const ada = await register('ada');
    const below = [
      createVisitor(site),
      await register('rea', 'reader'),
      await register('edd', 'editor'),
    ];
    for (const visitor of below)
      for (const { method, pattern } of site.routes) {
        if (!pattern.startsWith('/people') || pattern === '/people-only') continue;
        const path = pattern.replace(/:\w+(?:<\w+>)?/g, '1');
        const sent = { action: 'role', role: 'reader', to: 'a@example.org', id: 'x' };
        const { status } =
          method === 'GET' ? await visitor.get(path) : await visitor.post(path, sent);
        const isVisitor = visitor === below[0];
        assert.equal(status, isVisitor ? (method === 'GET' ? 303 : 401) : 403, `${method} ${path}`);
      }
    assert.equal((await ada.get('/people')).status, 200);
  });

  story('no form of accounts is taken from another site', async (open) => {
    const { register, site, events, mails } = await open();
    const ada = await register('ada');
    const before = events.length;
    for (const { method, pattern } of site.routes) {
      if (method !== 'POST') continue;
      const path = pattern.replace(/:\w+(?:<\w+>)?/g, '1');
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
        { 'sec-fetch-site': undefined, origin: 'null' },
      ]) {
        const answer = await ada.post(
          path,
          { action: 'disable', email: 'a@example.org' },
          { headers },
        );
        assert.equal(answer.status, 403, `${path} ${JSON.stringify(headers)}`);
      }
    }
    assert.deepEqual([events.length, mails.length], [before, 0]);
    assert.equal((await ada.get('/account')).status, 200);
  });

  story('no way to log in leads to another site, or back to the log-in', async (open) => {
    const { register, switchOn, codeOf, site, pass, linkOfMail } = await open();
    const ada = await register('ada');
    await ada.submit('/account/email', { email: 'ada@example.org' });
    await ada.submit(linkOfMail(), {});
    const { secret } = await switchOn(ada);
    for (const next of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      '/%5cevil.example/..//evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      'javascript:alert(1)',
      'evil.example',
      '/login',
      '/login?next=/login',
      '/login/second-factor',
      '/logout',
      '/login/../login',
      '\r\nLocation: https://evil.example',
      '',
    ]) {
      const query = `?next=${encodeURIComponent(next)}`;
      const visitor = createVisitor(site);
      const first = await visitor.submit(`/login${query}`, { username: 'ada', password: PASSWORD });
      const waiting = String(first.headers['Location']);
      assert.match(waiting, /^\/login\/second-factor(?:$|\?)/, next);
      const second = await visitor.submit(waiting, { code: codeOf(secret) });
      assert.match(
        String(second.headers['Location']),
        /^\/(?:$|%5cevil\.example)/,
        JSON.stringify(next),
      );
      pass(STEP);
      const shown = await visitor.get(`/login${query}`);
      assert.match(
        String(shown.headers['Location']),
        /^\/(?:$|%5cevil\.example)/,
        JSON.stringify(next),
      );
    }
  });

  story(
    'known, unknown and disabled accounts get the same answers, with the same work',
    async (open) => {
      const { register, site, linkOfMail, pass } = await open();
      const ada = await register('ada');
      for (const person of ['bob', 'eve']) {
        const visitor = await register(person, 'reader');
        await visitor.submit('/account/email', { email: `${person}@example.org` });
        await visitor.submit(linkOfMail(), {});
      }
      await ada.submit('/people/3', { action: 'disable' });
      pass(60 * MINUTE);
      let [hashes, statements] = [0, [] as string[]];
      const offs = [
        onEvent('work', () => {
          hashes++;
        }),
        onEvent('statement', ({ sql }) => statements.push(sql)),
      ];
      const ask = async (
        path: string,
        fields: Record<string, string>,
        typed: string,
        last: number,
      ) => {
        const visitor = createVisitor(site, { address: `198.51.100.${last}` });
        const form = await visitor.get(path);
        [hashes, statements] = [0, []];
        const { status, headers, body } = await visitor.submit(form, fields);
        const own = bodyText({ status, headers, body } as never)
          .replaceAll(typed, 'TYPED')
          .replace(/name="_once" value="[^"]*"/, '')
          // The state of the form is written with the letters of its key.
          .replace(/<select name="_page".*?<\/select>/s, '');
        const lines = String(headers['Set-Cookie'] ?? '').replace(/=[\w.-]+/, '=');
        return {
          status,
          location: headers['Location'],
          lines,
          own,
          hashes,
          statements: statements.length,
        };
      };
      const names = ['bob', 'eve', 'mia'];
      for (const path of ['/login', '/password/forgot', '/login/link']) {
        const answers: unknown[] = [];
        for (const [at, person] of names.entries()) {
          const typed = path === '/login' ? person : `${person}@example.org`;
          const fields =
            path === '/login' ? { username: typed, password: 'wrong' } : { email: typed };
          // The first request of each kind creates tables.
          if (at === 0) await ask(path, fields, typed, 9);
          answers.push(await ask(path, fields, typed, at + 1));
        }
        const [known, ...others] = answers as readonly { readonly hashes: number }[];
        assert.equal(known?.hashes, path === '/login' ? 1 : 0);
        for (const other of others) assert.deepEqual(other, known, path);
      }
      for (const off of offs) off();
    },
  );

  story(
    'with addresses for names, a registration does not tell known from unknown ones',
    async (open) => {
      const { site, linkOfMail } = await open({ names: 'email', registration: 'open' });
      const ada = createVisitor(site);
      await ada.submit('/register/address', { email: 'ada@example.org' });
      await ada.submit(linkOfMail(), { password: PASSWORD, passwordagain: PASSWORD });
      let statements = 0;
      const off = onEvent('statement', () => {
        statements++;
      });
      const answers: unknown[] = [];
      for (const email of ['ada@example.org', 'mia@example.org']) {
        const visitor = createVisitor(site);
        const form = await visitor.get('/register/address');
        statements = 0;
        const { status, headers, body } = await visitor.submit(form, { email });
        answers.push({ status, location: headers['Location'], body, statements });
      }
      off();
      assert.deepEqual(answers[0], answers[1]);
    },
  );

  story('no text that is typed or forged is an error of the site', async (open) => {
    const { register, site, linkOfMail, accounts } = await open();
    const ada = await register('ada');
    await ada.submit('/account/email', { email: 'ada@example.org' });
    const confirm = linkOfMail();
    const texts = [
      '\0',
      'a\0b',
      '\ud800',
      '\u202eada',
      'A'.repeat(300),
      'A'.repeat(40_000),
      '🙂'.repeat(50),
      "' or 1=1 --",
      '\r\nX: 1',
      'ａｄａ',
      'ada\u200b',
      'аdа',
      '%00',
      '../../etc',
      '{}',
      'Infinity',
      '-1',
      '9'.repeat(30),
    ];
    const invitation = await accounts.invite('reader');
    const paths = site.routes
      .filter(({ method }) => method === 'POST')
      .map(({ pattern }) => pattern.replace(/:\w+(?:<\w+>)?/g, '2'));
    for (const text of texts) {
      const fields = Object.fromEntries(
        [
          'username',
          'password',
          'passwordagain',
          'email',
          'to',
          'role',
          'action',
          'id',
          'code',
          'secret',
          'codes',
          'token',
          'currentpassword',
          'newpassword',
          'newpasswordagain',
          'note',
          '_once',
        ].map((key) => [key, text]),
      );
      for (const path of [
        ...paths,
        invitation,
        confirm,
        `/password/new?token=${encodeURIComponent(text.toWellFormed())}`,
      ]) {
        if (path === '/logout') continue;
        const sender = path === invitation ? createVisitor(site) : ada;
        const { status } = await sender.post(path, fields);
        assert.ok(status < 500, `${path} ${JSON.stringify(text.slice(0, 20))}: ${status}`);
      }
      const cookie = ['sid', 'device', 'trusted', 'second-factor', 'link']
        .map((key) => `${key}=${encodeURIComponent(text.toWellFormed()).slice(0, 2_000)}`)
        .join('; ');
      for (const path of [
        '/',
        '/login/second-factor',
        '/login',
        `/people/${encodeURIComponent(text.toWellFormed()).slice(0, 500)}`,
      ]) {
        const { status } = await site.handle(get(path, { headers: { cookie } }));
        assert.ok(status < 500, `${path} ${JSON.stringify(text.slice(0, 20))}: ${status}`);
      }
      const typed = await site.handle(
        post('/login', { username: text, password: text }, { headers: { cookie } }),
      );
      assert.ok(typed.status < 500);
    }
  });

  story('names that look like a name of another are refused, or the same name', async (open) => {
    const { register, site, accounts } = await open();
    await register('ada');
    for (const username of [
      'ADA',
      'Ada',
      'аda',
      'ada\u0301',
      'ａｄａ',
      'a da',
      'ada@example.org',
      'ada\u200d',
      'ada\u202e',
      '<b>ada</b>',
    ]) {
      const eve = createVisitor(site);
      const sent = { username, password: PASSWORD, passwordagain: `${PASSWORD} ` };
      const answer = await eve.submit(await accounts.invite('reader'), {
        ...sent,
        passwordagain: PASSWORD,
      });
      // The same name and password log in to that account: nobody else gets it.
      const shown = bodyText(await eve.get('/'));
      assert.ok(answer.status === 400 || /Hello, ada\./.test(shown), username);
    }
  });

  for (const kept of ['sealed', 'plain'] as const)
    story(
      `no password, code, token or typed name is stored, logged or sent to anybody else (${kept})`,
      async (open, openDatabase) => {
        const lines: string[] = [];
        const {
          register,
          switchOn,
          site,
          mails,
          events,
          beginLogIn,
          codeOf,
          accounts,
          linkOfMail,
          pass,
        } = await open({
          ...(kept === 'plain' ? { secrets: [null] as never } : {}),
          site: { log: { write: (line: string) => lines.push(line) } },
        });
        const ada = await register('ada');
        const { secret, codes } = await switchOn(ada);
        await ada.submit('/account/email', { email: 'ada@example.org' });
        const confirm = linkOfMail();
        await ada.submit(confirm, {});
        const invitation = await accounts.invite('reader');
        // A form with secrets that is refused for lack of a recent log-in.
        const bob = await register('bob', 'reader');
        const page = await bob.get('/account/second-factor');
        const [, key = ''] = /<code>([A-Z2-7 ]{32,})<\/code>/.exec(bodyText(page)) ?? [];
        const bobs = [...bodyText(page).matchAll(/<li><code>([A-Z-]+)<\/code>/g)].map(
          ([, one = '']) => one,
        );
        pass(20 * MINUTE);
        const parked = await bob.submit(page, { code: codeOf(key.replaceAll(' ', '')) });
        assert.equal(parked.status, 401);
        const wrong = await createVisitor(site).submit('/login', {
          username: 'a-typed-name',
          password: 'a-wrong-password',
        });
        assert.equal(wrong.status, 401);
        const begun = await beginLogIn('ada');
        const code = codeOf(secret);
        await begun.submit('/login/second-factor', { code });
        const waiting = await beginLogIn('ada');
        const used = codes[0] ?? '';
        await waiting.submit('/login/recovery-code', { code: used });
        const tokens = [confirm, invitation].map((path) => path.split('token=')[1] ?? '');
        const cookies = ['sid', 'device', 'second-factor'].flatMap((one) =>
          [begun.cookie(one) ?? [], waiting.cookie(one) ?? []].flat(),
        );
        const secrets = [
          PASSWORD,
          'a-wrong-password',
          'a-typed-name',
          // Without a key, it has to be stored as it is.
          ...(kept === 'plain' ? [] : [secret]),
          ...codes,
          ...bobs,
          key.replaceAll(' ', ''),
          ...tokens,
          ...cookies,
        ].filter((one) => one !== '');
        const database = await openDatabase();
        const tables = [
          ...Object.values(TABLES),
          'seeother_account_devices',
          'seeother_failed_attempts',
          'seeother_receipts',
          'seeother_values',
        ];
        const stored: string[] = [];
        for (const table of tables) {
          const { rows } = await database.read
            .run(`select * from ${table}`)
            .catch(() => ({ rows: [] }));
          stored.push(JSON.stringify(rows));
        }
        const shown = bodyText(parked);
        const told = JSON.stringify(events.map(({ kind, detail }) => [kind, detail]));
        for (const one of secrets) {
          // Only the throttle has it, for some minutes.
          const isTyped = one === 'a-typed-name';
          const places = isTyped ? stored.filter((rows) => !rows.includes('"subject"')) : stored;
          assert.ok(!places.join('\n').includes(one), `stored: ${one}`);
          assert.ok(!lines.join('\n').includes(one), `logged: ${one}`);
          assert.ok(!told.includes(one), `an event: ${one}`);
          const isLink = tokens.includes(one);
          assert.ok(isLink || !JSON.stringify(mails).includes(one), `a mail: ${one}`);
          assert.ok(!shown.includes(one), `the page of a refused form: ${one}`);
        }
        assert.ok(stored.join('').length > 1_000);
      },
    );

  story(
    'an account that is deleted leaves nothing that logs in, and no device',
    async (open, openDatabase) => {
      const { register, switchOn, beginLogIn, codeOf } = await open();
      await register('ada');
      const { secret } = await switchOn(await register('bob', 'reader'));
      const bob = await beginLogIn('bob');
      await bob.submit('/login/second-factor', { code: codeOf(secret), trust: 'on' });
      const gone = await bob.submit('/account/delete', {});
      assert.equal(gone.status, 303);
      const database = await openDatabase();
      for (const table of [
        TABLES.sessions,
        TABLES.tokens,
        TABLES.passkeys,
        TABLES.identities,
        'seeother_account_devices',
      ]) {
        const { rows } = await database.read.run(`select * from ${table} where account_id = 2`);
        assert.deepEqual(rows, [], table);
      }
      assert.equal(
        (await bob.submit('/login', { username: 'bob', password: PASSWORD })).status,
        401,
      );
    },
  );

  story('a session of one account deletes, names and ends nothing of another', async (open) => {
    const { register, site } = await open();
    await register('ada');
    const bob = await register('bob', 'reader');
    const eve = await register('eve', 'reader');
    const list = bodyText(await bob.get('/account/devices'));
    const [, id = ''] = /href="\/account\/devices\?id=(\w+)"/.exec(list) ?? [];
    await eve.post('/account/devices', {
      ...hiddenFields(bodyText(await eve.get('/account/devices'))),
      id,
    });
    // The form that bob has opened, sent from the session of eve.
    const form = hiddenFields(bodyText(await bob.get('/account/delete')));
    const cookie = `sid=${eve.cookie('sid')}`;
    const sent = await site.handle(post('/account/delete', form, { headers: { cookie } }));
    assert.equal(sent.status, 409);
    for (const visitor of [bob, eve]) assert.equal((await visitor.get('/account')).status, 200);
    // What names another account in a field or the query.
    for (const extra of ['?id=1', '?account=1&user=ada'])
      await eve.post(`/account/password${extra}`, {
        id: '1',
        username: 'ada',
        currentpassword: 'x',
        newpassword: OTHER,
        newpasswordagain: OTHER,
      });
    assert.equal((await logIn(site, 'ada', PASSWORD)).cookie('sid') !== null, true);
  });

  story('a stolen session guesses the current password ten times', async (open) => {
    const { register, site } = await open();
    const ada = await register('ada');
    const thief = createVisitor(site, {
      headers: { cookie: `sid=${ada.cookie('sid')}` },
      address: '203.0.113.1',
    });
    const statuses: number[] = [];
    for (let count = 0; count < 12; count++) {
      const words = {
        currentpassword: `guess ${count}`,
        newpassword: OTHER,
        newpasswordagain: OTHER,
      };
      statuses.push((await thief.submit('/account/password', words)).status);
    }
    assert.deepEqual(statuses, [...Array(10).fill(400), 429, 429]);
  });

  story(
    'log-ins are guessed ten times for an account and from a network, also at once',
    async (open) => {
      const { register, site, pass } = await open();
      await register('ada');
      const guess = (username: string, address: string, password = 'wrong') =>
        createVisitor(site, { address }).post('/login', { username, password });
      const many = await Promise.all(
        Array.from({ length: 15 }, (_, last) => guess('ada', `198.51.100.${last}`)),
      );
      assert.equal(many.filter(({ status }) => status === 401).length, 10);
      assert.equal((await guess('ada', '203.0.113.1', PASSWORD)).status, 429);
      // The address of the account is the same account.
      assert.equal((await guess('ADA', '203.0.113.2', PASSWORD)).status, 429);
      pass(3 * MINUTE);
      const spread: number[] = [];
      for (let count = 0; count < 12; count++)
        spread.push((await guess(`person${count}`, `2001:db8::${count + 1}`)).status);
      assert.deepEqual(spread, [...Array(10).fill(401), 429, 429]);
      assert.equal((await guess('ada', '2001:db8:9::1', PASSWORD)).status, 303);
    },
  );

  story(
    'the security log has nothing that a visitor made up, and refused attempts do not fill it',
    async (open, openDatabase) => {
      const { register, site } = await open();
      await register('ada');
      const agent = `<script>alert(1)</script>${'A'.repeat(500)}`;
      for (let count = 0; count < 30; count++)
        await createVisitor(site, { headers: { 'user-agent': agent } }).post('/login', {
          username: 'ada\r\n2026-01-01 logged in',
          password: 'x',
        });
      const database = await openDatabase();
      const { rows } = await database.read.run<{
        readonly agent: string;
        readonly detail: string;
        readonly account_id: unknown;
      }>(`select * from ${TABLES.events} where kind = 'log-in failed'`);
      assert.equal(rows.length, 10);
      for (const row of rows)
        assert.deepEqual([row.detail, row.account_id, row.agent.length], ['', null, 200]);
    },
  );
}

async function logIn(
  site: Parameters<typeof createVisitor>[0],
  username: string,
  password: string,
) {
  const visitor = createVisitor(site);
  await visitor.submit('/login', { username, password });
  return visitor;
}

/** A form whose head has arrived, and whose body is held back. */
function hold(visitor: Visitor, path: string, fields: Record<string, string>) {
  const bytes = new TextEncoder().encode(encodeFields(fields));
  const read = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const body = (async function* () {
    read.resolve();
    await gate.promise;
    yield bytes;
  })();
  const request = createRequest({
    method: 'POST',
    target: `${path}?send`,
    headers: {
      host: 'localhost',
      accept: 'text/html',
      'sec-fetch-site': 'same-origin',
      cookie: `sid=${visitor.cookie('sid')}`,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(bytes.byteLength),
    },
    body,
  });
  return { request, isRead: read.promise, release: () => gate.resolve() };
}

type OpenDatabase = Awaited<ReturnType<OpenInstances>>;
type Open = (given?: Given, clock?: Clock) => Promise<ReturnType<typeof createFactorSite>>;
