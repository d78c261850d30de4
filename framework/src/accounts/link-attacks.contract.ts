/** Ways to get in by links, mails and registrations, each refused, on each engine: docs/security/attacks.md. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { onEvent } from '../events/events.ts';
import type { Application } from '../server/application.ts';
import { request } from '../testing/make-request.ts';
import { bodyText, createVisitor, type Visitor } from '../testing/visitor.ts';
import { type Given, PASSWORD } from './accounts-site.fixture.ts';
import { type Clock, createFactorSite } from './factor-site.fixture.ts';
import type { OpenInstances } from './second-factor-attacks.contract.ts';

const OTHER = 'quite another password';
const NEW = { password: 'a third password of nobody', passwordagain: 'a third password of nobody' };
const MINUTE = 60_000;

export function describeLinkAttacks(name: string, openInstances: OpenInstances): void {
  const story = (what: string, tell: (open: Open) => Promise<void>) =>
    test(`${name}: ${what}`, async (t) => {
      const openDatabase = await openInstances(t);
      await tell(async (given, clock) => createFactorSite(await openDatabase(), given, clock));
    });

  story('a scanner that opens each link of a mail uses none up', async (open) => {
    const { register, site, linkOfMail, accounts, mails } = await open();
    const ada = await register('ada');
    const scan = async (link: string) => {
      const scanner = createVisitor(site, { address: '203.0.113.1' });
      for (const _ of [1, 2]) {
        await scanner.get(link);
        await site.handle(request('HEAD', link, null));
      }
    };
    await ada.submit('/account/email', { email: 'ada@example.org' });
    await scan(linkOfMail());
    assert.equal((await ada.submit(linkOfMail(), {})).status, 303);
    const count = mails.length;
    await ada.submit('/login/link', { email: 'ada@example.org' });
    await scan(linkOfMail());
    assert.equal((await ada.submit(linkOfMail(), {})).headers['Location'], '/');
    await ada.submit('/password/forgot', { email: 'ada@example.org' });
    await scan(linkOfMail());
    assert.equal((await ada.submit(linkOfMail(), NEW)).headers['Location'], '/');
    assert.equal(mails.length, count + 3, 'the last one tells of the new password');
    const invitation = await accounts.invite('editor');
    await scan(invitation);
    const fields = { username: 'bob', password: PASSWORD, passwordagain: PASSWORD };
    assert.equal((await createVisitor(site).submit(invitation, fields)).status, 303);
  });

  story(
    'of two people at once with one invitation, on two instances, one gets an account',
    async (open) => {
      const one = await open();
      const other = await open({}, one.clock);
      await one.register('ada');
      const invitation = await one.accounts.invite('editor');
      const answers = await registerAtOnce([one, other], invitation);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 403]);
      const late = await createVisitor(one.site).get(invitation);
      assert.equal(late.status, 403);
    },
  );

  story(
    'of two first registrations at once, on two instances, one is the administrator',
    async (open) => {
      const one = await open();
      const other = await open({}, one.clock);
      const answers = await registerAtOnce([one, other], '/register');
      assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 403]);
    },
  );

  story(
    'no field of a form gives a role, an address or an account to who registers',
    async (open) => {
      const { register, site, accounts } = await open();
      const ada = await register('ada');
      const eve = createVisitor(site);
      const sent = { username: 'eve', password: PASSWORD, passwordagain: PASSWORD };
      const more = {
        role: 'admin',
        email: 'ada@example.org',
        id: '1',
        version: '9',
        token: 'x',
        second_factor: '1',
      };
      const path = `${await accounts.invite('reader')}&role=admin&email=ada%40example.org`;
      assert.equal((await eve.submit(path, { ...sent, ...more })).status, 303);
      assert.equal((await eve.get('/people')).status, 403);
      assert.equal((await eve.get('/people-only')).status, 403);
      const shown = bodyText(await ada.get('/people/2'));
      assert.doesNotMatch(shown, /ada@example\.org/);
    },
  );

  story(
    'a mail from before the first account opens nothing once the site is closed',
    async (open) => {
      const { site, linkOfMail } = await open({ names: 'email' });
      const eve = createVisitor(site);
      await eve.submit('/register/address', { email: 'eve@example.org' });
      const early = linkOfMail();
      const ada = createVisitor(site);
      await ada.submit('/register/address', { email: 'ada@example.org' });
      assert.equal(
        (await ada.submit(linkOfMail(), { password: PASSWORD, passwordagain: PASSWORD })).status,
        303,
      );
      assert.equal((await eve.get(early)).status, 403);
      const form = { username: 'eve@example.org', password: PASSWORD, passwordagain: PASSWORD };
      assert.equal((await eve.post(early, form)).status, 403);
      assert.equal(
        (await eve.submit('/login', { username: 'eve@example.org', password: PASSWORD })).status,
        401,
      );
    },
  );

  story(
    'an invitation without an address gives nobody the address of another for a name',
    async (open) => {
      const { site, linkOfMail, accounts } = await open({ names: 'email' });
      const ada = createVisitor(site);
      await ada.submit('/register/address', { email: 'ada@example.org' });
      await ada.submit(linkOfMail(), { password: PASSWORD, passwordagain: PASSWORD });
      const invitation = await accounts.invite('editor');
      const eve = createVisitor(site);
      const sent = { password: PASSWORD, passwordagain: PASSWORD };
      const answer = await eve.post(invitation, { ...sent, username: 'boss@example.org' });
      assert.equal(answer.status, 403);
      assert.match(bodyText(await eve.get('/')), /Hello, visitor/);
      // The address is confirmed first; the role is that of the invitation.
      const form = await eve.follow(await eve.get(invitation));
      await eve.submit(form, { email: 'eve@example.org' });
      assert.equal((await eve.submit(linkOfMail(), sent)).status, 303);
      assert.equal((await eve.get('/people-only')).status, 200);
      assert.match(bodyText(await eve.get('/')), /Hello, eve@example\.org/);
      // It was used by that.
      assert.equal((await createVisitor(site).get(invitation)).status, 403);
    },
  );

  story('a newer link makes the earlier one useless, of each kind', async (open) => {
    const { register, site, linkOfMail } = await open();
    const ada = await register('ada');
    const ask = async (path: string, email: string) => {
      await ada.submit(path, { email });
      return linkOfMail();
    };
    const first = await ask('/account/email', 'first@example.org');
    const second = await ask('/account/email', 'ada@example.org');
    assert.equal((await ada.get(first)).status, 404);
    assert.equal((await ada.submit(second, {})).status, 303);
    for (const path of ['/login/link', '/password/forgot']) {
      const earlier = await ask(path, 'ada@example.org');
      const newer = await ask(path, 'ada@example.org');
      assert.equal((await ada.get(earlier)).status, 404, path);
      assert.equal((await ada.post(earlier, NEW)).status, 404, path);
      assert.equal((await ada.get(newer)).status, 200, path);
    }
    assert.equal((await createVisitor(site).get('/password/new?token=')).status, 404);
  });

  story('each link works for its time alone', async (open) => {
    const { register, site, linkOfMail, accounts, pass } = await open();
    const ada = await register('ada');
    await ada.submit('/account/email', { email: 'ada@example.org' });
    await ada.submit(linkOfMail(), {});
    const links: [string, number, number][] = [[await accounts.invite('reader'), 7 * 24 * 60, 403]];
    for (const [path, minutes] of [
      ['/login/link', 10],
      ['/password/forgot', 60],
      ['/account/email', 24 * 60],
    ] as const) {
      await ada.submit(path, {
        email: path === '/account/email' ? 'new@example.org' : 'ada@example.org',
      });
      links.push([linkOfMail(), minutes, 404]);
    }
    const visitor = createVisitor(site, { headers: { cookie: `link=${ada.cookie('link')}` } });
    let passed = 0;
    for (const [link, minutes, gone] of links.sort(([, one], [, other]) => one - other)) {
      pass((minutes - passed) * MINUTE - 1);
      assert.equal((await visitor.get(link)).status, 200, link);
      pass(1);
      assert.equal((await visitor.get(link)).status, gone, link);
      passed = minutes;
    }
  });

  const CHANGES: readonly (readonly [string, (one: Attacked) => Promise<unknown>])[] = [
    [
      'a new password',
      ({ ada }) =>
        ada.submit('/account/password', {
          currentpassword: PASSWORD,
          newpassword: OTHER,
          newpasswordagain: OTHER,
        }),
    ],
    [
      'another address',
      async ({ ada, linkOfMail }) => {
        await ada.submit('/account/email', { email: 'new@example.org' });
        assert.equal((await ada.submit(linkOfMail(), {})).status, 303);
      },
    ],
    [
      'an account that was disabled, and enabled again',
      async ({ register, ada }) => {
        const bob = await register('bob', 'admin');
        assert.equal((await bob.submit('/people/1', { action: 'disable' })).status, 303);
        assert.equal((await bob.submit('/people/1', { action: 'enable' })).status, 303);
        assert.match(bodyText(await ada.get('/')), /Hello, visitor/);
      },
    ],
    [
      'a password that a terminal has ended',
      ({ accounts }) => accounts.command(['password', 'ada']),
    ],
  ];
  for (const [what, change] of CHANGES)
    story(`no link of a mail works after ${what}`, async (open) => {
      const one = await open();
      const { register, linkOfMail, site } = one;
      const ada = await register('ada');
      await ada.submit('/account/email', { email: 'ada@example.org' });
      await ada.submit(linkOfMail(), {});
      const thief = createVisitor(site);
      await thief.submit('/password/forgot', { email: 'ada@example.org' });
      const reset = linkOfMail();
      await thief.submit('/login/link', { email: 'ada@example.org' });
      const logIn = linkOfMail();
      // By a session that was stolen: with the address, one asks for a new password.
      await ada.submit('/account/email', { email: 'mallory@example.org' });
      const address = linkOfMail();
      await change({ ...one, ada });
      for (const link of [reset, logIn, address]) {
        assert.equal((await thief.get(link)).status, 404, link);
        assert.equal((await thief.post(link, { ...NEW, username: 'ada' })).status, 404, link);
      }
      assert.match(bodyText(await thief.get('/')), /Hello, visitor/);
    });

  story('a disabled account gets no link, and its earlier ones open nothing', async (open) => {
    const { register, linkOfMail, site, mails } = await open();
    const ada = await register('ada');
    const bob = await register('bob', 'editor');
    await bob.submit('/account/email', { email: 'bob@example.org' });
    await bob.submit(linkOfMail(), {});
    await bob.submit('/account/email', { email: 'new@example.org' });
    const confirm = linkOfMail();
    const thief = createVisitor(site);
    await thief.submit('/password/forgot', { email: 'bob@example.org' });
    const reset = linkOfMail();
    await ada.submit('/people/2', { action: 'disable' });
    for (const link of [reset, confirm]) assert.equal((await thief.get(link)).status, 404);
    assert.equal((await thief.post(reset, { ...NEW, username: 'bob' })).status, 404);
    assert.equal((await thief.post(confirm, {})).status, 404);
    await thief.submit('/login/link', { email: 'bob@example.org' });
    assert.match(mails.at(-1)?.text ?? '', /no account/);
  });

  for (const [what, change] of [
    [
      'a new password of its maker',
      ({ bob }: Former) =>
        bob.submit('/account/password', {
          ...{ currentpassword: PASSWORD, newpassword: OTHER, newpasswordagain: OTHER },
        }),
    ],
    [
      'a reset of its password',
      async ({ accounts, site }: Former) => {
        const said = await accounts.command(['password', 'bob']);
        const [link = ''] = /\/password\/new\?token=[\w-]+/.exec(said) ?? [];
        return createVisitor(site).submit(link, NEW);
      },
    ],
    [
      'the end of its role',
      ({ ada }: Former) => ada.submit('/people/2', { action: 'role', role: 'editor' }),
    ],
    ['the end of its log-ins', ({ ada }: Former) => ada.submit('/people/2', { action: 'disable' })],
    ['its own end', ({ bob }: Former) => bob.submit('/account/delete', {})],
  ] as const)
    story(
      `an invitation and a link that an administrator made open nothing after ${what}`,
      async (open) => {
        const one = await open();
        const { accounts, linkOfMail, register, site } = one;
        const ada = await register('ada');
        const bob = await register('bob', 'admin');
        await register('carol', 'editor');
        const invite = async (by: Visitor, to: string) => {
          await by.submit('/people', { to, role: 'admin' });
          return linkOfMail();
        };
        const ofAda = await invite(ada, 'dan@example.org');
        const ofBob = await invite(bob, 'eve@example.org');
        const shown = await bob.follow(await bob.submit('/people/3', { action: 'link' }));
        const [reset = ''] = /\/password\/new\?token=[\w-]+/.exec(bodyText(shown)) ?? [];
        const eve = createVisitor(site);
        const form = await eve.get(ofBob);
        assert.equal(form.status, 200);
        assert.equal((await eve.get(reset)).status, 200);
        assert.equal((await change({ accounts, site, ada, bob })).status, 303);
        const fields = { username: 'eve', password: PASSWORD, passwordagain: PASSWORD };
        assert.equal((await eve.submit(form, fields)).status, 403);
        assert.equal((await eve.get(ofBob)).status, 403);
        assert.equal((await eve.get(reset)).status, 404);
        assert.equal((await eve.post(reset, { ...NEW, username: 'carol' })).status, 404);
        assert.match(bodyText(await eve.get('/')), /Hello, visitor/);
        assert.equal((await eve.get(ofAda)).status, 200);
      },
    );

  story('a link to log in opens in no other browser, whatever cookie that has', async (open) => {
    const { register, linkOfMail, site } = await open();
    const ada = await register('ada');
    await ada.submit('/account/email', { email: 'ada@example.org' });
    await ada.submit(linkOfMail(), {});
    const asking = createVisitor(site);
    await asking.submit('/login/link', { email: 'ada@example.org' });
    const link = linkOfMail();
    const another = createVisitor(site);
    await another.submit('/login/link', { email: 'nobody@example.org' });
    for (const thief of [
      createVisitor(site),
      another,
      createVisitor(site, { headers: { cookie: 'link=' } }),
    ]) {
      assert.equal((await thief.get(link)).status, 403);
      assert.equal((await thief.post(link)).status, 403);
      assert.match(bodyText(await thief.get('/')), /Hello, visitor/);
    }
    assert.equal((await asking.submit(link, {})).headers['Location'], '/', 'it was not used up');
  });

  story(
    'of two requests for a link at once, on two instances, the second replaces the first',
    async (open) => {
      const links: string[] = [];
      // Each transaction is open until the other one has begun.
      const given: Given = {
        mail: async (transaction, { text }) => {
          await setTimeout(100);
          const link = /^https?:\/\/[^/]+(\/\S+)$/m.exec(text)?.[1] ?? '';
          transaction.onCommit(() => {
            links.push(link);
          });
        },
      };
      const one = await open(given);
      const other = await open(given, one.clock);
      const ada = await one.register('ada');
      await ada.submit('/account/email', { email: 'ada@example.org' });
      // There, so that it is connected.
      await createVisitor(other.site).submit(links.pop() ?? '', {});
      const browsers = [one, other].map(({ site }) => createVisitor(site));
      for (const path of ['/password/forgot', '/login/link']) {
        const pages = await Promise.all(browsers.map((browser) => browser.get(path)));
        await Promise.all(
          browsers.map((browser, at) =>
            browser.submit(pages[at] ?? path, { email: 'ada@example.org' }),
          ),
        );
        const sent = links.splice(0);
        assert.equal(sent.length, 2);
        const shown = await Promise.all(sent.map((link) => createVisitor(one.site).get(link)));
        assert.equal(shown.filter(({ status }) => status === 404).length, 1, path);
      }
    },
  );

  story(
    'of two accounts that confirm one address at once, on two instances, one gets it',
    async (open) => {
      const one = await open();
      const other = await open({}, one.clock);
      const ada = await one.register('ada');
      const bob = await one.register('bob', 'editor');
      const links: string[] = [];
      for (const person of [ada, bob]) {
        await person.submit('/account/email', { email: 'same@example.org' });
        links.push(one.linkOfMail());
      }
      const sites = [one.site, other.site];
      const forms = sites.map((site) => createVisitor(site));
      const pages = await Promise.all(forms.map((visitor, at) => visitor.get(links[at] ?? '')));
      const answers = await Promise.all(
        forms.map((visitor, at) => visitor.submit(pages[at] ?? '', {})),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404]);
    },
  );

  story('the address of another account is not taken over, in no spelling', async (open) => {
    const { register, linkOfMail, mails, site } = await open();
    const ada = await register('ada');
    await ada.submit('/account/email', { email: 'ada@example.org' });
    await ada.submit(linkOfMail(), {});
    const eve = await register('eve', 'reader');
    for (const email of ['ADA@example.org', 'ada@EXAMPLE.org', 'ada@example.org']) {
      const sent = await eve.submit('/account/email', { email });
      assert.equal(sent.headers['Location'], '/mail-sent', 'it does not say that it is known');
      assert.equal((await eve.submit(linkOfMail(), {})).status, 404);
    }
    await createVisitor(site).submit('/password/forgot', { email: 'Ada@Example.org' });
    assert.equal(mails.at(-1)?.to, 'ada@example.org', 'the mail goes to the stored address');
    const form = bodyText(await createVisitor(site).get(linkOfMail()));
    assert.match(form, /ada/);
  });

  story('nothing typed becomes a header of a mail, or a second recipient', async (open) => {
    const { register, mails } = await open();
    const ada = await register('ada');
    const count = mails.length;
    for (const email of [
      'a@example.org\r\nBcc: all@example.org',
      'a@example.org,b@example.org',
      'a@example.org b@example.org',
      '"a b"@example.org',
      '<a@example.org>',
      'a@example.org\0',
      'a@example',
    ]) {
      const answer = await ada.submit('/account/email', { email });
      assert.equal(answer.status, 400, JSON.stringify(email));
      assert.equal((await ada.submit('/people', { to: email, role: 'reader' })).status, 400);
    }
    assert.equal(mails.length, count);
  });

  story(
    'an address gets five mails in a quarter of an hour, and its owner still gets one',
    async (open) => {
      const { register, linkOfMail, site, mails, pass, events } = await open();
      const ada = await register('ada');
      await ada.submit('/account/email', { email: 'ada@example.org' });
      await ada.submit(linkOfMail(), {});
      await ada.post('/logout');
      pass(15 * MINUTE);
      const before = mails.length;
      const statuses: number[] = [];
      for (let count = 0; count < 7; count++) {
        const thief = createVisitor(site, { address: `198.51.100.${count}` });
        const path = count % 2 === 0 ? '/password/forgot' : '/login/link';
        statuses.push((await thief.submit(path, { email: 'Ada@example.org' })).status);
      }
      assert.deepEqual(statuses, [303, 303, 303, 303, 303, 429, 429]);
      assert.equal(mails.length, before + 5);
      // In the browser in which she has logged in before.
      const own = await ada.submit('/password/forgot', { email: 'ada@example.org' });
      assert.equal(own.headers['Location'], '/mail-sent');
      assert.equal(mails.length, before + 6);
      // It is no failure of hers, and no event of her log.
      assert.deepEqual(
        events.filter(({ kind }) => kind.includes('failed')),
        [],
      );
    },
  );

  story(
    'a network sends thirty mails in a quarter of an hour, to however many addresses',
    async (open) => {
      const { register, site, mails } = await open();
      await register('ada');
      const thief = createVisitor(site, { address: '2001:db8::1' });
      const statuses: number[] = [];
      for (let count = 0; count < 32; count++) {
        const { status } = await thief.submit('/password/forgot', {
          email: `p${count}@example.org`,
        });
        statuses.push(status);
      }
      assert.deepEqual([statuses.indexOf(429), mails.length], [30, 30]);
    },
  );

  story('a network opens twenty accounts in an hour', async (open) => {
    const { site } = await open({ registration: 'open' });
    const statuses: number[] = [];
    for (let count = 0; count < 22; count++) {
      const visitor = createVisitor(site, { address: `2001:db8::${count + 1}` });
      const fields = { username: `robot${count}`, password: PASSWORD, passwordagain: PASSWORD };
      statuses.push((await visitor.submit('/register', fields)).status);
    }
    assert.deepEqual(statuses, [...Array(20).fill(303), 429, 429]);
    const elsewhere = createVisitor(site, { address: '2001:db8:1::1' });
    const fields = { username: 'human', password: PASSWORD, passwordagain: PASSWORD };
    assert.equal((await elsewhere.submit('/register', fields)).status, 303);
  });

  story('the links of mails lead to this site, whatever Host the request names', async (open) => {
    const publicOrigin = 'https://site.example';
    // The site itself takes any Host over https.
    const { site, mails } = await open({ publicOrigin });
    const own = { headers: { host: 'site.example' }, scheme: 'https' } as const;
    const ada = createVisitor(site, own);
    const fields = { username: 'ada', password: PASSWORD, passwordagain: PASSWORD };
    assert.equal((await ada.submit('/register', fields)).status, 303);
    await ada.submit('/account/email', { email: 'ada@example.org' });
    for (const forged of [
      { host: 'evil.example' },
      { 'x-forwarded-host': 'evil.example' },
      { forwarded: 'host=evil.example' },
    ]) {
      const evil = createVisitor(site, { ...own, headers: { ...own.headers, ...forged } });
      const asked = await evil.submit('/password/forgot', { email: 'ada@example.org' });
      assert.equal(asked.status, 303);
    }
    assert.equal(mails.length, 4);
    for (const { subject, text } of mails) {
      assert.doesNotMatch(subject + text, /evil/);
      for (const [link] of text.matchAll(/https?:\S+/g))
        assert.ok(link.startsWith(publicOrigin), link);
    }
  });

  story('without an origin, a request for another host gets no mail sent', async (open) => {
    const { register, site, mails } = await open();
    await register('ada');
    for (const [host, scheme] of [
      ['evil.example', 'http'],
      ['evil.example', 'https'],
      ['203.0.113.66', 'http'],
      ['[2001:db8::66]:8080', 'https'],
      ['localhost.evil.example', 'https'],
    ] as const) {
      const evil = createVisitor(site, { headers: { host }, scheme });
      for (const path of ['/password/forgot', '/login/link']) {
        const answer = await evil.post(path, { email: `ada@${scheme}${host.length}.example.org` });
        assert.equal(answer.status, 421, host);
      }
    }
    assert.equal(mails.length, 0);
  });

  story('the page behind a link is in no cache, and its address in no Referer', async (open) => {
    const { register, linkOfMail, accounts, site } = await open();
    const ada = await register('ada');
    const links = [await accounts.invite('editor')];
    await ada.submit('/account/email', { email: 'ada@example.org' });
    links.push(linkOfMail());
    await ada.submit(linkOfMail(), {});
    for (const path of ['/password/forgot', '/login/link']) {
      await ada.submit(path, { email: 'ada@example.org' });
      links.push(linkOfMail());
    }
    links.push('/password/new?token=gone', '/people', '/people/1');
    const visits = [ada, createVisitor(site)].flatMap((one) =>
      links.map((link) => [one, link] as const),
    );
    for (const [visitor, link] of visits) {
      const { headers, status } = await visitor.get(link);
      if (status === 303) continue;
      assert.ok([200, 403, 404, 409].includes(status), link);
      assert.equal(headers['Cache-Control'], 'no-store', link);
      assert.match(
        String(headers['Referrer-Policy']),
        /^(?:strict-origin|same-origin|no-referrer)$/,
        link,
      );
    }
    const secrets = await ada.get('/account/second-factor');
    assert.equal(secrets.headers['Cache-Control'], 'no-store');
    assert.equal((await ada.get('/account/recovery-codes')).headers['Cache-Control'], 'no-store');
    assert.ok(site);
  });

  story(
    'a link that nobody was given costs no hash but that of a log-in, ten times',
    async (open) => {
      let hashes = 0;
      const off = onEvent('work', () => {
        hashes++;
      });
      const { register, site } = await open();
      await register('ada');
      hashes = 0;
      const eve = createVisitor(site, { address: '203.0.113.1' });
      const sent = { username: 'eve', password: PASSWORD, passwordagain: PASSWORD };
      const statuses: number[] = [];
      for (let count = 0; count < 12; count++) {
        const path = `/register?token=${'A'.repeat(42)}${count % 10}`;
        statuses.push((await eve.post(path, { ...sent, username: `eve${count}` })).status);
      }
      off();
      assert.deepEqual(statuses, [...Array(10).fill(403), 429, 429]);
      assert.equal(hashes, 10);
    },
  );
}

type Former = Pick<ReturnType<typeof createFactorSite>, 'accounts' | 'site'> & {
  readonly ada: Visitor;
  readonly bob: Visitor;
};
type Attacked = ReturnType<typeof createFactorSite> & { readonly ada: Visitor };
type Open = (given?: Given, clock?: Clock) => Promise<ReturnType<typeof createFactorSite>>;

/** Opens the form at each site, and then sends them all at once. */
async function registerAtOnce(sites: readonly { readonly site: Application }[], path: string) {
  const people = sites.map(({ site }) => createVisitor(site));
  const forms = await Promise.all(people.map((person) => person.get(path)));
  return Promise.all(
    people.map((person, at) =>
      person.submit(forms[at] ?? '', {
        username: `eve${at}`,
        password: PASSWORD,
        passwordagain: PASSWORD,
      }),
    ),
  );
}
