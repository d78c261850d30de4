/** The framework's audit on both engines: what forms of each kind record, and when they record nothing. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import {
  createSite,
  defineForm,
  formPage,
  html,
  localPath,
  page,
  seeOther,
  startSession,
  withSession,
} from 'seeother';
import { type AuditEntry, createAudit, createStores, type Database } from 'seeother/database';
import {
  choiceField,
  fileField,
  hiddenField,
  moneyField,
  passwordField,
  rows,
  textField,
} from 'seeother/fields';
import { createFolder } from 'seeother/files';
import { english, german } from 'seeother/languages';
import { stepPages, steps } from 'seeother/steps';
import { bodyText, createVisitor } from 'seeother/testing';
import { createBareDatabase } from '../testing/open-bare-database.ts';
import { createTestFolder, ENGINES } from '../testing/open-test-database.ts';

const bookForm = defineForm({
  title: textField({ label: 'Title', required: 'Enter a title', maxLength: 80 }),
  price: moneyField({ label: 'Price', currency: 'EUR' }),
  shelf: choiceField({ label: 'Shelf', choices: [{ value: 'a', label: 'Upstairs' }] }),
  token: hiddenField(),
  cover: fileField({ label: 'Cover', maxSize: 1_000 }),
  authors: rows({
    label: 'Authors',
    name: 'Author',
    fields: { name: textField({ label: 'Name', maxLength: 80 }) },
    min: 0,
    max: 3,
  }),
});
const secretForm = defineForm({
  find: textField({ label: 'Find', maxLength: 80, listed: false }),
  name: textField({ label: 'Name', maxLength: 80 }),
  password: passwordField({
    label: 'Password',
    required: 'Enter one',
    minLength: 8,
    maxLength: 99,
  }),
});
const contactForm = defineForm({ email: textField({ label: 'Mail', maxLength: 80 }) });
const roomForm = defineForm({ room: textField({ label: 'Room', maxLength: 80 }) });

async function openAudited(t: TestContext, engine: Database['engine']) {
  const { open } = await createBareDatabase(t, engine);
  const database = await open();
  const audit = createAudit(database);
  const fileStore = createFolder(join(createTestFolder(t), 'files'));
  const site = createSite(createStores(database, { fileStore }), {
    log: false,
    languages: [english, german],
    errors: { report: () => {} },
  })
    .post('/login/:id<int>', ({ params: { id } }) =>
      withSession(seeOther(localPath('/')), startSession({ id, name: `user ${id}` })),
    )
    .get('/audit', async (context) => page(html`<main>${await audit.show(context)}</main>`));
  formPage(site, '/books', bookForm, {
    button: 'Save',
    fill: () => ({
      title: 'Old',
      price: '1.50',
      shelf: 'a',
      token: 'hidden one',
      authors: [{ name: 'Ada' }],
    }),
    show: ({ formHtml }) => formHtml,
    async send(context) {
      const before = {
        title: 'Old',
        price: '1.50',
        shelf: 'a',
        token: 'hidden two',
        authors: [{ name: 'Ada' }],
      };
      await audit.record(context, { about: 'book 7', before });
      if (context.values.title === 'taken')
        return { errors: [{ field: 'title', message: 'Taken' }] };
      return localPath('/');
    },
  });
  formPage(site, '/secrets', secretForm, {
    button: 'Save',
    show: ({ formHtml }) => formHtml,
    act: (context) =>
      context.once(async (transaction) => {
        await audit.record({ ...context, transaction }, { about: 'account 1' });
        return localPath('/');
      }),
  });
  formPage(site, '/deletions', defineForm({}), {
    button: 'Delete',
    show: ({ formHtml }) => formHtml,
    async send(context) {
      const before = { email: 'a@b.example' };
      await audit.record(context, { about: 'contact 1', form: contactForm, before, after: null });
      return localPath('/');
    },
  });
  stepPages(
    site,
    '/bookings',
    steps()
      .step('contact', contactForm, { title: 'You' })
      .step('room', roomForm, { title: 'Room' }),
    {
      button: 'Book',
      show: ({ formHtml }) => formHtml,
      async send(context) {
        await audit.record(context, { about: 'booking 1' });
        return localPath('/');
      },
    },
  );
  const visitor = createVisitor(site);
  await visitor.post('/login/7');
  return { audit, visitor, site, list: () => audit.list({ limit: 100 }), database };
}

function changesOf(entry: AuditEntry | undefined) {
  return entry?.changes.map(({ label, before, after }) => [label, before, after]);
}

for (const { engine, name, skip } of ENGINES) {
  test(`what a form has changed is recorded in its transaction, once (${name})`, {
    skip,
  }, async (t) => {
    const { visitor, list } = await openAudited(t, engine);
    const form = await visitor.get('/books');
    const fields = {
      title: 'New',
      price: '2',
      shelf: 'a',
      cover: new File(['x'], 'cover.png'),
      'authors.0.name': 'Bo',
      'authors.1.name': 'Cy',
    };
    await Promise.all([visitor.submit(form, fields), visitor.submit(form, fields)]);
    assert.equal((await visitor.submit(form, fields)).status, 303);
    const [entry, ...more] = await list();
    assert.doesNotMatch(JSON.stringify(entry), /hidden/);
    assert.equal(more.length, 0);
    assert.deepEqual(changesOf(entry), [
      ['Title', 'Old', 'New'],
      ['Price', '€1.50', '€2.00'],
      ['Cover', '', 'cover.png, 1 byte'],
      ['Author 1: Name', 'Ada', 'Bo'],
      ['Author 2: Name', '', 'Cy'],
    ]);
    const { user, about, form: of, language, at } = entry as AuditEntry;
    assert.deepEqual(
      [user, about, of, language],
      [{ id: '7', name: 'user 7' }, 'book 7', 'POST /books', 'en'],
    );
    assert.ok(Math.abs(at.getTime() - Date.now()) < 60_000);
  });

  test(`a refused form and one that changes nothing record nothing (${name})`, {
    skip,
  }, async (t) => {
    const { visitor, list } = await openAudited(t, engine);
    const same = { title: 'Old', price: '1.50', shelf: 'a', 'authors.0.name': 'Ada' };
    assert.equal((await visitor.submit('/books', { ...same, title: '' })).status, 400);
    assert.equal((await visitor.submit('/books', { ...same, title: 'taken' })).status, 400);
    assert.equal((await visitor.submit('/books', same)).status, 303);
    assert.deepEqual(await list(), []);
  });

  test(`secrets are never recorded, and steps and deletions are (${name})`, { skip }, async (t) => {
    const { visitor, list, database } = await openAudited(t, engine);
    await visitor.submit('/secrets', { find: 'A', name: 'Ada', password: 'correct horse' });
    await visitor.submit('/deletions', {});
    let step = await visitor.get('/bookings');
    step = await visitor.follow(await visitor.submit(step, { email: 'c@d.example' }));
    step = await visitor.follow(await visitor.submit(step, { room: '12' }));
    assert.equal((await visitor.submit(step, {})).status, 303);
    assert.deepEqual(
      (await list()).map((entry) => [entry.about, changesOf(entry)]),
      [
        [
          'booking 1',
          [
            ['Mail', '', 'c@d.example'],
            ['Room', '', '12'],
          ],
        ],
        ['contact 1', [['Mail', 'a@b.example', '']]],
        ['account 1', [['Name', '', 'Ada']]],
      ],
    );
    const { rows: stored } = await database.read.run('select * from seeother_audit');
    assert.doesNotMatch(JSON.stringify(stored), /correct horse/);
  });

  test(`a page shows the entries, in the language of each, and a name can be removed (${name})`, {
    skip,
  }, async (t) => {
    const { audit, visitor, list, site } = await openAudited(t, engine);
    const headers = { 'accept-language': 'de' };
    const form = await visitor.get('/books', { headers });
    await visitor.submit(
      form,
      { title: '<b>', price: '3,50', shelf: 'a', 'authors.0.name': 'Ada' },
      { headers },
    );
    const shown = bodyText(await visitor.get('/audit'));
    assert.match(
      shown,
      /<tbody lang="de">\n<tr><th scope="row">Title<\/th><td>Old<\/td><td>&lt;b&gt;<\/td>/,
    );
    assert.match(shown, /3,50\u00a0€/);
    assert.match(shown, /user 7, <time datetime="/);
    for (let count = 0; count < 60; count++)
      await visitor.submit('/books', {
        title: `${count}`,
        price: '1.50',
        shelf: 'a',
        'authors.0.name': 'Ada',
      });
    const next = /href="([^"]*after=[^"]*)"/.exec(bodyText(await visitor.get('/audit')))?.[1];
    assert.match(bodyText(await visitor.get(next?.replaceAll('&amp;', '&') ?? '')), /lang="de"/);
    await audit.forget(7);
    assert.ok((await list()).every(({ user }) => user === null));
    assert.match(bodyText(await createVisitor(site).get('/audit')), /Without a name, /);
    assert.deepEqual(await audit.list({ about: 'book 8', limit: 1 }), []);
    const [newest, second] = await audit.list({ about: 'book 7', limit: 2 });
    assert.equal((await audit.list({ limit: 1, before: newest?.id ?? 0 }))[0]?.id, second?.id);
  });
}
