/** Invitations, from "Invite someone" to the account of the colleague. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, createVisitor, type Visitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  INVITED,
  PASSWORD,
} from '../testing/create-test-application.ts';

const BO = { username: 'bo-', password: PASSWORD };

async function openSite(t: TestContext) {
  const application = await createTestApplication(t);
  return { application, member: await createMember(application) };
}

/** Presses "Invite someone" and resolves to the link on the page. */
async function invite(member: Visitor, role: string = INVITED.role): Promise<string> {
  const answer = await member.post('/people/invitations', {
    ...{ ...INVITED, role },
    _once: crypto.randomUUID(),
  });
  assert.equal(answer.status, 303);
  assert.equal(headerOf(answer, 'Location'), '/people');
  const link = /<code class="address">([^<]+)<\/code>/.exec(bodyText(await member.follow(answer)));
  return link?.[1] ?? assert.fail('no link is shown');
}

function pathOf(link: string): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}

test('an invitation is created on the people page, and a colleague registers with its link', async (t) => {
  const { application, member } = await openSite(t);
  const link = await invite(member);
  assert.match(link, /^http:\/\/localhost\/register\?invitation=[\w-]{43}$/);
  const colleague = createVisitor(application);
  const form = await colleague.get(pathOf(link));
  assert.equal(form.status, 200);
  assert.match(bodyText(form), /You have been invited\./);
  const answer = await colleague.submit(pathOf(link), BO);
  assert.equal(answer.status, 303);
  assert.match(
    bodyText(await colleague.follow(answer)),
    /Logged in as<\/span> <strong>bo-<\/strong>/,
  );
});

test('a full stop, a bracket or a quotation mark that was copied with the link does no harm', async (t) => {
  const { application, member } = await openSite(t);
  const path = pathOf(await invite(member));
  for (const behind of ['.', ')', '%E2%80%9D', '%3E,'])
    assert.equal((await createVisitor(application).get(path + behind)).status, 200, behind);
  assert.equal((await createVisitor(application).submit(`${path}.`, BO)).status, 303);
});

test('a link that only this computer can open says so', async (t) => {
  const { member } = await openSite(t);
  const answer = await member.post('/people/invitations', { ...INVITED, _once: 'one' });
  const shown = bodyText(await member.follow(answer));
  assert.match(shown, /can be opened on this computer only, because its address is localhost; set/);
});

test('the page of the link does not send it in the Referer', async (t) => {
  const { application, member } = await openSite(t);
  const answer = await createVisitor(application).get(pathOf(await invite(member)));
  assert.equal(headerOf(answer, 'Referrer-Policy'), 'strict-origin');
});

test('the link is shown again to the person who made it, until it is used', async (t) => {
  const { application, member } = await openSite(t);
  const link = await invite(member, 'administrator');
  const again = bodyText(await member.get('/people'));
  assert.match(again, /Grace.* by ada\. Works until/s);
  assert.ok(again.includes(`>Show the link</summary><code class="address">${link}</code>`));
  assert.equal(headerOf(await member.get('/people'), 'Cache-Control'), 'no-store');

  const other = await invite(member);
  const colleague = createVisitor(application);
  await colleague.submit(pathOf(link), BO);
  const theirs = bodyText(await colleague.get('/people'));
  assert.match(theirs, /Grace.* by ada\. Works until/s, 'another administrator sees no link');
  assert.doesNotMatch(theirs, /register\?invitation/);
  const left = await application.database.read.selectFrom('invitations').select('token').execute();
  assert.deepEqual(left, [{ token: other.slice(-43) }], 'a used token is not stored any more');
});

test('the link has the public origin, over https and behind a proxy', async (t) => {
  const { application } = await openSite(t);
  const secure = { scheme: 'https' } as const;
  const member = createVisitor(application);
  await member.post('/login', { username: 'ada', password: PASSWORD }, secure);
  await member.post('/people/invitations', INVITED, secure);
  assert.match(bodyText(await member.get('/people', secure)), />https:\/\/localhost\/register\?/);
  const environment = { PUBLIC_ORIGIN: 'https://things.example' };
  const always = { headers: { host: 'things.example' } };
  const behind = await createTestApplication(t, { environment });
  const link = await invite(await createMember(behind, 'ada', always));
  assert.match(link, /^https:\/\/things\.example\/register\?/);
});

