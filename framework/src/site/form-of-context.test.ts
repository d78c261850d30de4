/** A function of the context makes the form of each request, such as one whose choices are rows of the database. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { choiceField, choicesField } from '../field/choice-field.ts';
import { passwordField, textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { localPath } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import { HttpError } from '../http/http-error.ts';
import { seeOther, withSession } from '../http/response.ts';
import { limitRate } from '../middleware/limit-rate.ts';
import { requireSession } from '../session/require-session.ts';
import { startSession } from '../session/session-change.ts';
import { post } from '../testing/make-request.ts';
import { bodyText, createVisitor, hiddenFields, toFormData } from '../testing/visitor.ts';
import { fileField } from '../upload/file-field.ts';
import { createSite } from './create-site.ts';
import { formPage } from './form-page.ts';
import { createMemoryStores } from './stores.ts';

const note = textField({ label: 'Note', maxLength: 99 });
const choiceOf = (value: string) =>
  choiceField({ label: 'Name', choices: [{ value, label: value }] });
const HOME = localPath('/');

/** A club with courses, of which one can be booked once. `fails` makes the database go away. */
function openClub() {
  const courses = new Map([
    [7, 'Chess'],
    [8, 'Go'],
  ]);
  const done: unknown[] = [];
  const state = { fails: false };
  const site = createSite(createMemoryStores(), { log: false, errors: { report: () => {} } })
    .post('/login', () => withSession(seeOther(HOME), startSession({ id: 1, name: 'Ada' })))
    .get('/', () => seeOther(HOME));
  const readCourses = async () => {
    if (state.fails) throw new HttpError(503, 'The database is away.');
    return [...courses].map(([value, label]) => ({ value, label }));
  };
  formPage(
    site,
    '/book',
    async ({ session }) =>
      defineForm({
        course: choiceField({
          label: `Course for ${session.user.name}`,
          required: 'Choose a course',
          choices: await readCourses(),
        }),
        also: choicesField({ label: 'Also', choices: await readCourses() }),
        note,
        code: note,
      }),
    {
      middleware: [requireSession],
      button: 'Book',
      show: ({ formHtml, isDraft }) => html`<main>${isDraft ? 'draft' : null}${formHtml}</main>`,
      send({ values }) {
        const course: number = values.course;
        const also: readonly number[] = values.also;
        done.push([course, also, values.note]);
        courses.delete(course);
        return HOME;
      },
    },
  );
  return { site, courses, done, state, visitor: createVisitor(site) };
}

async function open({ visitor }: ReturnType<typeof openClub>) {
  await visitor.post('/login', {});
  return hiddenFields(bodyText(await visitor.get('/book')));
}

test('the choices are those of the request, and their values have the type of the rows', async () => {
  const club = openClub();
  const sent = { ...(await open(club)), course: '7', also: '8', note: 'x' };
  assert.match(
    bodyText(await club.visitor.get('/book')),
    /Course for Ada.*<option value="7">Chess/s,
  );
  club.courses.set(9, 'Bridge');
  assert.match(bodyText(await club.visitor.get('/book')), /<option value="9">Bridge/);
  assert.equal((await club.visitor.post('/book', sent)).status, 303);
  assert.deepEqual(club.done, [[7, [8], 'x']]);
});

test('a row that has gone is an error that says so, with everything that was typed', async () => {
  const club = openClub();
  const sent = { ...(await open(club)), course: '7', note: 'By the window' };
  club.courses.delete(7);
  const refused = await club.visitor.post('/book', sent);
  assert.equal(refused.status, 400);
  assert.match(bodyText(refused), /“Course for Ada” again: what you chose is no longer available/);
  assert.match(bodyText(refused), /value="By the window"/);
});

test('a form that is sent again leads where it led, also if its own row has gone by then', async () => {
  const club = openClub();
  const sent = { ...(await open(club)), course: '7' };
  const answers = await Promise.all([
    club.visitor.post('/book', sent),
    club.visitor.post('/book', sent),
  ]);
  answers.push(await club.visitor.post('/book', sent));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303, 303],
  );
  assert.equal(club.done.length, 1);
});

