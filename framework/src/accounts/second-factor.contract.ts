/** The second factor by one-time codes on each engine. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Database } from '../database/database.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { PASSWORD } from './accounts-site.fixture.ts';
import { createFactorSite } from './factor-site.fixture.ts';

export function describeSecondFactor(
  name: string,
  openDatabase: (t: TestContext) => Promise<Database>,
): void {
  const open = async (t: TestContext) => createFactorSite(await openDatabase(t));
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
