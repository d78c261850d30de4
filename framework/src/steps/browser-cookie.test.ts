import assert from 'node:assert/strict';
import test from 'node:test';
import { textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { type Response, seeOther, withSession } from '../http/response.ts';
import { startSession } from '../session/session-change.ts';
import { createSite } from '../site/create-site.ts';
import { createMemoryStores } from '../site/stores.ts';
import { bodyText, createVisitor, hiddenFields, type Visitor } from '../testing/visitor.ts';
import { stepPages } from './step-pages.ts';
import { steps } from './steps.ts';
import { toId } from './stored-answers.ts';

const field = (label: string) =>
  defineForm({ text: textField({ label, required: 'Write', maxLength: 9 }) });
const trip = steps()
  .step('place', field('Place'), { title: 'Place' })
  .step('day', field('Day'), { title: 'Day' });

type Shared = boolean | ((answers: { readonly place?: { readonly text: string } }) => boolean);

function openTrips(shared?: Shared) {
  const sent: string[] = [];
  const stores = createMemoryStores();
  const site = createSite(stores, { log: false, errors: { report: () => {} } }).post(
    '/login/:name',
    ({ params: { name } }) =>
      withSession(seeOther(localPath('/')), startSession({ id: name, name })),
  );
  const pages = stepPages(site, '/trip', trip, {
    button: 'Send',
    days: 2,
    ...(shared === undefined ? {} : { shared }),
    show: ({ formHtml, params }) =>
      html`<main data-key="${params.key ?? 'none'}">${formHtml}</main>`,
    send({ answers }) {
      sent.push(`${answers.place.text} ${answers.day.text}`);
      return localPath('/done');
    },
  });
  const open = () => createVisitor(pages, { scheme: 'https' });
  return { stores, sent, open };
}

const cookieOf = ({ headers }: Response) => [headers['Set-Cookie'] ?? []].flat().join();

async function next(visitor: Visitor, path: string, text: string): Promise<string> {
  const answer = await visitor.submit(path, { text });
  assert.equal(answer.status, 303, bodyText(answer));
  return String(answer.headers['Location']);
}

test('the address of a visitor’s answers opens them in the browser that has started them alone', async () => {
  const { open, sent } = openTrips();
  const [visitor, stranger] = [open(), open()];
  const day = await next(visitor, '/trip', 'Bern');
  const check = await next(visitor, day, 'Monday');
  const page = hiddenFields(bodyText(await visitor.get(check)));
  await stranger.post('/login/bob');
  for (const other of [open(), stranger])
    for (const path of [day, day.replace('day', 'place'), check]) {
      const opened = await other.get(path);
      assert.equal(opened.status, 404);
      assert.match(bodyText(opened), /only in the browser in which they were started/);
      assert.doesNotMatch(bodyText(opened), /Bern|Monday/);
      const posted = await other.post(path, { ...page, text: 'Typed' });
      assert.equal(posted.status, 404);
      assert.match(bodyText(posted), path === check ? /only in the browser/ : /<dd>Typed<\/dd>/);
    }
  assert.deepEqual(sent, []);
  assert.equal((await visitor.post(check, page)).headers['Location'], '/done');
  assert.match(bodyText(await open().get(check)), /were sent already/);
  assert.deepEqual(sent, ['Bern Monday']);
});

test('the cookie lasts as long as the answers, and shortly after they were sent', async () => {
  const { open } = openTrips();
  const visitor = open();
  const first = await visitor.submit('/trip', { text: 'Bern' });
  const day = String(first.headers['Location']);
  const [, key = ''] = /^\/trip\/(.{8})/.exec(day) ?? [];
  const cookie = new RegExp(
    `^__Host-steps-${key}=[\\w-]{43}; Path=/; Max-Age=172800; HttpOnly; Secure; SameSite=Lax$`,
  );
  assert.match(cookieOf(first), cookie);
  const second = await visitor.submit(day, { text: 'Monday' });
  assert.equal(cookieOf(second), cookieOf(first));
  const check = String(second.headers['Location']);
  assert.equal(cookieOf(await visitor.get(check)), '');
  const page = hiddenFields(bodyText(await visitor.get(check)));
  const done = await visitor.post(check, page);
  assert.match(cookieOf(done), /Max-Age=3600;/);
  assert.equal((await visitor.post(check, page)).headers['Location'], '/done');
  assert.equal((await visitor.get(day)).headers['Location'], '/done');
});

test('a first page that is sent twice at once has one cookie, and tabs have one each', async () => {
  const { open } = openTrips();
  const visitor = open();
  const page = { ...hiddenFields(bodyText(await visitor.get('/trip'))), text: 'Bern' };
  const other = await next(visitor, '/trip', 'Rome');
  // Neither request of a double click has the cookie yet.
  const [one, two] = await Promise.all([1, 2].map(() => visitor.post('/trip', page)));
  assert.ok(one !== undefined && two !== undefined);
  assert.equal(one.headers['Location'], two.headers['Location']);
  assert.equal(cookieOf(one), cookieOf(two));
  assert.equal((await visitor.get(String(one.headers['Location']))).status, 200);
  assert.equal((await visitor.get(other)).status, 200);
});

test('a browser with many unfinished answers forgets the oldest, before its header is too long', async () => {
  const { open } = openTrips();
  const visitor = open();
  const days: string[] = [];
  for (let count = 0; count < 45; count++) days.push(await next(visitor, '/trip', 'Bern'));
  const statuses = await Promise.all(days.map(async (day) => (await visitor.get(day)).status));
  assert.deepEqual(statuses.slice(0, 5), [404, 404, 404, 404, 404]);
  assert.deepEqual([...new Set(statuses.slice(5))], [200]);
});

test('without cookies the first page is kept, and sent again it leads on once they are allowed', async () => {
  const { open } = openTrips();
  const [off, on] = [open(), open()];
  const page = { ...hiddenFields(bodyText(await off.get('/trip'))), text: 'Bern' };
  const refused = await open().follow(await off.post('/trip', page));
  assert.equal(refused.status, 404);
  assert.match(bodyText(refused), /allow cookies, go back to the first page, and send it again/);
  const day = await on.follow(await on.post('/trip', page));
  assert.equal(day.status, 200);
});

test('a log-in in the middle takes the answers along, and the cookie opens them no more', async () => {
  const { open } = openTrips();
  const visitor = open();
  const day = await next(visitor, '/trip', 'Bern');
  await visitor.post('/login/ada');
  assert.equal((await visitor.get(day)).status, 200);
  const cookies = day.replace(/^\/trip\/(.{8}).*/, '__Host-steps-$1');
  const copied = `${cookies}=${visitor.cookie(cookies)}`;
  assert.equal((await open().get(day, { headers: { cookie: copied } })).status, 401);
});

test('answers of an earlier version, and shared ones, are opened by their address', async () => {
  const { open } = openTrips(true);
  const first = await open().submit('/trip', { text: 'Bern' });
  assert.equal(cookieOf(first), '');
  const day = String(first.headers['Location']);
  const check = await next(open(), day, 'Monday');
  assert.match(bodyText(await open().get(check)), /Bern[\s\S]*Monday/);

  const { stores, open: openBound } = openTrips();
  const text = [{ name: 'text', text: 'Rome' }];
  const stored = { owner: null, answers: { place: text }, sent: null };
  await stores.values.put(toId('/trip', 'k'.repeat(22)), stored, new Date(Date.now() + 99_999));
  const old = `/trip/${'k'.repeat(22)}/place`;
  assert.match(bodyText(await openBound().get(`${old}?change`)), / value="Rome"/);
  assert.match(await next(openBound(), `${old}?change`, 'Oslo'), /\/day\?change$/);
});

test('answers open by their address while they say so', async () => {
  const { open, sent } = openTrips(({ place }) => place?.text === 'Bern');
  const [visitor, other] = [open(), open()];
  const day = await next(visitor, '/trip', 'Rome');
  assert.match(bodyText(await visitor.get('/trip')), /data-key="none"/);
  assert.equal((await other.get(day)).status, 404);
  const place = day.replace(/day$/, 'place?change');
  await next(visitor, place, 'Bern');
  assert.match(bodyText(await other.get(day)), new RegExp(`data-key="${day.split('/')[2]}"`));
  const check = await next(other, day, 'Monday');
  // Not any more: in the browser that has started them alone.
  await next(visitor, place, 'Oslo');
  const late = await other.post(day, {
    ...hiddenFields(bodyText(await visitor.get(day))),
    text: 'X',
  });
  assert.deepEqual([late.status, (await other.get(check)).status], [404, 404]);
  await next(visitor, place, 'Bern');
  assert.equal((await other.submit(check, {})).headers['Location'], '/done');
  assert.deepEqual(sent, ['Bern Monday']);
  const { open: openBound } = openTrips(() => false);
  const bound = await next(openBound(), '/trip', 'Bern');
  assert.equal((await openBound().get(bound)).status, 404);
});
