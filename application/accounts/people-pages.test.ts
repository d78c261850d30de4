/** The people pages, as an administrator and as others see them. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, createVisitor, hiddenFields, type Visitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  INVITED,
  PASSWORD,
} from '../testing/create-test-application.ts';
import { testOnEngines } from '../testing/open-test-database.ts';

const NEW = 'battery staple';

async function openSite(t: TestContext) {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const bo = await createMember(application, 'bo-');
  return { application, ada, bo };
}

/** The link on the page that the answer redirects to, without its origin. */
async function linkOf(member: Visitor, answer: Awaited<ReturnType<Visitor['post']>>) {
  assert.equal(answer.status, 303);
  const shown = bodyText(await member.follow(answer));
  const link = /<code class="address">([^<]+)<\/code>/.exec(shown)?.[1];
  return (link ?? assert.fail('no link is shown')).replace('http://localhost', '');
}

function makeLink(member: Visitor, id = 2, once: string = crypto.randomUUID()) {
  return member.post(`/people/${id}/reset`, { _once: once });
}

test('members see names and roles, and what administrators can do', async (t) => {
  const { bo } = await openSite(t);
  const shown = bodyText(await bo.get('/people'));
  assert.match(shown, /<strong>ada<\/strong>.*Administrator.*<strong>bo-<\/strong>.*Member/s);
  assert.match(shown, /ask an administrator: ada\./);
  assert.doesNotMatch(shown, /action="\/people|href="\/people\/\d|Open invitations/);
  assert.equal((await bo.get('/people/1')).status, 403);
});

test('an invitation has a name and a role, which the new account gets', async (t) => {
  const { application, ada } = await openSite(t);
  const invited = { name: 'Grace <b>', role: 'reader' };
  const link = await linkOf(ada, await ada.post('/people/invitations', invited));
  assert.match(bodyText(await ada.get('/people')), /Grace &lt;b&gt;<\/strong>.*Reader\. Made/s);
  const grace = createVisitor(application);
  assert.equal((await grace.submit(link, { username: 'grace', password: PASSWORD })).status, 303);
  const people = await application.models.people.list();
  assert.deepEqual(
    people.map(({ username, role }) => [username, role]),
    [
      ['ada', 'administrator'],
      ['bo-', 'member'],
      ['grace', 'reader'],
    ],
  );
});

test('an invitation without a name or with an unknown role is a 400 with the form again', async (t) => {
  const { application, ada } = await openSite(t);
  const rows = [
    [{ ...INVITED, name: '' }, /Enter the name of the person/],
    [{ ...INVITED, role: 'king' }, /Choose “Role” again: what you chose is no longer available/],
    [{ name: 'Grace' }, /Choose a role/],
  ] as const;
  for (const [fields, error] of rows) {
    const answer = await ada.post('/people/invitations', fields);
    assert.equal(answer.status, 400);
    assert.match(bodyText(answer), error);
  }
  assert.deepEqual(await application.models.invitations.list(), []);
});

test('an administrator changes a role, which counts from the next request', async (t) => {
  const { application, ada, bo } = await openSite(t);
  const page = await ada.get('/people/2');
  assert.match(bodyText(page), /<option value="member" selected/);
  const answer = await ada.post('/people/2/role', { role: 'reader' });
  assert.equal(headerOf(answer, 'Location'), '/people/2');
  assert.match(bodyText(await ada.follow(answer)), /The role of bo- is now reader\./);
  const event = JSON.parse(application.security.at(-1) ?? '{}');
  assert.equal((await bo.get('/items/new')).status, 403);
  assert.equal((await ada.post('/people/2/role', { role: 'king' })).status, 400);
  assert.equal((await ada.post('/people/9/role', { role: 'reader' })).status, 404);
  assert.deepEqual(
    [event.security, event.account, event.detail],
    ['role changed', 'bo-', 'reader, by ada'],
  );
});

test('the only administrator stays: 409 with what to do', async (t) => {
  const { ada } = await openSite(t);
  for (const answer of [
    await ada.post('/people/1/role', { role: 'member' }),
    await ada.post('/people/1/remove'),
  ]) {
    assert.equal(answer.status, 409);
    assert.match(
      bodyText(answer),
      /ada is the only administrator\. Make another person an administr/,
    );
  }
  await ada.post('/people/2/role', { role: 'administrator' });
  const left = await ada.post('/people/1/role', { role: 'member' });
  assert.equal(headerOf(left, 'Location'), '/people');
  assert.match(bodyText(await ada.follow(left)), /The role of ada is now member\./);
  assert.equal((await ada.get('/people/2')).status, 403);
});

testOnEngines('a removed person is named by what they did, and can be restored', async (t) => {
  const { application, ada, bo } = await openSite(t);
  await bo.post('/items', { name: 'Drill' });
  await ada.post('/items/1/lend', { to: 'bo-' });
  assert.match(bodyText(await ada.get('/people/2')), />bo- has 1 item</);
  const answer = await ada.post('/people/2/remove');
  const removed = bodyText(await ada.follow(answer));
  assert.match(removed, /bo- was removed, and is logged out.*>bo- still has 1 item</s);
  assert.equal((await bo.get('/account')).status, 303);
  assert.match(bodyText(await ada.get('/items/1')), /by bo-/);
  assert.match(bodyText(await ada.get('/people')), /<h2 id="removed-heading">.*bo-/s);
  await ada.post('/people/2/restore');
  assert.doesNotMatch(bodyText(await ada.get('/people')), /removed-heading/);
  const back = { username: 'bo-', password: PASSWORD };
  assert.equal((await createVisitor(application).post('/login', back)).status, 303);
});