test('a used, expired or invented invitation is a 403 that lists the possible reasons', async (t) => {
  const { application, member } = await openSite(t);
  const used = pathOf(await invite(member));
  await createVisitor(application).submit(used, BO);
  const ended = pathOf(await invite(member));
  await application.database.write((transaction) =>
    transaction.updateTable('invitations').set({ ends_at: '2020-01-01T00:00:00.000Z' }).execute(),
  );
  const made = `/register?invitation=${'A'.repeat(43)}`;
  const pages = new Set<string>();
  for (const path of [used, ended, made, '/register?invitation=x']) {
    const visitor = createVisitor(application);
    const answer = await visitor.get(path);
    assert.equal(answer.status, 403, path);
    pages.add(bodyText(answer));
    const invitation = path.split('=')[1] ?? '';
    const sent = await visitor.post('/register', {
      username: 'cyd',
      password: PASSWORD,
      invitation,
    });
    assert.equal(sent.status, 403, path);
    pages.add(bodyText(sent));
  }
  assert.equal(pages.size, 1, 'the page tells which links were real');
  const [shown = ''] = pages;
  assert.match(shown, /<h1>This invitation cannot be used<\/h1>/);
  assert.match(shown, /Ask the person who sent you the link for another one\./);
  assert.equal(await application.models.accounts.authenticate({ ...BO, username: 'cyd' }), null);
});

test('the invitation stays valid after a form with errors and a taken name', async (t) => {
  const { application, member } = await openSite(t);
  const path = pathOf(await invite(member));
  const colleague = createVisitor(application);
  const mistakes = [
    { username: '', password: '' },
    { username: 'ADA', password: 'another password' },
    { username: 'bo-', password: 'password123' },
  ];
  for (const fields of mistakes) {
    const answer = await colleague.submit(path, fields);
    assert.equal(answer.status, 400);
    const field = `name="invitation" value="${path.slice(-43)}"`;
    assert.equal(bodyText(answer).includes(field), true, 'the form lost the invitation');
  }
  assert.equal((await colleague.submit(path, BO)).status, 303);
});

test('a registration by invitation that is sent twice logs in to its account both times', async (t) => {
  const { application, member } = await openSite(t);
  const invitation = (await invite(member)).slice(-43);
  const send = () => createVisitor(application).post('/register', { ...BO, invitation });
  const answers = [...(await Promise.all([send(), send()])), await send()];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303, 303],
  );
});

test('a withdrawn invitation is not valid, and can be withdrawn once', async (t) => {
  const { application, member } = await openSite(t);
  const path = pathOf(await invite(member));
  const page = bodyText(await member.get('/people'));
  const [, id = ''] =
    /withdraw"[^>]*>\s*<input type="hidden" name="id" value="([^"]+)"/.exec(page) ?? [];
  const withdraw = async () =>
    bodyText(await member.follow(await member.post('/people/invitations/withdraw', { id })));
  assert.match(await withdraw(), /The invitation was withdrawn/);
  assert.equal((await createVisitor(application).get(path)).status, 403);
  assert.match(await withdraw(), /has already been used or withdrawn/);
});

test('with REGISTRATION=open an invitation gives its role, and is used up', async (t) => {
  const application = await createTestApplication(t, { environment: { REGISTRATION: 'open' } });
  const member = await createMember(application);
  const path = pathOf(await invite(member, 'administrator'));
  assert.equal((await createVisitor(application).submit(path, BO)).status, 303);
  const { people, invitations } = application.models;
  assert.equal((await people.findByName('bo-'))?.role, 'administrator');
  assert.deepEqual(await invitations.list(), []);
  const anyone = { username: 'grace', password: PASSWORD };
  assert.equal((await createVisitor(application).submit(path, anyone)).status, 303);
  assert.equal((await people.findByName('grace'))?.role, 'member');
});

test('no error page or log line repeats an invitation', async (t) => {
  const { application, member } = await openSite(t);
  const invitation = (await invite(member)).slice(-43);
  const visitor = createVisitor(application);
  await visitor.get(`/register?invitation=${invitation}`);
  const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
  const refused = await visitor.post('/register', { ...BO, invitation }, foreign);
  assert.equal(refused.status, 403);
  assert.equal(bodyText(refused).includes(invitation), false);
  assert.equal(JSON.stringify([application.log, application.reports]).includes(invitation), false);
});

test('an invited visitor can register also if another one has just created the first account', async (t) => {
  const application = await createTestApplication(t, {
    replace: ({ accounts }) => ({
      accounts: {
        ...accounts,
        register: async (credentials, onlyFirst) => {
          await accounts.register({ username: 'ada', password: PASSWORD }, true);
          return accounts.register(credentials, onlyFirst);
        },
      },
    }),
  });
  const { invitations } = application.models;
  const { token } = await application.database.write((transaction) =>
    invitations.create(transaction, null),
  );
  const colleague = createVisitor(application);
  const refused = await colleague.post('/register', { ...BO, invitation: 'A'.repeat(43) });
  assert.equal(refused.status, 403);
  await application.database.write((transaction) => transaction.deleteFrom('accounts').execute());
  const answer = await colleague.submit(`/register?invitation=${token}`, BO);
  assert.equal(answer.status, 303);
  assert.match(
    bodyText(await colleague.follow(answer)),
    /Logged in as<\/span> <strong>bo-<\/strong>/,
  );
  assert.deepEqual(await invitations.list(), []);
});
