/** Who sees and changes whom on the pages of people, and what they call a person. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Database } from '../database/database.ts';
import { html } from '../http/html.ts';
import { page, type Response } from '../http/response.ts';
import { bodyText, createVisitor, type Visitor } from '../testing/visitor.ts';
import { accountUser } from './account-options.ts';
import { createOwnTables, createStory, OWN_TABLES, PASSWORD } from './accounts-site.fixture.ts';

export function describePeople(
  name: string,
  openDatabase: (t: TestContext) => Promise<Database>,
): void {
  const story = createStory(name, openDatabase);

  story('the people are seen by the highest role alone, or by those of seenBy', async (open) => {
    const { register } = await open();
    await register('ada');
    const bob = await register('bob', 'editor');
    assert.equal((await bob.get('/people')).status, 403);
    assert.doesNotMatch(bodyText(await bob.get('/account')), /href="\/people"/);

    const { register: registerSeen, site } = await open({ people: { seenBy: 'editor' } });
    const ada = await registerSeen('ada');
    const visitor = createVisitor(site);
    assert.equal((await visitor.get('/people')).headers['Location'], '/login?next=%2Fpeople');
    assert.match(bodyText(await visitor.get('/login?next=%2Fpeople')), /Log in to continue\./);
    assert.doesNotMatch(bodyText(await visitor.get('/login')), /Log in to continue/);
    const reader = await registerSeen('rita', 'reader');
    const editor = await registerSeen('eve', 'editor');
    assert.equal((await reader.get('/people')).status, 403);
    assert.doesNotMatch(bodyText(await reader.get('/account')), /href="\/people"/);
    assert.match(bodyText(await editor.get('/account')), /href="\/people"/);
    const seen = await editor.get('/people');
    assert.equal(seen.headers['Cache-Control'], 'no-store');
    assert.deepEqual(rowsOf(seen), ['ada,admin', 'eve,editor', 'rita,reader']);
    assert.match(bodyText(seen), /To invite somebody, .*, ask an administrator: ada\./);
    assert.match(bodyText(await ada.get('/people')), /Invite somebody/);
  });

  story(
    'pages call a role what the site calls it, and an invitation begins with one',
    async (open) => {
      const { register } = await open({
        hasMail: false,
        defaultRole: 'editor',
        people: {
          roles: {
            reader: { name: 'Reader' },
            editor: { name: 'Editor', choice: 'Editor: can change plans' },
            admin: { name: 'Administrator' },
          },
        },
      });
      const ada = await register('ada');
      await register('bob', 'editor');
      const people = await ada.get('/people');
      assert.deepEqual(rowsOf(people), ['ada,Administrator', 'bob,Editor']);
      const chosen = /<option value="editor" selected>Editor: can change plans<\/option>/;
      assert.match(bodyText(people), chosen);
      assert.match(bodyText(people), /<option value="reader">Reader<\/option>/);
      await ada.submit('/people/2', { action: 'role', role: 'reader' });
      const person = bodyText(await ada.get('/people/2'));
      assert.match(person, /The role is now Reader\./);
      assert.match(person, /The role was changed\. Reader/);
      await ada.submit('/people', { to: 'Grace', role: 'editor' });
      assert.match(bodyText(await ada.get('/people')), />Grace<\/th><td>Editor</);
    },
  );

  story('on a site with mails, who has no address gets a link to hand over', async (open) => {
    const { mails, register, site } = await open();
    const ada = await register('ada');
    const wrong = await ada.submit('/people', { to: 'grace@', role: 'reader' });
    assert.equal(wrong.status, 400);
    assert.match(bodyText(wrong), /This is not an email address/);
    await ada.submit('/people', { to: 'Grace', role: 'reader' });
    assert.equal(mails.length, 0);
    const shown = bodyText(await ada.get('/people'));
    const [, path = ''] = /Send this link to Grace\..*(\/register\?token=[\w-]+)/.exec(shown) ?? [];
    assert.match(bodyText(await createVisitor(site).get(path)), /You are invited\. Choose/);
    await ada.submit('/people', { to: 'grace@example.org', role: 'reader' });
    assert.equal(mails.length, 1);
    assert.equal((await ada.submit('/people', { to: '', role: 'reader' })).status, 400);
  });

  story('nobody sets their own password by a link of their own', async (open) => {
    const { register } = await open();
    const ada = await register('ada');
    assert.doesNotMatch(bodyText(await ada.get('/people/1')), /value="link"/);
    const refused = await ada.submit('/people/1', { action: 'link' });
    assert.equal(refused.status, 409);
    assert.match(bodyText(refused), /Change your own password on the page of your account/);
    assert.doesNotMatch(bodyText(refused), /token=/);
  });

  story('who only sees the people gets names and roles, and nothing else', async (open) => {
    const { linkOfMail, register } = await open({ people: { seenBy: 'reader' } });
    const ada = await register('ada');
    const bob = await register('bob', 'reader');
    const carl = await register('carl', 'admin');
    await carl.submit('/account/email', { email: 'carl@example.org' });
    await carl.submit(linkOfMail(), {});
    await register('barb', 'admin');
    assert.equal(
      (await ada.submit('/people', { to: 'eve@example.org', role: 'reader' })).status,
      303,
    );
    await ada.submit('/people/4', { action: 'disable' });
    const shown = await bob.get('/people');
    assert.deepEqual(rowsOf(shown), ['ada,admin', 'bob,reader', 'carl,admin']);
    assert.match(bodyText(shown), /ask an administrator: ada or carl\./);
    assert.doesNotMatch(bodyText(shown), /<form|<a |Disabled|barb|@example|Open inv|Second factor/);
    assert.deepEqual(rowsOf(await ada.get('/people'))[1], 'barb,admin, Disabled');
    // An address cannot ask who comes after somebody that is disabled.
    for (const query of ['?after=4', '?before=4', '?after=99'])
      assert.deepEqual(rowsOf(await bob.get(`/people${query}`)), rowsOf(shown), query);
  });

  story('a site answers those whose role is too low in its own way', async (open) => {
    const { register } = await open({
      people: { seenBy: 'editor' },
      refuseRole: ({ session }, needed) =>
        page(html`<p>${session?.user.name} needs the role ${needed}.</p>`, 403),
    });
    await register('ada');
    const [reader, editor] = [await register('rita', 'reader'), await register('eve', 'editor')];
    for (const [visitor, path, said] of [
      [reader, '/people', 'rita needs the role editor'],
      [reader, '/people-only', 'rita needs the role editor'],
      [editor, '/people/1', 'eve needs the role admin'],
    ] as const) {
      const answer = await visitor.get(path);
      assert.equal(answer.status, 403, path);
      assert.match(bodyText(answer), new RegExp(said));
    }
    const sent = await editor.post('/people', { to: 'grace@example.org', role: 'admin' });
    assert.match(bodyText(sent), /eve needs the role admin/);
    assert.equal((await editor.get('/people')).status, 200);
  });

  story('who only sees the people changes nobody', async (open) => {
    const { events, mails, register, site } = await open({ people: { seenBy: 'reader' } });
    const ada = await register('ada');
    const bob = await register('bob', 'editor');
    await register('carl', 'reader');
    await ada.submit('/people', { to: 'eve@example.org', role: 'reader' });
    const [, id = ''] = /name="id" value="(\w+)"/.exec(bodyText(await ada.get('/people'))) ?? [];
    const sent = [
      ['/people', { to: 'mallory@example.org', role: 'admin' }],
      ['/people/2', { role: 'admin', action: 'role' }],
      ['/people/3', { action: 'link' }],
      ['/people/3', { action: 'disable' }],
      ['/people/invitations', { id, action: 'withdraw' }],
    ] as const;
    const before = [events.length, mails.length];
    for (const [path, fields] of sent) {
      assert.equal((await createVisitor(site).post(path, fields)).status, 401, path);
      assert.equal((await bob.post(path, fields)).status, 403, path);
    }
    assert.equal((await bob.get('/people/3')).status, 403);
    assert.deepEqual([events.length, mails.length], before);
    assert.match(bodyText(await ada.get('/people')), /eve@example\.org/);
  });

  story(
    'to look at people needs no recent log-in; each form does, and is not lost',
    async (open) => {
      let now = new Date('2026-06-01T12:00:00Z');
      const { events, mails, register } = await open({
        now: () => now,
        site: { session: { now: () => now } },
      });
      const ada = await register('ada');
      await register('bob', 'reader');
      await ada.submit('/people', { to: 'carl@example.org', role: 'reader' });
      now = new Date('2026-06-01T12:11:00Z');
      const invite = await ada.get('/people');
      const person = await ada.get('/people/2');
      assert.deepEqual([invite.status, person.status], [200, 200]);
      const [, id = ''] = /name="id" value="(\w+)"/.exec(bodyText(invite)) ?? [];
      const before = [events.length, mails.length];
      const withdrawn = await ada.post('/people/invitations', { id, action: 'withdraw' });
      const link = await ada.submit(person, { action: 'link' });
      const invited = await ada.submit(invite, { to: 'eve@example.org', role: 'editor' });
      const changed = await ada.submit(person, { role: 'editor', action: 'role' });
      assert.deepEqual(
        [withdrawn, link, invited, changed].map(({ status }) => status),
        [401, 401, 401, 401],
      );
      assert.deepEqual([events.length, mails.length], before);

      const form = await logInAgain(ada, invited);
      assert.match(bodyText(form), /name="to"[^>]* value="eve@example\.org"/);
      assert.match(bodyText(form), /value="editor" (?:selected|checked)/);
      assert.equal((await ada.submit(form, { to: 'eve@example.org', role: 'editor' })).status, 303);
      assert.equal(mails.at(-1)?.to, 'eve@example.org');
      now = new Date('2026-06-01T12:22:00Z');
      const role = await logInAgain(
        ada,
        await ada.submit(person, { role: 'editor', action: 'role' }),
      );
      assert.match(bodyText(role), /value="editor" (?:selected|checked)/);
      assert.equal((await ada.submit(role, { role: 'editor', action: 'role' })).status, 303);
      assert.match(bodyText(await ada.get('/people')), /bob<\/a><\/th><td>editor</);
    },
  );

  story('people are called what the site calls them', async (open) => {
    let id = 0;
    const { database, register } = await open({
      hasMail: false,
      tables: { ...OWN_TABLES, nextId: async () => ++id },
      user: accountUser(['called'], ({ called }) => ({ called: String(called) })),
      people: { seenBy: 'reader', name: (user) => (user as unknown as Called).called || user.name },
      pages: {
        async person({ flash, formHtml, person, title }) {
          const { called } = (person as unknown as { readonly user: Called }).user;
          return html`${flash}<h1>${title}</h1><p>${person?.username} since ${person?.createdAt.toISOString().slice(0, 4)}, ${called} has 2 books.</p>${formHtml}`;
        },
        account: ({ main, person }) => html`${person === null ? main : 'somebody else'}`,
      },
    });
    await createOwnTables(database);
    const ada = await register('ada');
    const bob = await register('bob', 'reader');
    await database.write(({ run }) =>
      run("update people set called = 'The <Countess>' where id = 1"),
    );
    await database.write(({ run }) => run("update people set called = 'Bobby' where id = 2"));
    // By what is shown, not by the username.
    assert.deepEqual(rowsOf(await bob.get('/people')), [
      'Bobby,reader',
      'The &lt;Countess&gt;,admin',
    ]);
    await ada.submit('/people', { to: 'Eve', role: 'reader' });
    assert.match(bodyText(await ada.get('/people')), /"Invited by">The &lt;Countess&gt;</);
    assert.match(bodyText(await bob.get('/people')), /an administrator: The &lt;Countess&gt;\./);
    assert.match(bodyText(await bob.get('/account')), /as bob\. Others see you as Bobby\./);
    assert.deepEqual(rowsOf(await ada.get('/people'))[0], 'Bobby (bob),reader');
    const person = bodyText(await ada.get('/people/2'));
    assert.match(person, /<h1>Bobby<\/h1><p>bob since \d{4}, Bobby has 2 books\.<\/p>.*<form/s);
    for (const [action, message] of [
      ['link', /Send this link to Bobby\./],
      ['disable', /Bobby is logged out everywhere/],
      ['enable', /Bobby can log in again/],
    ] as const)
      assert.match(bodyText(await ada.follow(await ada.submit('/people/2', { action }))), message);
  });

  story('many people are in pages, whose addresses name nobody', async (open) => {
    const { database, register } = await open({
      people: { seenBy: 'reader', name: ({ id }) => `person ${id}` },
    });
    const ada = await register('ada');
    await database.write(async ({ run }) => {
      for (let count = 0; count < 60; count++)
        await run(
          `insert into seeother_accounts (username, username_key, password_hash, role, created_at, handle)
            values (?, ?, '', 'reader', '2026-06-01T12:00:00.000Z', ?)`,
          [`bob${10 + count}@example.org`, `bob${10 + count}@example.org`, `handle ${count}`],
        );
    });
    const bob = await register('zoe', 'reader');
    for (const visitor of [ada, bob]) {
      const first = await visitor.get('/people');
      const [, next = ''] = /href="([^"]*after=[^"]*)"/.exec(bodyText(first)) ?? [];
      const second = await visitor.get(next);
      const names = [...rowsOf(first), ...rowsOf(second)].map((row) => row.replace(/ \(.*\)/, ''));
      assert.equal(new Set(names).size, 62);
      const [, back = ''] = /href="([^"]*before=[^"]*)"/.exec(bodyText(second)) ?? [];
      assert.deepEqual(rowsOf(await visitor.get(back)), rowsOf(first));
      assert.deepEqual(names, names.toSorted(new Intl.Collator('en').compare));
      assert.deepEqual(rowsOf(await visitor.get('/people?after=99')), rowsOf(first));
    }
    assert.doesNotMatch(bodyText(await bob.get('/people')), /bob/);
    // Too many to sort: by username, for which there is an index.
    await database.write(({ run }) =>
      run(`insert into seeother_accounts (username, username_key, password_hash, role, created_at, handle)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 440)
        select 'more ' || n, 'more ' || n, '', 'reader', '2026-06-01T12:00:00.000Z', 'more ' || n from numbers`),
    );
    assert.match(
      rowsOf(await bob.get('/people')).join(),
      /^person 1,admin,person 2,reader,person 3,/,
    );
  });
}

interface Called {
  readonly called: string;
}

/** The rows of the table, without tags: `bob,reader`. */
function rowsOf(shown: Response): readonly string[] {
  const [table = ''] = /<tbody>.*?<\/tbody>/s.exec(bodyText(shown)) ?? [];
  return [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    row.replaceAll('</th>', ',').replaceAll(/<[^>]*>/g, ''),
  );
}

/** From a form that was refused, to its page, filled in again. */
async function logInAgain(visitor: Visitor, refused: Response): Promise<Response> {
  assert.equal(refused.status, 401);
  const [, path = ''] = /href="(\/login\/again[^"]*)"/.exec(bodyText(refused)) ?? [];
  const fields = { username: 'ada', password: PASSWORD };
  return visitor.follow(await visitor.submit(path.replaceAll('&amp;', '&'), fields));
}