test('a form that is refused before it is made goes through the log-in by its names', async () => {
  const club = openClub();
  const refused = await club.site.handle(
    post('/book', { course: '8', also: '7', note: 'Kept', code: 'AB' }),
  );
  assert.equal(refused.status, 401);
  const [, next = ''] = /next=([^"]+)"/.exec(bodyText(refused)) ?? [];
  await club.visitor.post('/login', {});
  const page = await club.visitor.follow(await club.visitor.get(decodeURIComponent(next)));
  assert.match(
    bodyText(page),
    /draft.*value="8" selected.*value="7" checked.*value="Kept".*value="AB"/s,
  );
});

test('while the database is away, the text is given back with a button that sends it again', async () => {
  const club = openClub();
  const sent = { ...(await open(club)), course: '8', note: 'Kept' };
  club.state.fails = true;
  const refused = await club.visitor.post('/book', sent);
  assert.equal(refused.status, 503);
  assert.match(bodyText(refused), /note.*Kept/s);
  const again = hiddenFields(bodyText(refused));
  assert.equal(again['note'], 'Kept');
  club.state.fails = false;
  assert.equal((await club.visitor.post('/book', again)).status, 303);
  assert.deepEqual(club.done, [[8, [], 'Kept']]);
});

test('beyond a limit, the text is given back with a button that sends it again, once', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const done: string[] = [];
  const site = createSite(createMemoryStores(), { log: false });
  formPage(site, '/book', () => defineForm({ name: choiceOf('Go'), note }), {
    middleware: [limitRate({ maxPerNetwork: 1, within: 60_000 })],
    button: 'Book',
    show: ({ formHtml }) => html`<main>${formHtml}</main>`,
    send({ values }) {
      done.push(values.note);
      return HOME;
    },
  });
  const visitor = createVisitor(site);
  const sent = { ...hiddenFields(bodyText(await visitor.get('/book'))), name: 'Go', note: 'Kept' };
  await visitor.post('/book', { note: 'First' });
  const refused = await visitor.post('/book', sent);
  assert.equal(refused.status, 429);
  const again = hiddenFields(bodyText(refused));
  assert.equal(again['note'], 'Kept');
  t.mock.timers.tick(60_000);
  assert.equal((await visitor.post('/book', again)).status, 303);
  t.mock.timers.tick(60_000);
  assert.equal((await visitor.post('/book', sent)).status, 303);
  assert.deepEqual(done, ['First', 'Kept']);
});

test('the function knows what is typed so far: sent, from a draft, or filled', async () => {
  const asked: string[] = [];
  const site = createSite(createMemoryStores(), { log: false });
  formPage(
    site,
    '/',
    ({ typed }) => {
      const country = typed.get('country') ?? '';
      asked.push(country);
      return defineForm({
        country: note,
        ...(country === 'ch' ? { canton: note } : { zip: note }),
      });
    },
    {
      button: 'Save',
      fill: () => ({ country: 'ch', canton: 'BE' }),
      show: ({ formHtml }) => html`${formHtml}`,
      send: () => ({ errors: [{ field: null, message: 'No' }] }),
    },
  );
  const visitor = createVisitor(site);
  assert.match(bodyText(await visitor.get('/')), /name="canton" value="BE"/);
  assert.deepEqual(asked, ['', 'ch']);
  const refused = bodyText(await visitor.post('/', { country: 'de', canton: 'BE', zip: '1' }));
  assert.match(refused, /name="zip" value="1"/);
  assert.doesNotMatch(refused, /canton/);
});

test('a form with files has a base, by which they are parked before the log-in', async () => {
  const scan = fileField({ label: 'Scan', maxSize: 99 });
  const site = createSite(createMemoryStores(), { log: false, errors: { report: () => {} } }).post(
    '/login',
    () => withSession(seeOther(HOME), startSession({ id: 1, name: 'Ada' })),
  );
  const kept: unknown[] = [];
  formPage(
    site,
    '/scan',
    ({ typed }) => defineForm({ note, scan, more: typed.has('note') ? note : scan }),
    {
      middleware: [requireSession],
      base: defineForm({ scan }),
      button: 'Send',
      show: ({ formHtml }) => html`${formHtml}`,
      async send({ values, transaction }) {
        kept.push(values.note, values.scan?.size);
        await values.scan?.keep(transaction);
        return HOME;
      },
    },
  );
  const visitor = createVisitor(site);
  const file = new File(['abc'], 'a.txt');
  const refused = await visitor.post('/scan', toFormData({ note: 'Kept', scan: file }));
  assert.equal(refused.status, 401);
  const [, next = ''] = /next=([^"]+)"/.exec(bodyText(refused)) ?? [];
  await visitor.post('/login', {});
  const page = bodyText(await visitor.follow(await visitor.get(decodeURIComponent(next))));
  assert.match(page, /value="Kept".*a\.txt, 3 bytes/s);
  assert.equal((await visitor.post('/scan', toFormData(hiddenFields(page)))).status, 303);
  assert.deepEqual(kept, ['', 3]);
});

test('a form with files that is sent without its encoding is refused the same, made by a function or not', async () => {
  const scan = fileField({ label: 'Scan', maxSize: 99 });
  const form = defineForm({ note, scan });
  const site = createSite(createMemoryStores(), { log: false, errors: { report: () => {} } });
  const options = {
    button: 'Send',
    show: ({ formHtml }: { formHtml: Html }) => formHtml,
    send: () => HOME,
  };
  formPage(site, '/static', form, options);
  formPage(site, '/made', () => form, { ...options, base: form });
  const visitor = createVisitor(site);
  const send = async (path: string) => {
    const refused = await visitor.post(path, { note: 'Kept', scan: 'a.pdf' });
    return [refused.status, bodyText(refused)];
  };
  const [status, text] = await send('/static');
  assert.equal(status, 415);
  assert.match(String(text), /enctype=.*<dd>Kept/s);
  assert.deepEqual(await send('/made'), [status, text]);
});

test('a function makes no form with a password, and none with a file without a base', async () => {
  for (const [field, message] of [
    [
      passwordField({ label: 'P', required: 'P', minLength: 8, maxLength: 99 }),
      /it has a password/,
    ],
    [fileField({ label: 'F', maxSize: 9 }), /without base: it has a file/],
  ] as const) {
    const reports: unknown[] = [];
    const site = createSite(createMemoryStores(), {
      log: false,
      errors: { report: (report) => reports.push(report) },
    });
    formPage(site, '/', () => defineForm({ field }), {
      button: 'Save',
      show: ({ formHtml }) => html`${formHtml}`,
      act: () => seeOther(HOME),
      once: false,
    });
    assert.equal((await createVisitor(site).get('/')).status, 500);
    assert.match(JSON.stringify(reports), message);
  }
});

test('the function gets what its route has: without the guard, there is no user', () => {
  const site = createSite(createMemoryStores(), { log: false });
  const options = {
    button: 'Save',
    show: ({ formHtml }: { readonly formHtml: Html }) => formHtml,
    send: () => HOME,
  };
  // @ts-expect-error session may be null
  formPage(site, '/', ({ session }) => defineForm({ name: choiceOf(session.user.name) }), options);
  formPage(
    site,
    '/guest',
    ({ session }) => defineForm({ name: choiceOf(session?.user.name ?? '-') }),
    options,
  );
});
