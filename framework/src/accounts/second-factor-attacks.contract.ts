/** Ways to get around the second factor, each refused, on each engine: docs/security/attacks.md lists them. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Database } from '../database/database.ts';
import { get, post } from '../testing/make-request.ts';
import { bodyText, createVisitor, hiddenFields, type Visitor } from '../testing/visitor.ts';
import type { Given } from './accounts-site.fixture.ts';
import { PASSWORD } from './accounts-site.fixture.ts';
import { createFactorSite, STEP } from './factor-site.fixture.ts';

/** Opens an empty database, as often as the test needs instances. */
export type OpenInstances = (t: TestContext) => Promise<() => Promise<Database>>;

const OTHER = 'quite another password';
const MINUTE = 60_000;

export function describeSecondFactorAttacks(name: string, openInstances: OpenInstances): void {
  const story = (what: string, tell: (open: Open) => Promise<void>) =>
    test(`${name}: ${what}`, async (t) => {
      const openDatabase = await openInstances(t);
      await tell(async (given, clock) => createFactorSite(await openDatabase(), given, clock));
    });

  story('a code that was used is refused wherever and whenever it comes again', async (open) => {
    const { register, switchOn, beginLogIn, codeOf, pass, site } = await open();
    const { secret } = await switchOn(await register('ada'));
    const code = codeOf(secret);
    const ada = await beginLogIn('ada');
    assert.equal((await ada.submit('/login/second-factor', { code })).status, 303);
    const elsewhere = await beginLogIn('ada', '192.0.2.2');
    assert.equal((await elsewhere.submit('/login/second-factor', { code })).status, 401);
    await ada.post('/logout');
    await ada.submit('/login', { username: 'ada', password: PASSWORD });
    assert.equal((await ada.submit('/login/second-factor', { code })).status, 401);
    pass(STEP - 1);
    assert.equal((await elsewhere.submit('/login/second-factor', { code })).status, 401);
    assert.equal((await createVisitor(site).get('/account')).status, 303);
  });

  story(
    'the code of the next step is refused, and that of the step before is not',
    async (open) => {
      const { register, switchOn, beginLogIn, codeOf, pass } = await open();
      const { secret } = await switchOn(await register('ada'));
      pass(2 * STEP);
      const next = codeOf(secret);
      pass(-STEP);
      const ada = await beginLogIn('ada');
      assert.equal((await ada.submit('/login/second-factor', { code: next })).status, 401);
      const before = codeOf(secret);
      pass(STEP);
      assert.equal((await ada.submit('/login/second-factor', { code: before })).status, 303);
    },
  );

  story(
    'after five wrong codes for an account the right one waits, from every network',
    async (open) => {
      const { register, switchOn, beginLogIn, codeOf, pass, events } = await open();
      const { secret } = await switchOn(await register('ada'));
      const { secret: ofBob } = await switchOn(await register('bob', 'editor'));
      for (const last of [1, 2, 3, 4, 5]) {
        const thief = await beginLogIn('ada', `198.51.100.${last}`);
        const answer = await thief.submit('/login/second-factor', { code: '000000' });
        assert.equal(answer.status, 401);
      }
      const failed = events.filter(({ kind }) => kind === 'second factor failed');
      assert.deepEqual([failed.length, failed[0]?.account?.id], [5, 1]);
      const thief = await beginLogIn('ada', '203.0.113.9');
      const refused = await thief.submit('/login/second-factor', { code: codeOf(secret) });
      assert.equal(refused.status, 429);
      assert.ok(Number(refused.headers['Retry-After']) > 0);
      const bob = await beginLogIn('bob', '203.0.113.9');
      assert.equal((await bob.submit('/login/second-factor', { code: codeOf(ofBob) })).status, 303);
      pass(15 * MINUTE);
      const later = await beginLogIn('ada', '203.0.113.9');
      assert.equal(
        (await later.submit('/login/second-factor', { code: codeOf(secret) })).status,
        303,
      );
    },
  );

  story('one network guesses ten codes, for however many accounts', async (open) => {
    const { register, switchOn, beginLogIn } = await open();
    const names = ['ada', 'bob', 'cyd', 'dan'];
    for (const one of names)
      await switchOn(await register(one, one === 'ada' ? undefined : 'reader'));
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++) {
      // All addresses of a /64 are one network.
      const thief = await beginLogIn(names[guess % 4] ?? '', `2001:db8::${guess + 1}`);
      statuses.push((await thief.submit('/login/second-factor', { code: '000000' })).status);
    }
    assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429]);
    const elsewhere = await beginLogIn('dan', '2001:db8:1::1');
    assert.equal((await elsewhere.submit('/login/second-factor', { code: '000000' })).status, 401);
  });

  story('of many guesses at once no more than five are checked', async (open) => {
    const { register, switchOn, beginLogIn } = await open();
    await switchOn(await register('ada'));
    const thieves: Visitor[] = [];
    for (let last = 1; last <= 12; last++)
      thieves.push(await beginLogIn('ada', `198.51.100.${last}`));
    const answers = await Promise.all(
      thieves.map((thief) => thief.submit('/login/second-factor', { code: '000000' })),
    );
    assert.equal(answers.filter(({ status }) => status === 401).length, 5);
    assert.equal(answers.filter(({ status }) => status === 429).length, 7);
  });

  story('recovery codes are limited as one-time codes are', async (open) => {
    const { register, switchOn, beginLogIn } = await open();
    const { codes } = await switchOn(await register('ada'));
    for (let guess = 0; guess < 5; guess++) {
      const thief = await beginLogIn('ada', `198.51.100.${guess}`);
      const code = `BCDF-GHJK-LMNP-QRST-VWXZ-BCDF-${'BCDFG'[guess]}HJK`;
      assert.equal((await thief.submit('/login/recovery-code', { code })).status, 401);
    }
    const thief = await beginLogIn('ada', '203.0.113.9');
    const [code = ''] = codes;
    assert.equal((await thief.submit('/login/recovery-code', { code })).status, 429);
  });

  for (const kind of ['one-time code', 'recovery code'] as const)
    story(
      `of two log-ins at once with one ${kind}, on two instances, one gets in`,
      async (open) => {
        const one = await open();
        const other = await open({}, one.clock);
        const { secret, codes } = await one.switchOn(await one.register('ada'));
        const path = kind === 'one-time code' ? '/login/second-factor' : '/login/recovery-code';
        const code = kind === 'one-time code' ? one.codeOf(secret) : (codes[0] ?? '');
        const browsers = [
          await one.beginLogIn('ada', '192.0.2.1'),
          await other.beginLogIn('ada', '192.0.2.2'),
        ];
        const forms = await Promise.all(browsers.map((browser) => browser.get(path)));
        const answers = await Promise.all(
          browsers.map((browser, at) => browser.submit(forms[at] ?? '', { code })),
        );
        assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 401]);
      },
    );

  story('a recovery code of another account is refused', async (open) => {
    const { register, switchOn, beginLogIn } = await open();
    await switchOn(await register('ada'));
    const { codes } = await switchOn(await register('mallory', 'reader'));
    const thief = await beginLogIn('ada');
    const [code = ''] = codes;
    assert.equal((await thief.submit('/login/recovery-code', { code })).status, 401);
    const mallory = await beginLogIn('mallory');
    assert.equal((await mallory.submit('/login/recovery-code', { code })).status, 303);
  });

  story(
    'a code of another account is refused, and its log-in proves nothing for this one',
    async (open) => {
      const { register, switchOn, beginLogIn, codeOf, site } = await open();
      await switchOn(await register('ada'));
      const { secret } = await switchOn(await register('mallory', 'reader'));
      const thief = await beginLogIn('ada');
      assert.equal(
        (await thief.submit('/login/second-factor', { code: codeOf(secret) })).status,
        401,
      );
      const mallory = await beginLogIn('mallory');
      // Her own waiting log-in in place of that of ada, and both of them.
      const [own, others] = [mallory.cookie('second-factor'), thief.cookie('second-factor')];
      const form = hiddenFields(bodyText(await thief.get('/login/second-factor')));
      const send = (cookie: string) =>
        site.handle(
          post('/login/second-factor', { ...form, code: codeOf(secret) }, { headers: { cookie } }),
        );
      const both = await send(`second-factor=${own}; second-factor=${others}`);
      assert.equal(both.headers['Location'], '/login');
      const swapped = await send(`second-factor=${own}`);
      const [sid = ''] = /sid=[^;]+/.exec(String(swapped.headers['Set-Cookie'])) ?? [];
      const shown = await site.handle(get('/', { headers: { cookie: sid } }));
      assert.match(bodyText(shown), /Hello, mallory/);
    },
  );

  story('without the cookie of the first factor, a right code is no log-in', async (open) => {
    const { register, switchOn, beginLogIn, codeOf, site } = await open();
    const { secret } = await switchOn(await register('ada'));
    const ada = await beginLogIn('ada');
    const form = hiddenFields(bodyText(await ada.get('/login/second-factor')));
    for (const cookie of ['', 'second-factor=', `second-factor=${'A'.repeat(43)}`]) {
      const sent = { ...form, code: codeOf(secret) };
      const answer = await site.handle(post('/login/second-factor', sent, { headers: { cookie } }));
      assert.equal(answer.headers['Location'], '/login');
      assert.doesNotMatch(String(answer.headers['Set-Cookie']), /sid=/);
    }
  });

  story(
    'a log-in that waits has no session: no page of users opens, and no form counts',
    async (open) => {
      const { register, switchOn, beginLogIn, site, notes } = await open();
      await switchOn(await register('ada'));
      const thief = await beginLogIn('ada');
      for (const { method, pattern } of site.routes) {
        if (
          /^\/(?:login|logout|register|password|mail-sent|account\/email\/confirm|$)/.test(pattern)
        )
          continue;
        const path = pattern.replace(/:\w+(?:<\w+>)?/g, '1');
        const answer =
          method === 'GET' ? await thief.get(path) : await thief.post(path, { note: 'x' });
        assert.equal(answer.status, method === 'GET' ? 303 : 401, `${method} ${path}`);
      }
      assert.deepEqual(notes, []);
    },
  );

  story(
    'a log-in that waits ends with a new password, a disabled account and after ten minutes',
    async (open) => {
      const { register, switchOn, beginLogIn, codeOf, pass } = await open();
      const ada = await register('ada');
      const bob = await register('bob', 'editor');
      const { secret } = await switchOn(bob);
      const expects = async (visitor: Visitor, hasEnded: boolean) => {
        const answer = await visitor.submit('/login/second-factor', { code: codeOf(secret) });
        assert.equal(answer.headers['Location'], hasEnded ? '/login' : '/');
      };
      const disabled = await beginLogIn('bob');
      const disabledForm = await disabled.get('/login/second-factor');
      await ada.submit('/people/2', { action: 'disable' });
      await ada.submit('/people/2', { action: 'enable' });
      const again = await disabled.submit(disabledForm, { code: codeOf(secret) });
      assert.equal(again.headers['Location'], '/login');

      const late = await beginLogIn('bob');
      const form = await late.get('/login/second-factor');
      pass(10 * MINUTE);
      const expired = await late.submit(form, { code: codeOf(secret) });
      assert.equal(expired.headers['Location'], '/login');

      const changed = await beginLogIn('bob');
      const stale = await changed.get('/login/second-factor');
      const owner = await beginLogIn('bob');
      await expects(owner, false);
      const words = { currentpassword: PASSWORD, newpassword: OTHER, newpasswordagain: OTHER };
      assert.equal((await owner.submit('/account/password', words)).status, 303);
      pass(STEP);
      const refused = await changed.submit(stale, { code: codeOf(secret) });
      assert.equal(refused.headers['Location'], '/login');
    },
  );

  story('a forgotten password and a link of a mail ask for the second factor', async (open) => {
    const { register, switchOn, codeOf, site, linkOfMail, pass } = await open();
    const ada = await register('ada');
    await ada.submit('/account/email', { email: 'ada@example.org' });
    await ada.submit(linkOfMail(), {});
    const { secret } = await switchOn(ada);
    const thief = createVisitor(site);
    await thief.submit('/login/link', { email: 'ada@example.org' });
    const byLink = await thief.submit(linkOfMail(), {});
    assert.equal(byLink.headers['Location'], '/login/second-factor');
    await thief.submit('/password/forgot', { email: 'ada@example.org' });
    const reset = await thief.submit(linkOfMail(), { password: OTHER, passwordagain: OTHER });
    assert.equal(reset.headers['Location'], '/login/second-factor');
    assert.match(bodyText(await thief.get('/')), /Hello, visitor/);
    const again = await thief.submit('/login', { username: 'ada', password: OTHER });
    assert.equal(again.headers['Location'], '/login/second-factor');
    pass(STEP);
    assert.equal(
      (await thief.submit('/login/second-factor', { code: codeOf(secret) })).status,
      303,
    );
  });

  story('whose role needs a second factor can do nothing without one', async (open) => {
    const { register, site, switchOn, notes } = await open({ secondFactorFor: ['admin'] });
    const ada = await register('ada');
    const allowed = /^\/(?:login|logout|account\/(?:password|second-factor))(?:$|\/)/;
    for (const { method, pattern } of site.routes) {
      if (allowed.test(pattern)) continue;
      const path = pattern.replace(/:\w+(?:<\w+>)?/g, '1');
      const answer = method === 'GET' ? await ada.get(path) : await ada.post(path, { note: 'x' });
      const there = `/account/second-factor?next=${encodeURIComponent(path)}`;
      if (method === 'GET') assert.equal(answer.headers['Location'], there, path);
      else assert.equal(answer.status, 403, path);
      const json = { headers: { accept: 'application/json' } };
      if (method === 'POST') assert.equal((await ada.post(path, { note: 'x' }, json)).status, 403);
    }
    assert.deepEqual(notes, []);
    await switchOn(ada);
    assert.equal((await ada.get('/people')).status, 200);
    const off = await ada.submit('/account/second-factor/off', {});
    assert.equal(off.status, 409);
    // An administrator who takes it from herself has to add one at once.
    await ada.submit('/people/1', { action: 'factors' });
    const back = createVisitor(site);
    await back.submit('/login', { username: 'ada', password: PASSWORD });
    const there = '/account/second-factor?next=%2Fpeople';
    assert.equal((await back.get('/people')).headers['Location'], there);
  });

  story(
    'who becomes an administrator needs the second factor with the next request',
    async (open) => {
      const { register, switchOn } = await open({ secondFactorFor: ['admin'] });
      const ada = await register('ada');
      await switchOn(ada);
      const bob = await register('bob', 'reader');
      assert.equal((await bob.get('/notes')).status, 200);
      await ada.submit('/people/2', { role: 'admin', action: 'role' });
      for (const path of ['/notes', '/people'])
        assert.equal(
          (await bob.get(path)).headers['Location'],
          `/account/second-factor?next=${encodeURIComponent(path)}`,
        );
    },
  );

  story(
    'the cookie of a trusted browser logs nobody in, and is worth nothing for another account',
    async (open) => {
      const { register, switchOn, beginLogIn, codeOf, site } = await open();
      const { secret } = await switchOn(await register('ada'));
      await switchOn(await register('bob', 'editor'));
      const ada = await beginLogIn('ada');
      await ada.submit('/login/second-factor', { code: codeOf(secret), trust: 'on' });
      const cookie = `trusted=${ada.cookie('trusted')}`;
      const thief = (held: string) => createVisitor(site, { headers: { cookie: held } });
      assert.match(bodyText(await thief(cookie).get('/')), /Hello, visitor/);
      const logIn = (username: string, password: string, held = cookie) =>
        thief(held).submit('/login', { username, password });
      assert.equal((await logIn('ada', 'wrong')).status, 401);
      assert.equal((await logIn('bob', PASSWORD)).headers['Location'], '/login/second-factor');
      const planted = `${cookie}; trusted=${'A'.repeat(43)}`;
      assert.equal(
        (await logIn('ada', PASSWORD, planted)).headers['Location'],
        '/login/second-factor',
      );
      assert.equal((await logIn('ada', PASSWORD)).headers['Location'], '/');
    },
  );

  for (const [what, change] of [
    [
      'a new password',
      (ada) =>
        ada.submit('/account/password', {
          currentpassword: PASSWORD,
          newpassword: OTHER,
          newpasswordagain: OTHER,
        }),
    ],
    ['a log-out of all other devices', (ada) => ada.submit('/account/devices', {})],
    ['the end of the second factor', (ada) => ada.submit('/account/second-factor/off', {})],
  ] as readonly (readonly [string, (ada: Visitor) => Promise<unknown>])[])
    story(`no browser is trusted after ${what}`, async (open) => {
      const { register, switchOn, beginLogIn, codeOf, pass, site } = await open();
      const ada = await register('ada');
      const { secret } = await switchOn(ada);
      const trusted = await beginLogIn('ada');
      await trusted.submit('/login/second-factor', { code: codeOf(secret), trust: 'on' });
      const cookie = `trusted=${trusted.cookie('trusted')}`;
      pass(STEP);
      await change(ada);
      if (what.startsWith('the end')) await switchOn(ada);
      const password = what === 'a new password' ? OTHER : PASSWORD;
      const thief = createVisitor(site, { headers: { cookie } });
      const answer = await thief.submit('/login', { username: 'ada', password });
      assert.equal(answer.headers['Location'], '/login/second-factor');
    });

  story('a log-in in a trusted browser is not enough for what is dangerous', async (open) => {
    const { register, switchOn, beginLogIn, codeOf, pass } = await open();
    const { secret } = await switchOn(await register('ada'));
    const ada = await beginLogIn('ada');
    await ada.submit('/login/second-factor', { code: codeOf(secret), trust: 'on' });
    assert.equal((await ada.get('/danger')).status, 200);
    await ada.post('/logout');
    const back = await ada.submit('/login', { username: 'ada', password: PASSWORD });
    assert.equal(back.headers['Location'], '/');
    assert.equal((await ada.get('/danger')).headers['Location'], '/login/again?next=%2Fdanger');
    assert.equal((await ada.post('/danger/notes', { note: 'x' })).status, 401);
    const changed = await ada.get('/account/password');
    assert.equal(changed.headers['Location'], '/login/again?next=%2Faccount%2Fpassword');
    pass(STEP);
    const again = await ada.submit('/login/again?next=%2Fdanger', {
      username: 'ada',
      password: PASSWORD,
    });
    assert.equal(again.headers['Location'], '/login/second-factor?next=%2Fdanger');
    assert.equal((await ada.get('/danger')).status, 303);
    const whole = await ada.submit(await ada.follow(again), { code: codeOf(secret) });
    assert.equal(whole.headers['Location'], '/danger');
    assert.equal((await ada.get('/danger')).status, 200);
  });

  story('a clock that was set back makes no log-in recent', async (open) => {
    const { register, pass } = await open();
    const ada = await register('ada');
    pass(-60 * MINUTE);
    assert.equal((await ada.get('/danger')).status, 303);
  });

  story('the form of the second factor logs in no more after a log-out', async (open) => {
    const { register, switchOn, beginLogIn, codeOf, site } = await open();
    const { secret } = await switchOn(await register('ada'));
    const ada = await beginLogIn('ada');
    const form = await ada.get('/login/second-factor');
    const cookie = `second-factor=${ada.cookie('second-factor')}`;
    const sent = { ...hiddenFields(bodyText(form)), code: codeOf(secret) };
    assert.equal((await ada.submit(form, { code: codeOf(secret) })).status, 303);
    await ada.post('/logout');
    const again = await site.handle(post('/login/second-factor', sent, { headers: { cookie } }));
    assert.equal(again.headers['Location'], '/login');
    assert.doesNotMatch(String(again.headers['Set-Cookie']), /sid=/);
  });

  for (const secrets of ['sealed', 'plain'] as const)
    story(
      `a secret or codes that the page has not made switch nothing on (${secrets})`,
      async (open) => {
        const given = secrets === 'sealed' ? {} : ({ secrets: [null] } as unknown as Given);
        const { register, codeOf, site } = await open(given);
        const ada = await register('ada');
        const mallory = await register('mallory', 'reader');
        const read = async (visitor: Visitor): Promise<Readonly<Record<string, string>>> => {
          const shown = bodyText(await visitor.get('/account/second-factor'));
          const [, key = ''] = /<code>([A-Z2-7 ]{32,})<\/code>/.exec(shown) ?? [];
          return { ...(hiddenFields(shown) as object), key: key.replaceAll(' ', '') };
        };
        const { key: ownKey = '', ...own } = await read(ada);
        const { key: othersKey = '', ...others } = await read(mallory);
        const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
        const forged: readonly Readonly<Record<string, string>>[] = [
          ...(secrets === 'sealed'
            ? [
                { ...own, secret: others['secret'] ?? '', code: codeOf(othersKey) },
                { ...own, codes: others['codes'] ?? '', code: codeOf(ownKey) },
              ]
            : []),
          { ...own, secret: `plain.${secret}`, codes: 'plain.A B' },
          { ...own, secret: 'plain.short' },
          { ...own, codes: 'plain.' },
          { ...own, secret: own['codes'] ?? '', codes: own['secret'] ?? '' },
          { ...own, secret: '' },
        ];
        for (const fields of forged) {
          const sent = { code: codeOf(secret), ...fields };
          const answer = await ada.post('/account/second-factor', sent);
          assert.ok([303, 400, 409].includes(answer.status), `${answer.status}`);
        }
        const after = await createVisitor(site).submit('/login', {
          username: 'ada',
          password: PASSWORD,
        });
        assert.equal(after.headers['Location'], '/', 'no second factor was added');
      },
    );
}

type Open = (
  given?: Given,
  clock?: ReturnType<typeof createFactorSite>['clock'],
) => Promise<ReturnType<typeof createFactorSite>>;
