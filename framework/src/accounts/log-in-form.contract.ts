/** The log-in form on an error page of one's own: whichever way the log-in goes, the refused form is not lost. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Database } from '../database/database.ts';
import { passwordField, textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { html } from '../http/html.ts';
import { page, type Response } from '../http/response.ts';
import { german } from '../language/german.ts';
import { requireSession } from '../session/require-session.ts';
import { formPage } from '../site/form-page.ts';
import { request } from '../testing/make-request.ts';
import { bodyText, createVisitor, hiddenFields, type Visitor } from '../testing/visitor.ts';
import { type Given, PASSWORD } from './accounts-site.fixture.ts';
import { createFactorSite } from './factor-site.fixture.ts';

const ADA = { username: 'ada', password: PASSWORD };
const KEPT = /What you typed is kept on this page/;
const OTHER = /href="([^"]*)">Other ways to log in</;

export function describeLogInForm(
  name: string,
  openDatabase: (t: TestContext) => Promise<Database>,
): void {
  const open = async (t: TestContext, given: Given = {}) => {
    const database = await openDatabase(t);
    const one: ReturnType<typeof createFactorSite> = createFactorSite(database, {
      hasMail: false,
      ...given,
      site: {
        ...given.site,
        errors: {
          report: () => {},
          page: async ({ status, message }, context) =>
            page(
              html`<h1>${status}</h1><p>${message}</p>${await one.accounts.logInForm(context)}<p>${String(await one.accounts.keepsDraft(context))}</p>`,
              status,
            ),
        },
      },
    });
    await one.register('ada');
    return one;
  };
  const story = (
    what: string,
    tell: (
      open_: (given?: Given) => Promise<Awaited<ReturnType<typeof open>>>,
      t: TestContext,
    ) => Promise<void>,
  ) => test(`${name}: ${what}`, (t) => tell((given) => open(t, given), t));

  /** The filled form is sent by hand, twice: it counts once. */
  const sendFilled = async (
    visitor: Visitor,
    loggedIn: Response,
    notes: readonly string[],
    path = '/notes',
  ) => {
    assert.equal(loggedIn.headers['Location'], path, bodyText(loggedIn));
    const filled = await visitor.get(path);
    assert.match(bodyText(filled), /value="not &lt;lost&gt;"/);
    const before = notes.length;
    for (const _ of [1, 2]) await visitor.submit(filled, { note: 'not <lost>' });
    assert.deepEqual(notes.slice(before), ['not <lost>']);
  };
  const refuse = async (site: Parameters<typeof createVisitor>[0], target = '/notes') => {
    const visitor = createVisitor(site);
    const refused = await visitor.post(target, { note: 'not <lost>', _once: 'one-key-of-a-page' });
    assert.equal(refused.status, 401);
    return { visitor, refused };
  };

  story('a refused form comes back after a wrong password and a right one', async (open) => {
    const { site, notes } = await open();
    const { visitor, refused } = await refuse(site, '/notes?course=7');
    assert.match(bodyText(refused), KEPT);
    assert.match(bodyText(refused), /<p>true<\/p>/);
    // Nothing is stored for a visitor.
    assert.doesNotMatch(bodyText(refused), /_draft|Other ways to log in/);
    const wrong = await visitor.submit(refused, { ...ADA, password: 'wrong password' });
    assert.equal(wrong.status, 401);
    assert.match(bodyText(wrong), KEPT);
    assert.match(bodyText(wrong), /is incorrect/);
    // The draft is in this page alone.
    assert.doesNotMatch(bodyText(wrong), /<ul class="ways">/);
    const loggedIn = await visitor.submit(wrong, ADA);
    await sendFilled(visitor, loggedIn, notes, '/notes?course=7');
  });

  story(
    'the log-in form of a page, sent again, logs in once more, and no harm is done',
    async (open) => {
      const { site, notes } = await open();
      const { visitor, refused } = await refuse(site);
      const both = await Promise.all([visitor.submit(refused, ADA), visitor.submit(refused, ADA)]);
      for (const loggedIn of both) assert.equal(loggedIn.headers['Location'], '/notes');
      await sendFilled(visitor, both[1], notes);
      // Later, by Back: the form is filled in again, and still counts once.
      const again = await visitor.submit(refused, ADA);
      assert.equal(again.headers['Location'], '/notes');
      await visitor.submit(await visitor.get('/notes'), { note: 'not <lost>' });
      assert.deepEqual(notes, ['not <lost>']);
    },
  );

  for (const way of ['one-time code', 'recovery code'] as const) {
    story(`a refused form waits for the ${way} behind the password`, async (open) => {
      const { site, notes, switchOn, codeOf } = await open();
      const ada = createVisitor(site);
      await ada.submit('/login', ADA);
      const { secret, codes } = await switchOn(ada);
      const { visitor, refused } = await refuse(site);
      const begun = await visitor.submit(refused, ADA);
      assert.equal(begun.headers['Location'], '/login/second-factor?next=%2Fnotes');
      const target =
        way === 'one-time code'
          ? String(begun.headers['Location'])
          : '/login/recovery-code?next=%2Fnotes';
      const form = await visitor.get(target);
      assert.equal((await visitor.submit(form, { code: '000000' })).status, 401);
      const code = way === 'one-time code' ? codeOf(secret) : (codes[0] ?? '');
      const [first, second] = await Promise.all([
        visitor.submit(form, { code }),
        visitor.submit(form, { code }),
      ]);
      assert.equal(first?.headers['Location'], '/notes');
      await sendFilled(visitor, second as Response, notes);
    });
  }

  story('a refused form goes along the other ways, also after a wrong password', async (open) => {
    const { site, notes, linkOfMail } = await open({ hasMail: true });
    const ada = createVisitor(site);
    await ada.submit('/login', ADA);
    await ada.submit('/account/email', { email: 'ada@example.org' });
    await ada.submit(linkOfMail(), {});

    const { visitor, refused } = await refuse(site);
    const [, other = ''] = OTHER.exec(bodyText(refused)) ?? [];
    assert.match(other, /^\/login\?next=%2Fnotes%3F_draft%3D/);
    const wrong = await visitor.submit(refused, { ...ADA, password: 'wrong password' });
    for (const from of [await visitor.get(other), wrong]) {
      const [, link = ''] = /href="(\/login\/link[^"]*)"/.exec(bodyText(from)) ?? [];
      assert.equal(link, other.replace('/login?', '/login/link?'));
      const browser = from === wrong ? visitor : createVisitor(site);
      await browser.submit(link, { email: 'ada@example.org' });
      const loggedIn = await browser.submit(await browser.get(linkOfMail()), {});
      const claimed = await browser.get(String(loggedIn.headers['Location']));
      if (from === wrong) {
        await sendFilled(browser, claimed, notes);
        continue;
      }
      assert.equal(claimed.headers['Location'], '/notes');
      assert.match(bodyText(await browser.get('/notes')), /value="not &lt;lost&gt;"/);
    }
    // The password does not ask for the parked one.
    const { visitor: other_, refused: again } = await refuse(site);
    assert.equal((await other_.submit(again, ADA)).headers['Location'], '/notes');
  });

  story('somebody whose log-in is too old logs in again in place', async (open) => {
    const { site, notes, pass } = await open();
    const ada = createVisitor(site);
    await ada.submit('/login', ADA);
    pass(11 * 60_000);
    const refused = await ada.post('/danger/notes', { note: 'not <lost>', _once: 'one-key' });
    assert.equal(refused.status, 401);
    assert.match(bodyText(refused), /<form[^>]* action="\/login\/again"/);
    await sendFilled(ada, await ada.submit(refused, ADA), notes, '/danger/notes');
  });

  story(
    'a duty that comes first has its link, and the form is filled in afterwards',
    async (open) => {
      const { accounts, notes, register, site, switchOn } = await open({
        secondFactorFor: ['editor'],
      });
      await register('bob', 'reader');
      const bob = createVisitor(site);
      await bob.submit('/login', { ...ADA, username: 'bob' });
      await accounts.command(['role', 'bob', 'editor']);
      const refused = await bob.post('/notes', { note: 'not <lost>', _once: 'one-key' });
      assert.equal(refused.status, 403);
      const [, link = ''] = /<a href="([^"]*)">Add a second factor</.exec(bodyText(refused)) ?? [];
      assert.match(link, /^\/account\/second-factor\?next=/);
      assert.doesNotMatch(bodyText(refused), /name="password"/);
      const { done } = await switchOn(bob, await bob.get(link));
      await sendFilled(bob, await bob.get(String(done.headers['Location'])), notes);
    },
  );

  story('a draft that is forged, or too long, is none', async (open) => {
    const { site } = await open();
    const draft = {
      action: '/notes',
      path: '/notes',
      fields: { note: 'x' },
      once: null,
      language: 'en',
    };
    const forged: readonly (readonly [text: string, path: string])[] = [
      ['{', '/'],
      ['[]', '/'],
      ['null', '/'],
      [JSON.stringify({ ...draft, path: '//evil.example/' }), '/'],
      [JSON.stringify({ ...draft, path: 'https://evil.example/' }), '/'],
      [JSON.stringify({ ...draft, path: '/\\evil.example' }), '/'],
      [JSON.stringify({ ...draft, action: 'https://evil.example/' }), '/'],
      [JSON.stringify({ ...draft, once: 'a key' }), '/'],
      [JSON.stringify({ ...draft, language: 'e'.repeat(40) }), '/'],
      [JSON.stringify({ ...draft, fields: { note: 'x'.repeat(65_536) } }), '/'],
      // A whole one, but the log-in does not lead to itself, and `next` does not count beside it.
      [JSON.stringify({ ...draft, path: '/logout' }), '/'],
      [JSON.stringify(draft), '/notes'],
    ];
    for (const [at, [text, path]] of forged.entries()) {
      const visitor = createVisitor(site, { address: `192.0.2.${at}` });
      const nobody = { username: `nobody${at}`, password: 'wrong' };
      const wrong = await visitor.post('/login', { ...nobody, draft: text });
      assert.equal(wrong.status, 401);
      if (path === '/' && !text.includes('/logout')) assert.doesNotMatch(bodyText(wrong), KEPT);
      const answer = await visitor.post('/login', { ...ADA, draft: text });
      assert.equal(answer.headers['Location'], path, text.slice(0, 80));
    }
    const visitor = createVisitor(site);
    const fields = { note: 'x', admin: 'yes', __proto__: 'y', _once: 'z' };
    await visitor.post('/login', { ...ADA, draft: JSON.stringify({ ...draft, fields }) });
    assert.doesNotMatch(bodyText(await visitor.get('/notes')), /admin|value="z"/);
  });

  story(
    'a text too long for a draft is not in the page, and the log-in leads to its form',
    async (open) => {
      const { site } = await open();
      const visitor = createVisitor(site);
      const refused = await visitor.post('/notes', { note: 'x'.repeat(70_000) });
      assert.equal(refused.status, 401);
      assert.doesNotMatch(bodyText(refused), KEPT);
      assert.match(bodyText(refused), /<p>false<\/p>/);
      assert.equal((await visitor.submit(refused, ADA)).headers['Location'], '/notes');
    },
  );

  story('a log-in may be larger than the forms of the site, for the draft in it', async (open) => {
    const { site } = await open({ site: { forms: { limit: 300 } } });
    const visitor = createVisitor(site);
    // Each is 1 character in the form, 2 in JSON, and 6 in the form again.
    const refused = await visitor.post('/notes', { note: '"'.repeat(90) });
    const loggedIn = await visitor.submit(refused, ADA);
    assert.equal(loggedIn.headers['Location'], '/notes');
    assert.match(bodyText(await visitor.get('/notes')), /value="(&quot;){90}"/);
  });

  story('no password is in a draft', async (open) => {
    const { site } = await open();
    const secret = defineForm({
      note: textField({ label: 'Note', maxLength: 100 }),
      pin: passwordField({ label: 'PIN', required: 'Enter it', minLength: 1, maxLength: 99 }),
    });
    formPage(site, '/secret', secret, {
      button: 'Add',
      middleware: [requireSession],
      show: ({ formHtml }) => formHtml,
      act: () => page(html``, 409),
    });
    const visitor = createVisitor(site);
    const refused = await visitor.post('/secret', { note: 'typed', pin: 'hidden words' });
    assert.match(bodyText(refused), /typed/);
    assert.doesNotMatch(bodyText(refused), /hidden words/);
    const loggedIn = await visitor.submit(refused, ADA);
    const filled = bodyText(await visitor.follow(loggedIn));
    assert.match(filled, /value="typed"/);
    assert.doesNotMatch(filled, /hidden words/);
  });

  story('a button leads to the page that it stood on', async (open) => {
    const { site } = await open({ hasMail: true });
    site.post('/notes/7/delete', requireSession, () => page(html``, 409));
    const headers = { referer: 'http://localhost/notes?page=2' };
    const visitor = createVisitor(site, { headers });
    const refused = await visitor.post('/notes/7/delete');
    assert.match(bodyText(refused), /<p>false<\/p>/);
    assert.match(bodyText(refused), /href="\/login\?next=%2Fnotes%3Fpage%3D2">Other ways/);
    const loggedIn = await visitor.submit(refused, ADA);
    assert.equal(loggedIn.headers['Location'], '/notes?page=2');
  });

  story('a private site is for users, but for the log-in and the open routes', async (open) => {
    const { site, register } = await open({
      hasMail: true,
      private: true,
      openRoutes: ['/help', '/rules/:name'],
      secondFactorFor: ['editor'],
    });
    let ran = 0;
    site
      .get('/help', () => page(html`Help`))
      .get('/rules/:name', () => page(html`Rules`))
      .get(
        '/late/:id<int>',
        (context, next) => {
          ran++;
          return next(context);
        },
        () => ({ status: 304, headers: { ETag: '"1"' }, body: null }),
      );
    const visitor = createVisitor(site);
    const statusOf = async (path: string) => (await visitor.get(path)).status;
    for (const path of ['/help', '/rules/one', '/login', '/login/forget.css', '/login/link'])
      assert.equal(await statusOf(path), 200, path);
    for (const path of ['/password/forgot', '/mail-sent'])
      assert.equal(await statusOf(path), 200, path);
    assert.equal(await statusOf('/register'), 403);
    assert.equal(await statusOf('/nowhere'), 404);
    assert.equal((await visitor.post('/nowhere')).status, 404);
    for (const { method, pattern } of site.routes) {
      const path = pattern.replace(':id<int>', '7').replace(':name', 'one');
      const answer = await (method === 'GET' ? visitor.get(path) : visitor.post(path));
      const isOpen =
        /^\/(?:login(?:\/.*)?|logout|register|password\/(?:forgot|new)|mail-sent|account\/email\/confirm|help|rules\/one)$/;
      if (isOpen.test(path)) continue;
      assert.equal(answer.status, method === 'GET' ? 303 : 401, `${method} ${path}`);
      if (method === 'GET')
        assert.match(String(answer.headers['Location']), /^\/login(?:\/again)?\?next=/, path);
    }
    const head = request('HEAD', '/late/7', null, { headers: { 'if-none-match': '"1"' } });
    assert.equal((await site.handle(head)).status, 303);
    assert.equal(
      (await visitor.get('/late/7', { headers: { 'if-none-match': '"1"' } })).status,
      303,
    );
    assert.equal(ran, 0, 'its own middleware has not run');
    const bob = await register('bob', 'editor');
    assert.equal((await bob.get('/help')).status, 200);
    assert.match(String((await bob.get('/')).headers['Location']), /^\/account\/second-factor/);
  });

  story('the log-in page clears the cache of the pages of the user before', async (open) => {
    const { site } = await open();
    const visitor = createVisitor(site);
    const shown = bodyText(await visitor.get('/login'));
    const [, path = ''] = /<link rel="stylesheet" href="([^"]*)">/.exec(shown) ?? [];
    assert.equal((await visitor.get(path)).headers['Clear-Site-Data'], '"cache"');
    const foreign = await visitor.get(path, { headers: { 'sec-fetch-site': 'cross-site' } });
    assert.equal(foreign.status, 200);
    assert.equal(foreign.headers['Clear-Site-Data'], undefined);
    await visitor.submit('/login', ADA);
    assert.doesNotMatch(bodyText(await visitor.get('/login/again')), /forget\.css/);
  });

  story('a very long `next` is dropped, wherever it comes from', async (open) => {
    const { register, site, switchOn } = await open();
    await switchOn(await register('bob', 'reader'));
    const whole = `/${'a'.repeat(4_095)}`;
    for (const [next, rest] of [
      [whole, `?next=%2F${whole.slice(1)}`],
      [`${whole}a`, ''],
    ] as const) {
      const half = await createVisitor(site).post('/login', { ...ADA, username: 'bob', next });
      assert.equal(half.headers['Location'], `/login/second-factor${rest}`);
      const answer = await createVisitor(site).post('/login', { ...ADA, next });
      assert.equal(answer.headers['Location'], rest === '' ? '/' : whole);
    }
  });

  story('`next` of the form leads to a page of the site alone', async (open) => {
    const { site } = await open();
    const leads: readonly (readonly [next: string, path: string])[] = [
      ['/notes?q=1', '/notes?q=1'],
      ['//evil.example/', '/'],
      ['https://evil.example/', '/'],
      ['/\\evil.example', '/'],
      ['/login', '/'],
      ['/logout', '/'],
    ];
    for (const [next, path] of leads) {
      const answer = await createVisitor(site).post('/login', { ...ADA, next });
      assert.equal(answer.headers['Location'], path, next);
    }
    const over = await createVisitor(site).post('/login?next=%2Fa', { ...ADA, next: '/b' });
    assert.equal(over.headers['Location'], '/b');
  });

  story('a log-in that is throttled keeps the draft, and another site gets none', async (open) => {
    const { site, notes, pass } = await open();
    const { visitor, refused } = await refuse(site);
    let shown = refused;
    while (shown.status === 401)
      shown = await visitor.submit(shown, { ...ADA, password: 'wrong password' });
    assert.equal(shown.status, 429);
    assert.match(bodyText(shown), KEPT);
    assert.match(bodyText(shown), /value="ada"/);
    assert.doesNotMatch(bodyText(shown), /wrong password/);
    pass(4 * 60_000);
    await sendFilled(visitor, await visitor.submit(shown, ADA), notes);

    const [form = ''] = /<form[\s\S]*?<\/form>/.exec(bodyText(refused)) ?? [];
    const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
    const fields = { ...hiddenFields(form), ...ADA };
    const planted = await createVisitor(site).post('/login', fields, foreign);
    assert.equal(planted.status, 403);
    assert.doesNotMatch(bodyText(planted), /<form|lost|<p>true/);
    const sent = await createVisitor(site).post('/notes', { note: 'theirs' }, foreign);
    assert.doesNotMatch(bodyText(sent), /<form|theirs|<p>true/);
  });

  story('the form speaks the language of its visitor', async (open) => {
    const { site } = await open({ hasMail: true, site: { languages: [german] } });
    const refused = bodyText((await refuse(site)).refused);
    assert.match(refused, /Ihre Eingaben bleiben auf dieser Seite/);
    assert.match(refused, /Angemeldet bleiben|Benutzername/);
    assert.match(refused, /Andere Wege, sich anzumelden/);
  });
}
