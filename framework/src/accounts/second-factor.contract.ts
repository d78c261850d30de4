/** The second factor by one-time codes on each engine. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Database } from '../database/database.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { PASSWORD } from './accounts-site.fixture.ts';
import { createClock, createFactorSite, STEP } from './factor-site.fixture.ts';

export function describeSecondFactor(
  name: string,
  openDatabase: (t: TestContext) => Promise<Database>,
): void {
  const open = async (t: TestContext) =>
    createFactorSite(await openDatabase(t), { secondFactorFor: ['editor'] });
  const story = (what: string, tell: (site: Awaited<ReturnType<typeof open>>) => Promise<void>) =>
    test(`${name}: ${what}`, async (t) => tell(await open(t)));

  story(
    'a log-in needs a code, which counts once, and a double click is one log-in',
    async (one) => {
      const { register, site, switchOn, codeOf, notes } = one;
      const ada = await register('ada');
      const { secret, codes } = await switchOn(ada);
      assert.equal(codes.length, 10);
      const visitor = createVisitor(site);
      const refused = await visitor.post('/notes', { note: 'not lost' });
      const [, logIn = ''] = /href="(\/login[^"]*)"/.exec(bodyText(refused)) ?? [];
      const first = await visitor.submit(logIn.replaceAll('&amp;', '&'), {
        username: 'ada',
        password: PASSWORD,
      });
      assert.match(String(first.headers['Location']), /^\/login\/second-factor\?next=/);
      assert.match(bodyText(await visitor.get('/')), /Hello, visitor/);
      const form = await visitor.follow(first);
      const wrong = await visitor.submit(form, { code: '000000' });
      assert.equal(wrong.status, 401);
      const code = codeOf(secret);
      const both = await Promise.all([
        visitor.submit(form, { code }),
        visitor.submit(form, { code }),
      ]);
      assert.deepEqual(
        both.map(({ status }) => status),
        [303, 303],
      );
      const filled = await visitor.follow(both[1]);
      assert.match(bodyText(filled), /value="not lost"/);
      await visitor.submit(filled, { note: 'not lost' });
      assert.deepEqual(notes, ['not lost']);

      const thief = createVisitor(site);
      const begun = await thief.submit('/login', { username: 'ada', password: PASSWORD });
      const again = await thief.submit(await thief.follow(begun), { code });
      assert.equal(again.status, 401, 'the code was used');
    },
  );

  story('a form waits for the second factor that a role needs, and counts once', async (one) => {
    const { register, switchOn, notes, accounts } = one;
    await register('ada');
    const bob = await register('bob', 'reader');
    const form = await bob.get('/notes');
    await accounts.command(['role', 'bob', 'editor']);
    const refused = await bob.submit(form, { note: 'not lost' });
    assert.equal(refused.status, 403);
    assert.match(bodyText(refused), /Your role needs a second factor/);
    const [, path = '', label] =
      /href="(\/account\/second-factor[^"]*)">([^<]*)</.exec(bodyText(refused)) ?? [];
    assert.equal(label, 'Add a second factor');
    const shown = await bob.get(path.replaceAll('&amp;', '&'));
    assert.match(bodyText(shown), /Your role needs a second factor/);
    const { done } = await switchOn(bob, shown);
    const filled = await bob.follow(done);
    assert.match(bodyText(filled), /value="not lost"/);
    for (const _ of [1, 2])
      assert.equal((await bob.submit(filled, { note: 'not lost' })).status, 303);
    assert.deepEqual(notes, ['not lost']);
    assert.doesNotMatch(bodyText(await bob.get('/account/second-factor')), /Your role needs/);
  });

  story('a page and a form wait through a log-in and the second factor', async (one) => {
    const { accounts, notes, register, site, switchOn } = one;
    await register('ada');
    await register('bob', 'reader');
    await accounts.command(['role', 'bob', 'editor']);
    const bob = createVisitor(site);
    const refused = await bob.post('/notes', { note: 'not lost' });
    const [, logIn = ''] = /href="(\/login[^"]*)"/.exec(bodyText(refused)) ?? [];
    const typed = { username: 'bob', password: PASSWORD };
    const forced = await bob.follow(await bob.submit(logIn.replaceAll('&amp;', '&'), typed));
    const { done } = await switchOn(bob, forced);
    assert.equal(done.headers['Location'], '/notes');
    const filled = await bob.follow(done);
    assert.match(bodyText(filled), /value="not lost"/);
    await bob.submit(filled, { note: 'not lost' });
    assert.deepEqual(notes, ['not lost']);
  });

  story('who registers with such a role is led to the page asked for', async (one) => {
    const { accounts, site, switchOn } = one;
    await one.register('ada');
    const carol = createVisitor(site);
    const fields = { username: 'carol', password: PASSWORD, passwordagain: PASSWORD };
    const path = `${await accounts.invite('editor')}&next=%2Fpeople-only`;
    const forced = await carol.follow(await carol.submit(path, fields));
    const { done } = await switchOn(carol, forced);
    assert.equal(done.headers['Location'], '/people-only');
    // Somebody else may have made the link.
    const dan = createVisitor(site);
    await dan.submit(await accounts.invite('editor'), { ...fields, username: 'dan' });
    const page = await dan.get('/account/second-factor?next=https://evil.example');
    assert.equal((await switchOn(dan, page)).done.headers['Location'], '/account');
  });

  test(`${name}: a code that was used is sealed with the first secret`, async (t) => {
    const database = await openDatabase(t);
    const clock = createClock();
    const [old, next] = ['old '.repeat(8), 'next'.repeat(8)];
    const { register, switchOn } = createFactorSite(database, { secrets: old }, clock);
    const { secret } = await switchOn(await register('ada'));
    const logIn = async (secrets: readonly string[]) => {
      const { beginLogIn, codeOf } = createFactorSite(database, { secrets }, clock);
      const visitor = await beginLogIn('ada');
      const form = await visitor.get('/login/second-factor');
      const { status } = await visitor.submit(form, { code: codeOf(secret) });
      clock.pass(STEP);
      return status;
    };
    assert.equal(await logIn([next]), 401);
    assert.equal(await logIn([next, old]), 303);
    assert.equal(await logIn([next]), 303);
  });

  story('a recovery code replaces the second factor once', async (one) => {
    const { register, site, switchOn, events } = one;
    const { codes } = await switchOn(await register('ada'));
    const [code = ''] = codes;
    const logIn = async () => {
      const visitor = createVisitor(site);
      await visitor.submit('/login', { username: 'ada', password: PASSWORD });
      return visitor.submit('/login/recovery-code', { code: code.toLowerCase() });
    };
    const answers = await Promise.all([logIn(), logIn()]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 401]);
    assert.equal(events.filter(({ kind }) => kind === 'recovery code used').length, 1);
  });
}
