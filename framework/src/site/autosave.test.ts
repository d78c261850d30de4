/** Long forms that are saved before they are sent. e2e/autosave.test.ts has the script. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { passwordField, textField, wholeNumberField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { HttpError } from '../http/http-error.ts';
import { type Response, seeOther, withSession } from '../http/response.ts';
import { english } from '../language/english.ts';
import { german } from '../language/german.ts';
import { endSession, renewSession, startSession } from '../session/session-change.ts';
import { bodyText, createVisitor, hiddenFields, type Visitor } from '../testing/visitor.ts';
import { createSite } from './create-site.ts';
import { formPage } from './form-page.ts';
import { createMemoryStores } from './stores.ts';

const reportForm = defineForm({
  title: textField({ label: 'Title', required: 'Enter a title', maxLength: 80 }),
  amount: wholeNumberField({ label: 'Amount', min: 0, max: 1_000_000, default: null }),
  text: textField({ label: 'Text', maxLength: 100_000 }),
});

function openSite() {
  const done: string[] = [];
  const stores = createMemoryStores();
  const site = createSite(stores, {
    log: false,
    languages: [english, german],
    forms: { script: true },
  })
    .post('/login/:id<int>', ({ params: { id } }) =>
      withSession(seeOther(localPath('/report')), startSession({ id, name: `user ${id}` })),
    )
    .post('/logout', () => withSession(seeOther(localPath('/')), endSession))
    .post('/renew', () => withSession(seeOther(localPath('/')), renewSession));
  formPage(site, '/report', reportForm, {
    button: 'Send',
    autosave: { days: 2 },
    fill: () => ({ title: 'Report' }),
    linked: ['text'],
    show: ({ formHtml }) => html`<title>Report</title>${formHtml}`,
    send({ values }) {
      if (values.title === 'taken') return { errors: [{ field: 'title', message: 'It is taken' }] };
      done.push(`${values.title} ${values.amount}`);
      return localPath('/done');
    },
  });
  const logIn = async (id = 1): Promise<Visitor> => {
    const visitor = createVisitor(site);
    await visitor.post(`/login/${id}`);
    return visitor;
  };
  return { site, stores, done, logIn };
}

const TYPED = { title: 'Fair', amount: '12' };
const textOf = async (visitor: Visitor, path = '/report', init = {}) =>
  bodyText(await visitor.get(path, init));

test('what is saved is on every device of the user, and says so', async () => {
  const { logIn, done } = openSite();
  const first = await logIn();
  const page = await textOf(first);
  assert.doesNotMatch(page, /typed before/);
  assert.match(page, /<button class="quiet" name="_change" value="save">Save for later/);
  const saved = await first.submit('/report', { ...TYPED, _change: 'save' });
  assert.equal(saved.status, 303);
  assert.equal(saved.headers.Location, '/report');
  const second = await textOf(await logIn());
  assert.match(second, /role="status">\s*<p>This is what you typed before. It was saved now\./);
  assert.match(second, /name="title"[^>]* value="Fair"/);
  assert.match(second, /name="amount"[^>]* value="12"/);
  assert.deepEqual(done, []);
});

test('the script saves with an answer of 200, whose page says when', async () => {
  const { logIn } = openSite();
  const visitor = await logIn();
  const answer = await visitor.submit('/report', { ...TYPED, _change: 'autosave' });
  assert.equal(answer.status, 200);
  assert.match(bodyText(answer), /name="_saved" value="20[^"]+Z"/);
  assert.match(bodyText(answer), /Saved <time datetime="[^"]+">now<\/time>/);
  assert.doesNotMatch(bodyText(answer), /typed before|field-error/);
  assert.match(await textOf(visitor), /value="Fair"/);
});

test('nobody else sees it: another account, a visitor, and after the log-out', async () => {
  const { site, logIn } = openSite();
  const visitor = await logIn();
  await visitor.submit('/report', { ...TYPED, _change: 'save' });
  for (const other of [await logIn(2), createVisitor(site)])
    assert.doesNotMatch(await textOf(other), /Fair|typed before/);
  await visitor.post('/logout');
  assert.doesNotMatch(await textOf(visitor), /Fair|typed before|Save for later/);
});

test('a form that another account has opened is not saved for this one', async () => {
  const { logIn } = openSite();
  const ada = await logIn();
  const page = await ada.get('/report');
  const bob = await logIn(2);
  const sent = { ...hiddenFields(bodyText(page)), ...TYPED };
  const answer = await bob.post('/report?send', { ...sent, _change: 'autosave' });
  assert.equal(answer.status, 200);
  assert.equal((await bob.post('/report?send', { ...sent, _change: 'save' })).status, 409);
  assert.doesNotMatch(await textOf(bob), /Fair/);
});

test('it ends with the form, and nothing that is still on its way brings it back', async () => {
  const { logIn, done } = openSite();
  const visitor = await logIn();
  await visitor.submit('/report', { ...TYPED, _change: 'save' });
  const page = await visitor.get('/report');
  const refused = await visitor.submit(page, { title: 'taken' });
  assert.equal(refused.status, 400);
  assert.match(await textOf(visitor), /value="Fair"/, 'a refused form has not ended');
  assert.equal((await visitor.submit(page, TYPED)).status, 303);
  const late = await visitor.submit(page, { ...TYPED, _change: 'autosave' });
  assert.equal(late.status, 200);
  assert.doesNotMatch(await textOf(visitor), /Fair|typed before/);
  assert.equal((await visitor.submit(page, TYPED)).status, 303);
  assert.deepEqual(done, ['Fair 12'], 'and it counted once');
});

test('a form that was sent and is changed after Back is saved by the button, and the script warns', async () => {
  const { logIn, done } = openSite();
  const visitor = await logIn();
  const page = await visitor.get('/report');
  await visitor.submit(page, TYPED);
  await visitor.submit(page, { ...TYPED, _change: 'save' });
  assert.doesNotMatch(await textOf(visitor), /typed before/, 'what was sent stays sent');
  const changed = { ...TYPED, title: 'Second' };
  const told = bodyText(await visitor.submit(page, { ...changed, _change: 'autosave' }));
  assert.doesNotMatch(told, /_saved/);
  assert.match(told, / data-warns/);
  assert.doesNotMatch(await textOf(visitor), /typed before/);
  assert.equal((await visitor.submit(page, { ...changed, _change: 'save' })).status, 303);
  const opened = await visitor.get('/report');
  assert.match(bodyText(opened), /typed before[\s\S]* value="Second"/);
  const again = await visitor.submit(opened, { ...changed, _change: 'autosave' });
  assert.match(bodyText(again), /Saved <time/);
  for (let copy = 0; copy < 2; copy++) await visitor.submit(opened, changed);
  assert.doesNotMatch(await textOf(visitor), /typed before/);
  assert.deepEqual(done, ['Fair 12', 'Second 12']);
});

test('the old id of a renewed session saves and removes nothing', async () => {
  const { logIn } = openSite();
  const visitor = await logIn();
  await visitor.submit('/report', { ...TYPED, _change: 'save' });
  const page = await visitor.get('/report');
  const old = { headers: { cookie: `sid=${visitor.cookie('sid')}` } };
  await visitor.post('/renew');
  for (const [change, status] of [
    ['autosave', 200],
    ['save', 401],
    ['anew', 401],
  ] as const) {
    const answer = await visitor.submit(page, { title: 'Old', _change: change }, old);
    assert.equal(answer.status, status, change);
    assert.match(await textOf(visitor), /typed before[\s\S]* value="Fair"/, change);
  }
});

test('a save that is refused or fails changes nothing of what was saved, and gives the text back', async () => {
  const { stores, logIn } = openSite();
  const visitor = await logIn();
  await visitor.submit('/report', { ...TYPED, _change: 'save' });
  const page = await visitor.get('/report');
  const { carryOut } = stores.receipts;
  const away = () => Promise.reject(new HttpError(503, 'The database is away.'));
  for (const [status, change, text, store] of [
    [413, 'autosave', 'x'.repeat(1_100_000), carryOut],
    [413, 'save', 'x'.repeat(1_100_000), carryOut],
    [503, 'autosave', 'short', away],
    [503, 'save', 'short', away],
    [429, 'autosave', 'short', carryOut],
  ] as const) {
    Object.assign(stores.receipts, { carryOut: store });
    for (let count = 0; status === 429 && count < 120; count++)
      await visitor.submit(page, { ...TYPED, _change: 'autosave' });
    const answer = await visitor.submit(page, { title: 'Lost', text, _change: change });
    Object.assign(stores.receipts, { carryOut });
    assert.equal(answer.status, status);
    if (status === 503) assert.match(bodyText(answer), /Lost/);
    assert.match(bodyText(await visitor.get('/report')), /typed before[\s\S]* value="Fair"/);
  }
});

test('the same form, sent from two devices, counts once', async () => {
  const { logIn, done } = openSite();
  const first = await logIn();
  await first.submit('/report', { ...TYPED, _change: 'save' });
  const devices = [first, await logIn()];
  const pages = await Promise.all(devices.map((visitor) => visitor.get('/report')));
  for (const [at, visitor] of devices.entries()) {
    const answer = await visitor.submit(pages[at] as Response, TYPED);
    assert.equal(answer.headers.Location, '/done');
  }
  assert.deepEqual(done, ['Fair 12']);
});

test('“Start anew” throws it away, and leads to a new form', async () => {
  const { logIn } = openSite();
  const visitor = await logIn();
  await visitor.submit('/report', { ...TYPED, _change: 'save' });
  const page = await visitor.get('/report');
  assert.match(bodyText(page), /name="_change" value="anew">Start anew/);
  assert.equal((await visitor.submit(page, { ...TYPED, _change: 'anew' })).status, 303);
  await visitor.submit(page, { ...TYPED, _change: 'autosave' });
  const next = await textOf(visitor);
  assert.match(next, /value="Report"/);
  assert.doesNotMatch(next, /Fair|typed before/);
});

test('of two tabs the newest wins, and says what it has replaced; the other text is not thrown away', async () => {
  const { logIn } = openSite();
  const visitor = await logIn();
  const [one, other] = [await visitor.get('/report'), await visitor.get('/report')];
  const first = await visitor.submit(one, { title: 'One', _change: 'autosave' });
  assert.doesNotMatch(bodyText(first), /replaces/);
  const again = await visitor.submit(first, { title: 'One', _change: 'autosave' });
  assert.doesNotMatch(bodyText(again), /replaces/, 'its own');
  const second = await visitor.submit(other, { title: 'Other', _change: 'autosave' });
  assert.match(bodyText(second), /This replaces what another tab or device had saved now\./);
  assert.match(await textOf(visitor), /value="Other"/);
  // The first tab is emptied, sends its form, and starts anew: the text of the other one stays.
  const emptied = await visitor.submit(again, { title: '', _change: 'autosave' });
  assert.doesNotMatch(bodyText(emptied), /replaces/);
  await visitor.submit(again, { title: 'One', _change: 'anew' });
  await visitor.submit(again, { title: 'One' });
  assert.match(await textOf(visitor), /value="Other"/);
});

test('it is read in the language in which it was typed', async () => {
  const { logIn } = openSite();
  const visitor = await logIn();
  const german = { headers: { 'accept-language': 'de' } };
  const page = await visitor.get('/report', german);
  await visitor.submit(page, { title: 'Messe', amount: '1.234', _change: 'save' }, german);
  assert.match(await textOf(visitor, '/report', german), /Das haben Sie früher eingegeben/);
  assert.match(await textOf(visitor), /name="amount"[^>]* value="1,?234"/);
});

test('it expires', async (t) => {
  const { logIn } = openSite();
  const visitor = await logIn();
  await visitor.submit('/report', { ...TYPED, _change: 'save' });
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3 * 86_400_000 });
  assert.doesNotMatch(await textOf(await logIn()), /Fair/);
});

test('a text that is too long is told, and an empty form is not saved', async () => {
  const { logIn } = openSite();
  const visitor = await logIn();
  const long = { title: 'Fair', text: 'x'.repeat(70_000), _change: 'autosave' };
  assert.match(bodyText(await visitor.submit('/report', long)), /too long to be saved/);
  await visitor.submit('/report', { title: '', _change: 'save' });
  assert.doesNotMatch(await textOf(visitor), /typed before/);
});

test('autosave is refused at the start where nothing tells that the form has ended', () => {
  const site = createSite(createMemoryStores(), { log: false });
  const add = (options: object) =>
    formPage(site, '/', reportForm, {
      button: 'Send',
      show: ({ formHtml }: { formHtml: unknown }) => formHtml,
      act: () => seeOther(localPath('/')),
      ...options,
    } as never);
  assert.throws(() => add({ autosave: true, once: false }), /Leave out autosave, or once/);
  assert.throws(() => add({ autosave: { days: 0 } }), /true, or \{ days: 7 \}/);
});

test('no password is saved', async () => {
  const stores = createMemoryStores();
  const site = createSite(stores, { log: false }).post('/login', () =>
    withSession(seeOther(localPath('/')), startSession({ id: 1, name: 'ada' })),
  );
  const form = defineForm({
    name: textField({ label: 'Name', maxLength: 80 }),
    secret: passwordField({ label: 'Password', required: 'Enter', minLength: 8, maxLength: 80 }),
  });
  formPage(site, '/', form, {
    button: 'Send',
    autosave: true,
    show: ({ formHtml }) => formHtml,
    act: ({ once }) => once(async () => localPath('/')),
  });
  const visitor = createVisitor(site);
  await visitor.post('/login');
  const puts: unknown[] = [];
  const { put } = stores.values;
  stores.values.put = (...args) => {
    puts.push(args);
    return put(...args);
  };
  await visitor.submit('/', { name: 'Ada', secret: 'correct horse', _change: 'save' });
  assert.match(JSON.stringify(puts), /Ada/);
  assert.doesNotMatch(JSON.stringify(puts), /horse/);
});
