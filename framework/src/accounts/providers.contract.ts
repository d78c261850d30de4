/** A company's sign-in on each engine: the ways in, and the ways around it. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { TOTP } from 'otpauth';
import type { Database } from '../database/database.ts';
import type { Response } from '../http/response.ts';
import type { OpenIdOptions } from '../openid/open-id.ts';
import { startScriptedProvider } from '../openid/scripted-provider.fixture.ts';
import { passkeys } from '../passkeys/passkeys.ts';
import { post } from '../testing/make-request.ts';
import { bodyText, type Visitor } from '../testing/visitor.ts';
import { totp } from '../totp/totp.ts';
import { type Given, PASSWORD } from './accounts-site.fixture.ts';
import { createProviderSite, ELSEWHERE, type Scripted } from './providers-site.fixture.ts';

const MINUTE = 60_000;

type Options = Given & { readonly openid?: Partial<OpenIdOptions>; readonly register?: boolean };
type Site = ReturnType<typeof createProviderSite> & {
  readonly write: (sql: string) => Promise<unknown>;
};

export function describeProviders(
  name: string,
  openDatabase: (t: TestContext) => Promise<Database>,
): void {
  let company: Scripted;
  let other: Scripted;
  let usual: Readonly<Scripted['answers']>;
  // Started by the first story: if a filter leaves none, Node runs a hook `after` without the one `before`.
  let starting: Promise<void> | undefined;
  const start = async () => {
    [company, other] = [await startScriptedProvider(), await startScriptedProvider()];
    usual = { ...company.answers };
  };

  const story = (
    what: string,
    tell: (open: (options?: Options) => Promise<Site>, t: TestContext) => Promise<void>,
  ) =>
    test(`${name}: ${what}`, async (t) => {
      starting ??= start();
      await starting;
      Object.assign(company.answers, usual);
      company.requests.length = 0;
      return tell(async (options) => {
        const database = await openDatabase(t);
        const write = (sql: string) => database.write(({ run }) => run(sql));
        return { ...createProviderSite(database, { company, other }, options), write };
      }, t);
    });

  const nameOf = async (visitor: Visitor): Promise<string | undefined> =>
    /Hello, ([^.]*)\./.exec(bodyText(await visitor.get('/')))?.[1];
  const assertOut = async (visitor: Visitor) => assert.equal(await nameOf(visitor), 'visitor');
  const tokenRequests = () => company.requests.filter((path) => path === '/token').length;

  story(
    'a company account logs in, and a form that was sent meanwhile counts once',
    async (open) => {
      const { registerLinked, visit, notes, begin, say, comeBack } = await open();
      await registerLinked('ada');
      const visitor = visit();
      const refused = await visitor.post('/notes', { note: 'not lost' });
      const [, logIn = ''] = /href="(\/login[^"]*)"/.exec(bodyText(refused)) ?? [];
      const page = bodyText(await visitor.get(logIn.replaceAll('&amp;', '&')));
      const [, button = ''] = /action="(\/login\/with\/company[^"]*)"/.exec(page) ?? [];
      const way = await begin(visitor, button.replaceAll('&amp;', '&'));
      say(way, {});
      const form = await visitor.follow(await comeBack(visitor, way));
      assert.match(bodyText(form), /value="not lost"/);
      for (const _ of [1, 2])
        assert.equal((await visitor.submit(form, { note: 'not lost' })).status, 303);
      assert.deepEqual(notes, ['not lost']);
      assert.equal(await nameOf(visitor), 'ada');
    },
  );

  story('an answer that comes as a post has no cookie, and a GET goes on with it', async (open) => {
    const { register, signIn, visit, site, begin, say } = await open();
    await signIn(await register('ada'), {}, '/account/providers/link/other');
    const visitor = visit();
    const way = await begin(visitor, '/login/with/other?next=%2Fnotes');
    say(way, {});
    const brought = { code: 'any', state: way.state };
    const parked = await site.handle(post('/login/with/other/return', brought, ELSEWHERE));
    assert.equal(parked.status, 303);
    assert.equal(parked.headers['Set-Cookie'], undefined);
    const next = String(parked.headers['Location']);
    assert.doesNotMatch(next, /code/);
    const stranger = await visit().get(next);
    assert.equal(stranger.status, 401);
    assert.equal((await visitor.get(next)).headers['Location'], '/notes');
    assert.equal(await nameOf(visitor), 'ada');
    const unknown = { code: 'any', state: 'x'.repeat(43) };
    const lost = await site.handle(post('/login/with/other/return', unknown, ELSEWHERE));
    assert.equal((await visit().get(String(lost.headers['Location']))).status, 401);
  });

  story('an answer that arrives twice is redeemed once, and both times logs in', async (open) => {
    const { registerLinked, visit, begin, say, comeBack, clock } = await open();
    await registerLinked('ada');
    const visitor = visit();
    const way = await begin(visitor);
    say(way, {});
    const before = tokenRequests();
    const both = await Promise.all([comeBack(visitor, way), comeBack(visitor, way)]);
    assert.deepEqual(
      both.map(({ status }) => status),
      [303, 303],
    );
    assert.equal(tokenRequests(), before + 1);
    const stranger = visit();
    await begin(stranger);
    assert.equal((await comeBack(stranger, way)).status, 401);
    clock.ahead += MINUTE + 1;
    const later = visit();
    assert.equal((await comeBack(visitor, way)).status, 401);
    assert.equal((await comeBack(later, way)).status, 401);
    assert.equal(tokenRequests(), before + 1);
  });

  story('a company that answers slowly is waited for, also by the repeat', async (open) => {
    const { registerLinked, visit, begin, say, comeBack } = await open();
    await registerLinked('ada');
    const visitor = visit();
    const way = await begin(visitor);
    say(way, {});
    const answer = company.answers['/token'] as (url: string) => Promise<globalThis.Response>;
    company.answers['/token'] = async (url) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      return answer(url);
    };
    const first = comeBack(visitor, way);
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.deepEqual([(await comeBack(visitor, way)).status, (await first).status], [303, 303]);
  });

  story(
    'while the company is away, a page says so, and the password still logs in',
    async (open) => {
      const { registerLinked, visit, begin, events } = await open();
      await registerLinked('ada');
      const visitor = visit();
      const way = await begin(visitor, '/login/with/company?next=%2Fnotes');
      company.answers['/token'] = () => new globalThis.Response('', { status: 503 });
      const back = `/login/with/company/return?code=any&state=${way.state}`;
      const away = await visitor.get(back);
      assert.equal(away.status, 503);
      assert.match(bodyText(away), /can’t reach[\s\S]*href="\/login\?next=%2Fnotes"/);
      assert.match(String(events.at(-1)?.detail), /^company, away: /);
      const own = { username: 'ada', password: PASSWORD };
      assert.equal((await visitor.submit('/login', own)).status, 303);
    },
  );

  story('a company that is away from the start is told before the way begins', async (open) => {
    company.answers['/.well-known/openid-configuration'] = () =>
      new globalThis.Response('', { status: 503 });
    const { visit } = await open();
    const answer = await visit().post('/login/with/company?next=%2Fnotes');
    assert.equal(answer.status, 503);
    assert.match(bodyText(answer), /can’t reach[\s\S]*href="\/login\?next=%2Fnotes"/);
  });

  story('who cancels, or may not, is told why, and the path that follows stays', async (open) => {
    const { visit, begin, say, comeBack } = await open({
      openid: { allow: ({ sub }) => sub !== 'eve' },
    });
    const visitor = visit();
    const { state } = await begin(visitor, '/login/with/company?next=%2Fnotes');
    const back = `/login/with/company/return?error=access_denied&state=${state}`;
    const denied = await visitor.get(back);
    assert.equal(denied.status, 401);
    assert.match(bodyText(denied), /cancelled[\s\S]*href="\/login\?next=%2Fnotes"/);
    const way = await begin(visitor);
    say(way, { sub: 'eve' });
    const refused = await comeBack(visitor, way);
    assert.equal(refused.status, 403);
    assert.match(bodyText(refused), /may not log in here/);
    await assertOut(visitor);
  });

  story('without an invitation, a company account makes no account', async (open) => {
    const { accounts, register, signIn, visit, begin, say, comeBack } = await open();
    const first = visit();
    assert.equal((await signIn(first)).status, 403);
    await register('owner');
    const visitor = visit();
    const refused = await signIn(visitor, { preferred_username: 'ada' });
    assert.equal(refused.status, 403);
    assert.match(bodyText(refused), /no account here for your company account/);
    const path = await accounts.invite('editor');
    const page = bodyText(await visitor.get(path));
    const [, button = ''] = /action="(\/login\/with\/company[^"]*)"/.exec(page) ?? [];
    const way = await begin(visitor, button.replaceAll('&amp;', '&'));
    say(way, { preferred_username: 'ada' });
    assert.equal((await comeBack(visitor, way)).status, 303);
    assert.equal(await nameOf(visitor), 'ada');
    assert.equal((await visitor.get('/people-only')).status, 200);
    assert.equal((await visit().get(path)).status, 403, 'the invitation was used');
  });

  story('a company account uses up no invitation of somebody who is logged in', async (open) => {
    const { accounts, register } = await open();
    const ada = await register('ada');
    const link = await accounts.invite('editor');
    const begun = await ada.post(link.replace('/register', '/login/with/company'));
    assert.equal(begun.headers['Location'], link);
    assert.match(bodyText(await ada.get(link)), /You are logged in as ada\./);
  });

  story(
    'where everybody may register, a company account gets a valid name of its own',
    async (open) => {
      const { signIn, register, visit } = await open({ register: true });
      assert.equal((await signIn(visit(), { sub: 'early' })).status, 403, 'not the first account');
      await register('ada');
      const names: (string | undefined)[] = [];
      for (const claims of [
        { sub: '1', preferred_username: 'ada' },
        { sub: '2', preferred_username: 'Zoë Müller!' },
        { sub: '3', email: 'ab@b.example', name: '名' },
        { sub: '4', preferred_username: 'x'.repeat(300) },
      ]) {
        const visitor = visit();
        assert.equal((await signIn(visitor, claims)).status, 303);
        names.push(await nameOf(visitor));
        assert.equal((await visitor.get('/people-only')).status, 403, 'the lowest role');
      }
      assert.deepEqual(names, ['ada-2', 'ZoeMuller', 'person-2', 'x'.repeat(32)]);
    },
  );

  story('an unverified address links nothing', async (open) => {
    const { register, signIn, visit, linkOfMail } = await open({ register: true });
    const ada = await register('ada');
    await ada.submit('/account/email', { email: 'ada@example.org' });
    await visit().submit(linkOfMail(), {});
    const thief = visit();
    const claims = { sub: 'thief', email: 'ada@example.org', email_verified: false };
    assert.equal((await signIn(thief, claims)).status, 303, 'not led to that account');
    assert.equal(await nameOf(thief), 'ada-2');
    const other_ = visit();
    const unproved = { sub: 'other', email: 'eve@example.org', email_verified: false };
    await signIn(other_, unproved);
    assert.doesNotMatch(bodyText(await other_.get('/account')), /eve@example\.org/);
    assert.doesNotMatch(bodyText(await thief.get('/account')), /ada@example\.org/);
  });

  story(
    'a verified address links after a log-in, by a button, in the same browser',
    async (open) => {
      const { register, signIn, visit, linkOfMail } = await open({ register: true });
      const ada = await register('ada');
      await ada.submit('/account/email', { email: 'ada@example.org' });
      await visit().submit(linkOfMail(), {});
      // The confirmed address has ended her session.
      await ada.submit('/login', { username: 'ada', password: PASSWORD });
      const bob = await register('bob', 'reader');
      const claims = { sub: 'a1', email: 'ada@example.org', email_verified: true };
      const visitor = visit();
      const told = await signIn(visitor, claims, '/login/with/company?next=%2Fnotes');
      assert.equal(told.status, 200);
      await assertOut(visitor);
      const [, logIn = ''] = /href="(\/login\?next=[^"]*confirm[^"]*)"/.exec(bodyText(told)) ?? [];
      const confirm = new URL(logIn, 'http://x').searchParams.get('next') ?? '';
      assert.equal((await bob.get(confirm)).status, 404, 'of another account');
      assert.equal((await ada.get(confirm)).status, 404, 'in another browser');
      assert.equal((await ada.post(confirm, { _once: 'any' })).status, 404);
      await visitor.submit('/login', { username: 'bob', password: PASSWORD });
      assert.equal((await visitor.get(confirm)).status, 404, 'of another account, in this browser');
      assert.equal((await visitor.post(confirm, { _once: 'other' })).status, 404);
      await visitor.post('/logout');
      const own = { username: 'ada', password: PASSWORD };
      const page = await visitor.follow(await visitor.submit(logIn, own));
      assert.match(bodyText(page), /ada@example\.org[\s\S]*logs you in to your account ada/);
      const [first, second] = await Promise.all([
        visitor.submit(page, {}),
        visitor.submit(page, {}),
      ]);
      assert.deepEqual(
        [first, second].map(({ headers }) => headers['Location']),
        ['/notes', '/notes'],
      );
      const again = visit();
      assert.equal((await signIn(again, claims)).status, 303);
      assert.equal(await nameOf(again), 'ada');
    },
  );

  story('an answer of another browser logs nobody in', async (open) => {
    const { registerLinked, visit, begin, say, comeBack } = await open();
    await registerLinked('ada');
    const [attacker, victim] = [visit(), visit()];
    const way = await begin(attacker);
    say(way, {});
    // The victim's browser follows a link with the attacker's answer (login CSRF).
    assert.equal((await comeBack(victim, way)).status, 401);
    await begin(victim);
    assert.equal((await comeBack(victim, way)).status, 401, 'with a sign-in of its own under way');
    await assertOut(victim);
    // It was not used up by that.
    assert.equal((await comeBack(attacker, way)).status, 303);
  });

  story('of two cookies of one browser, none counts', async (open) => {
    const { registerLinked, visit, begin, say } = await open();
    await registerLinked('ada');
    const [attacker, victim] = [visit(), visit()];
    const way = await begin(attacker);
    await begin(victim);
    say(way, {});
    const cookie = `provider=${victim.cookie('provider')}; provider=${attacker.cookie('provider')}`;
    const back = `/login/with/company/return?code=any&state=${way.state}`;
    assert.equal((await victim.get(back, { headers: { cookie } })).status, 401);
  });

  story('a token for the nonce of another sign-in is refused', async (open) => {
    const { registerLinked, visit, begin, say, comeBack } = await open();
    await registerLinked('ada');
    const visitor = visit();
    const [first, second] = [await begin(visitor), await begin(visitor)];
    say(first, {});
    assert.equal((await comeBack(visitor, second)).status, 401);
    await assertOut(visitor);
    assert.equal(
      (await comeBack(visitor, first)).status,
      303,
      'two tabs do not disturb each other',
    );
  });

  story('an answer of one company counts for no other one', async (open) => {
    const { registerLinked, visit, begin, say, comeBack, site } = await open();
    await registerLinked('ada');
    const visitor = visit();
    const way = await begin(visitor);
    say(way, {});
    say({ ...way, id: 'other' }, {});
    const brought = { code: 'any', state: way.state };
    const parked = await site.handle(post('/login/with/other/return', brought, ELSEWHERE));
    assert.equal((await visitor.get(String(parked.headers['Location']))).status, 401);
    const straight = `/login/with/other/return?code=any&state=${way.state}`;
    assert.equal((await visitor.get(straight)).status, 401);
    assert.equal((await visitor.get(`/login/with/other/go?state=${way.state}`)).status, 303);
    await assertOut(visitor);
    assert.equal((await comeBack(visitor, way)).status, 303);
    // What was brought to the address of another company is not taken to this one either.
    const second = await begin(visitor);
    say(second, {});
    const misled = { code: 'any', state: second.state };
    await site.handle(post('/login/with/other/return', misled, ELSEWHERE));
    const back = `/login/with/company/return?parked=${second.state}`;
    assert.equal((await visitor.get(back)).status, 401);
    // The same subject at another company is another person.
    assert.equal((await comeBack(visit(), { ...way, id: 'other' })).status, 401);
    const stranger = visit();
    const there = await begin(stranger, '/login/with/other');
    say(there, { sub: 'ada' });
    assert.equal((await comeBack(stranger, there)).status, 403);
  });

  story('an answer to a link logs nobody in, and one to a log-in links nothing', async (open) => {
    const { register, registerLinked, begin, say, comeBack } = await open();
    const ada = await registerLinked('ada');
    const bob = await register('bob', 'reader');
    const link = await begin(bob, '/account/providers/link/company');
    say(link, { sub: 'ada' });
    await bob.post('/logout');
    const refused = await comeBack(bob, link);
    assert.equal(refused.status, 401);
    await assertOut(bob);
    const way = await begin(ada);
    say(way, { sub: 'stranger' });
    assert.equal((await comeBack(ada, way)).status, 403);
    assert.equal(bodyText(await ada.get('/account/providers')).match(/\?id=/g)?.length, 1);
  });

  story(
    'a link is for the user who has begun it, and takes no company account away',
    async (open) => {
      const { register, registerLinked, begin, say, comeBack, signIn, visit } = await open();
      await registerLinked('ada');
      const bob = await register('bob', 'reader');
      const taken = await signIn(bob, { sub: 'ada' }, '/account/providers/link/company');
      assert.equal(taken.status, 403);
      const way = await begin(bob, '/account/providers/link/company');
      say(way, { sub: 'new' });
      await bob.submit('/login/again', { username: 'ada', password: PASSWORD });
      assert.equal(await nameOf(bob), 'ada');
      assert.equal((await comeBack(bob, way)).status, 401);
      assert.equal((await signIn(visit(), { sub: 'new' })).status, 403);
    },
  );

  story('to link needs a recent log-in, tells the user, and ends other sessions', async (open) => {
    const { register, signIn, visit, mails, linkOfMail, clock } = await open();
    const ada = await register('ada');
    await ada.submit('/account/email', { email: 'ada@example.org' });
    await visit().submit(linkOfMail(), {});
    const elsewhere = visit();
    await elsewhere.submit('/login', { username: 'ada', password: PASSWORD });
    // The confirmed address has ended her session.
    await ada.submit('/login', { username: 'ada', password: PASSWORD });
    clock.ahead += 11 * MINUTE;
    assert.equal((await ada.post('/account/providers/link/company')).status, 401);
    await ada.submit('/login/again', { username: 'ada', password: PASSWORD });
    await signIn(ada, {}, '/account/providers/link/company');
    assert.match(mails.at(-1)?.text ?? '', /A company account was linked/);
    assert.equal(await nameOf(ada), 'ada');
    // The name of the company, not the address of its issuer.
    const activity = bodyText(await ada.get('/account'));
    assert.match(activity, />A company account was linked\. company</);
    assert.doesNotMatch(activity, /127\.0\.0\.1:\d/);
    await assertOut(elsewhere);
  });

  story('a company account is removed, but not the only way in', async (open) => {
    const { registerLinked, signIn, visit, register } = await open({ register: true });
    const ada = await registerLinked('ada');
    const remove = async (visitor: Visitor) => {
      const [, id] = /\?id=(\w+)/.exec(bodyText(await visitor.get('/account/providers'))) ?? [];
      return visitor.submit(`/account/providers?id=${id}`, {});
    };
    const elsewhere = visit();
    await signIn(elsewhere);
    assert.equal((await remove(ada)).status, 303);
    assert.equal(await nameOf(ada), 'ada');
    await assertOut(elsewhere);
    const again = bodyText(
      await signIn(
        ada,
        { auth_time: Math.floor(Date.now() / 1_000) },
        '/login/with/company?again=1',
      ),
    );
    assert.match(again, /linked to no account here/);
    assert.doesNotMatch(again, /another account here/);
    const new_ = visit();
    assert.equal((await signIn(new_, { preferred_username: 'ada' })).status, 303);
    assert.equal(await nameOf(new_), 'ada-2', 'not the account that it was removed from');
    const only = await remove(new_);
    assert.equal(only.status, 409);
    assert.match(bodyText(only), /This is your only way to log in/);
    assert.ok(await register('bob', 'reader'));
  });

  story('a log-in again asks the company to ask, and checks that it did', async (open) => {
    const { registerLinked, begin, say, comeBack, clock, now, notes } = await open();
    const ada = await registerLinked('ada');
    await registerLinked('bob', 'bob', 'reader');
    clock.ahead += 11 * MINUTE;
    const refused = await ada.post('/danger/notes', { note: 'dangerous' });
    const [, logIn = ''] = /href="(\/login\/again[^"]*)"/.exec(bodyText(refused)) ?? [];
    const page = bodyText(await ada.get(logIn.replaceAll('&amp;', '&')));
    const [, button = ''] = /action="(\/login\/with\/company[^"]*)"/.exec(page) ?? [];
    const seconds = () => Math.floor(now().getTime() / 1_000);
    const attempt = async (claims: Readonly<Record<string, unknown>>) => {
      const way = await begin(ada, button.replaceAll('&amp;', '&'));
      assert.equal(way.url.searchParams.get('max_age'), '0');
      say(way, claims);
      return comeBack(ada, way);
    };
    assert.match(bodyText(await attempt({})), /does not say when/);
    assert.match(bodyText(await attempt({ auth_time: seconds() - 90 })), /did not ask you/);
    const another = await attempt({ sub: 'bob', auth_time: seconds() });
    assert.match(bodyText(another), /belongs to another account/);
    assert.equal((await ada.get('/danger')).status, 303);
    const filled = await ada.follow(await attempt({ auth_time: seconds() }));
    assert.match(bodyText(filled), /value="dangerous"/);
    await ada.submit(filled, { note: 'dangerous' });
    assert.deepEqual(notes, ['dangerous']);
  });

  const WITH_FACTOR: Options = {
    totp: totp(),
    secrets: 'a secret of this test, with enough characters',
    openid: { twoFactors: ({ amr }) => Array.isArray(amr) && amr.includes('mfa') },
  };
  const switchOn = async (visitor: Visitor, { clock, now }: Pick<Site, 'clock' | 'now'>) => {
    const form = await visitor.get('/account/second-factor');
    const [, key = ''] = /<code>([A-Z2-7 ]{32,})<\/code>/.exec(bodyText(form)) ?? [];
    const codeNow = () =>
      new TOTP({ secret: key.replaceAll(' ', '') }).generate({ timestamp: now().getTime() });
    assert.equal((await visitor.submit(form, { code: codeNow() })).status, 303);
    clock.ahead += MINUTE;
    return codeNow;
  };

  story('the second factor is asked for, unless the company has asked for one', async (open) => {
    const site = await open(WITH_FACTOR);
    const { registerLinked, signIn, visit } = site;
    const codeNow = await switchOn(await registerLinked('ada'), site);
    const visitor = visit();
    const half = await signIn(visitor, { amr: ['pwd'] }, '/login/with/company?next=%2Fnotes');
    assert.equal(half.headers['Location'], '/login/second-factor?next=%2Fnotes');
    await assertOut(visitor);
    const code = { code: codeNow(), trust: 'on' };
    const whole = await visitor.submit(await visitor.follow(half), code);
    assert.equal(whole.headers['Location'], '/notes');
    const other_ = visit();
    assert.equal((await signIn(other_, { amr: ['pwd', 'mfa'] })).headers['Location'], '/');
    assert.equal(await nameOf(other_), 'ada');
    // To log in again takes everything, also in a browser that is trusted.
    const seconds = Math.floor(site.now().getTime() / 1_000);
    const again = await signIn(visitor, { auth_time: seconds }, '/login/with/company?again=1');
    assert.equal(again.headers['Location'], '/login/second-factor');
  });

  story(
    'a role of the company counts at each log-in, and is gone when it is gone there',
    async (open) => {
      const { register, registerLinked, signIn, visit, events } = await open();
      await register('owner');
      await registerLinked('ada', 'ada', 'reader');
      const visitor = visit();
      await signIn(visitor, { role: 'editor' });
      assert.equal((await visitor.get('/people-only')).status, 200);
      await signIn(visit(), { role: 'reader' });
      assert.equal((await visitor.get('/people-only')).status, 403, 'also in the other session');
      await signIn(visit(), { role: 'emperor' });
      assert.deepEqual(
        events.filter(({ kind }) => kind === 'role ignored').map(({ detail }) => detail),
        ['emperor'],
      );
      assert.equal(await nameOf(visitor), 'ada');
    },
  );

  story('a role of the company that needs a second factor asks for a passkey', async (open) => {
    const { registerLinked, register, signIn, visit, write } = await open({
      passkeys: passkeys({ name: 'Chess club' }),
      publicOrigin: 'https://club.example',
      secondFactorFor: ['editor'],
    });
    await register('owner');
    const ada = await registerLinked('ada', 'ada', 'reader');
    await write(`insert into seeother_passkeys (id, account_id, name, public_key, counter,
      transports, backed_up, created_at) select 'x', id, 'key', 'x', 0, '', 0, created_at
      from seeother_accounts where username = 'ada'`);
    const answer = await signIn(visit(), { role: 'editor' });
    assert.equal(answer.headers['Location'], '/login/second-factor');
    await assertOut(ada);
  });

  story('the last administrator is not demoted by the company', async (open) => {
    const { registerLinked, signIn, visit } = await open();
    const ada = await registerLinked('ada');
    const visitor = visit();
    assert.equal((await signIn(visitor, { role: 'reader' })).status, 303);
    assert.equal((await ada.get('/people')).status, 200);
    await registerLinked('bob', 'bob', 'admin');
    await signIn(visitor, { role: 'reader' });
    assert.equal((await ada.get('/people')).status, 403);
  });

  story('a disabled account is not logged in to', async (open) => {
    const { register, registerLinked, signIn, visit } = await open();
    const owner = await register('owner');
    await registerLinked('ada', 'ada', 'reader');
    await owner.submit('/people/2', { action: 'disable' });
    const visitor = visit();
    assert.equal((await signIn(visitor)).status, 403);
    await assertOut(visitor);
  });

  story('the path that follows stays on this site', async (open) => {
    const { registerLinked, visit, begin, say } = await open();
    await registerLinked('ada');
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', '/login?x']) {
      const visitor = visit();
      const way = await begin(visitor, `/login/with/company?next=${encodeURIComponent(next)}`);
      say(way, {});
      const evil = `/login/with/company/return?code=any&state=${way.state}&next=%2F%2Fevil.example`;
      assert.equal((await visitor.get(evil)).headers['Location'], '/');
    }
  });

  story('only a form of this site begins', async (open) => {
    const { visit, site } = await open();
    const visitor = visit();
    assert.equal((await visitor.get('/login/with/company')).headers['Location'], '/login');
    const forged = await site.handle(post('/login/with/company', {}, ELSEWHERE));
    assert.equal(forged.status, 403);
    assert.equal((await visitor.post('/login/with/nobody')).status, 404);
  });

  story('an answer without end, or of another type, is refused', async (open) => {
    const { visit, site, begin } = await open();
    const visitor = visit();
    const { state } = await begin(visitor, '/login/with/other');
    const huge = { state, code: 'x'.repeat(33_000) };
    assert.equal(
      (await site.handle(post('/login/with/other/return', huge, ELSEWHERE))).status,
      413,
    );
    const long = await site.handle(
      post('/login/with/other/return', { state, code: 'x'.repeat(20_000) }, ELSEWHERE),
    );
    assert.equal((await visitor.get(String(long.headers['Location']))).status, 401);
    const headers = { ...ELSEWHERE.headers, 'content-type': 'application/json' };
    for (const path of ['return', 'ended']) {
      const typed = post(`/login/with/other/${path}`, '{}', { headers });
      assert.equal((await site.handle(typed)).status, 415);
    }
    assert.equal(
      (await visitor.get(`/login/with/company/return?state=${'x'.repeat(5_000)}`)).status,
      401,
    );
  });

  story('a sign-in starts a new session, and a planted one stays without a user', async (open) => {
    const { registerLinked, signIn, visit } = await open();
    await registerLinked('ada');
    const visitor = visit();
    const planted = 'p'.repeat(43);
    const way = await signIn(visitor);
    assert.equal(way.status, 303);
    const first = visitor.cookie('sid');
    await signIn(visitor);
    assert.notEqual(visitor.cookie('sid'), first);
    const old = visit();
    assert.match(bodyText(await old.get('/', { headers: { cookie: `sid=${first}` } })), /visitor/);
    assert.match(
      bodyText(await old.get('/', { headers: { cookie: `sid=${planted}` } })),
      /visitor/,
    );
  });

  const ended = (answer: Response) => [
    answer.status,
    answer.headers['Cache-Control'],
    bodyText(answer),
  ];

  story('a log-out at the company ends the sessions from there, and no other', async (open) => {
    const { registerLinked, signIn, visit, endAt, events } = await open();
    const ada = await registerLinked('ada');
    await signIn(ada, { sub: 'ada2' }, '/account/providers/link/company');
    await registerLinked('bob', 'bob', 'reader');
    const [one, two, unnamed, bob] = [visit(), visit(), visit(), visit()];
    await signIn(one, { sid: 's1' });
    await signIn(two, { sid: 's2' });
    await signIn(unnamed);
    await signIn(bob, { sub: 'bob', sid: 's3' });
    assert.deepEqual(ended(await endAt('company', { sid: 's1' })), [
      200,
      'no-store',
      '{"ended":1}',
    ]);
    assert.deepEqual(await Promise.all([one, two, bob].map(nameOf)), ['visitor', 'ada', 'bob']);
    assert.equal(events.filter(({ kind }) => kind === 'session ended').length, 1);
    // For another account, and of another company.
    await endAt('company', { sid: 's2', sub: 'bob' });
    await endAt('other', { sid: 's2', sub: 'ada' });
    await endAt('other', { sid: 's2' });
    await endAt('company', { sub: 'ada2' });
    assert.deepEqual(await Promise.all([two, unnamed, bob].map(nameOf)), ['ada', 'ada', 'bob']);
    await endAt('company', { sid: 's2', sub: 'ada' });
    assert.deepEqual(await Promise.all([two, unnamed].map(nameOf)), ['visitor', 'visitor']);
    await endAt('company', { sub: 'bob' });
    assert.equal(await nameOf(bob), 'visitor');
    assert.equal(await nameOf(ada), 'ada', 'a session by password goes on');
  });

  story('a log-out that is replayed ends nothing that began since', async (open) => {
    const { registerLinked, signIn, visit, endAt } = await open();
    await registerLinked('ada');
    const visitor = visit();
    await signIn(visitor);
    assert.equal((await endAt('company', { sub: 'ada' }, 'j1')).status, 200);
    await assertOut(visitor);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await signIn(visitor);
    assert.equal(bodyText(await endAt('company', { sub: 'ada' }, 'j1')), '{"ended":0}');
    assert.equal(await nameOf(visitor), 'ada');
  });

  story('a log-out that is none ends nothing', async (open) => {
    const { registerLinked, signIn, visit, endAt, sendEnded } = await open();
    await registerLinked('ada');
    const visitor = visit();
    await signIn(visitor);
    for (const answer of [
      await sendEnded('company', 'no token'),
      await sendEnded('company', ''),
      await endAt('company', { sub: 'ada', nonce: 'n' }),
      await endAt('company', { sub: 'ada', aud: 'another' }),
    ])
      assert.deepEqual(ended(answer), [400, 'no-store', '{"error":"invalid_request"}']);
    assert.equal(await nameOf(visitor), 'ada');
  });

  story('a log-out also ends a sign-in that waits for the second factor', async (open) => {
    const site = await open(WITH_FACTOR);
    const { registerLinked, signIn, visit, endAt } = site;
    const codeNow = await switchOn(await registerLinked('ada'), site);
    for (const claims of [{ sid: 's1' }, { sub: 'ada' }]) {
      const visitor = visit();
      const half = await visitor.follow(await signIn(visitor, { sid: 's1', sub: 'ada' }));
      await endAt('company', claims);
      site.clock.ahead += MINUTE;
      assert.equal((await visitor.submit(half, { code: codeNow() })).status, 401);
      await assertOut(visitor);
    }
  });
}