testOnEngines('a link resets a password once, and ends every session of the account', async (t) => {
  const { application, ada, bo } = await openSite(t);
  const link = await linkOf(ada, await makeLink(ada));
  assert.match(link, /^\/reset-password\?link=[\w-]{43}$/);
  assert.doesNotMatch(bodyText(await ada.get('/people/2')), /reset-password/);
  assert.equal((await bo.get('/account')).status, 200, 'not used yet');

  const holder = createVisitor(application);
  const form = await holder.get(link);
  assert.equal(headerOf(form, 'Referrer-Policy'), 'strict-origin');
  assert.match(bodyText(form), /name="username" value="bo-" autocomplete="username" hidden/);
  const slip = await holder.submit(link, { username: 'bo-', password: NEW, passwordagain: 'no' });
  assert.equal(slip.status, 400);
  const easy = await holder.submit(link, {
    ...{ username: 'bo-', password: 'password', passwordagain: 'passwort' },
  });
  assert.equal(easy.status, 400);
  assert.match(bodyText(easy), /harder to guess.*The two passwords are different/s);
  const fields = { ...hiddenFields(bodyText(form)), username: 'bo-', password: NEW };
  const sent = await holder.post('/reset-password', { ...fields, passwordagain: NEW });
  assert.equal(sent.status, 303);
  assert.equal((await holder.get('/items/new')).status, 200);
  assert.equal((await bo.get('/account')).status, 303);
  assert.equal(
    await application.models.accounts.authenticate({ username: 'bo-', password: PASSWORD }),
    null,
  );
  // The same form again logs in; with another password it changes nothing.
  const again = createVisitor(application);
  assert.equal((await again.post('/reset-password', fields)).status, 303);
  assert.equal((await again.get('/items/new')).status, 200);
  const other = { ...fields, password: 'another password' };
  assert.equal((await createVisitor(application).post('/reset-password', other)).status, 403);
  const events = application.security.map((line) => JSON.parse(line).security);
  assert.ok(events.includes('reset link made') && events.includes('password reset'));
});

testOnEngines('of two who use one link at once with two passwords, one succeeds', async (t) => {
  const { application, ada } = await openSite(t);
  const link = (await linkOf(ada, await makeLink(ada))).slice(-43);
  const answers = await Promise.all(
    [NEW, 'another password'].map((password) =>
      createVisitor(application).post('/reset-password', { link, username: '', password }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 403]);
});

test('a used, expired, replaced, withdrawn or invented link is the same 403', async (t) => {
  const { application, ada } = await openSite(t);
  const visitor = () => createVisitor(application);
  const links: string[] = [];
  const make = async () => links[links.push(await linkOf(ada, await makeLink(ada))) - 1] ?? '';
  await visitor().submit(await make(), { username: 'bo-', password: NEW });
  await make();
  await make();
  await ada.post('/people/2/remove');
  await ada.post('/people/2/restore');
  await make();
  const past = '2020-01-01T00:00:00.000Z';
  await application.database.write((transaction) =>
    transaction.updateTable('accounts').set({ reset_ends_at: past }).execute(),
  );
  const pages = new Set<string>();
  for (const path of [...links, `/reset-password?link=${'A'.repeat(43)}`, '/reset-password']) {
    const answer = await visitor().get(path);
    assert.equal(answer.status, 403, path);
    pages.add(bodyText(answer));
    const link = path.slice(-43);
    const sent = await visitor().post('/reset-password', { link, username: '', password: NEW });
    assert.equal(sent.status, 403, path);
    pages.add(bodyText(sent));
  }
  assert.equal(pages.size, 1, 'the page tells which links were real');
  assert.match([...pages].join(''), /It has expired\. It works for 24 hours\./);
  assert.equal(JSON.stringify([application.log, application.reports]).includes('link='), false);
});

test('a form for a link that is sent twice makes one link, and nobody resets their own', async (t) => {
  const { ada } = await openSite(t);
  const link = await linkOf(ada, await makeLink(ada, 2, 'key'));
  assert.equal(headerOf(await makeLink(ada, 2, 'key'), 'Location'), '/people/2');
  assert.equal((await ada.get(link)).status, 200, 'the first link still works');
  assert.equal((await makeLink(ada, 1)).status, 409);
  assert.equal((await makeLink(ada, 9)).status, 404);
});

test('the links of a former administrator stop working', async (t) => {
  const { application, ada } = await openSite(t);
  await createMember(application, 'cyd');
  await ada.post('/people/2/role', { role: 'administrator' });
  const bo = createVisitor(application);
  await bo.post('/login', { username: 'bo-', password: PASSWORD });
  const link = await linkOf(bo, await makeLink(bo, 3));
  assert.equal((await createVisitor(application).get(link)).status, 200);
  await ada.post('/people/2/role', { role: 'member' });
  assert.equal((await createVisitor(application).get(link)).status, 403);
});
