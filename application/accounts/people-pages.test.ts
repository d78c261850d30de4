/** The people pages, as an administrator and as others see them here. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, createVisitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  PASSWORD,
} from '../testing/create-test-application.ts';
import { testOnEngines } from '../testing/open-test-database.ts';

async function openSite(t: TestContext, environment = {}) {
  const application = await createTestApplication(t, { environment, mailer: null });
  const ada = await createMember(application);
  const bo = await createMember(application, 'bo-');
  return { application, ada, bo };
}

test('readers and members see names and roles, and whom to ask', async (t) => {
  const { application, bo } = await openSite(t);
  await application.models.accounts.command(['role', 'bo-', 'reader']);
  const shown = bodyText(await bo.get('/people'));
  assert.match(shown, />ada<.*Administrator.*>bo-<.*Reader/s);
  assert.match(shown, /ask an administrator: ada\./);
  assert.doesNotMatch(shown, /action="\/people|href="\/people\/\d|Open invitations/);
  assert.equal((await bo.get('/people/1')).status, 403);
});

test('an invitation has a name and a role, which the new account gets', async (t) => {
  const { application, ada } = await openSite(t);
  const invited = { to: 'Grace <b>', role: 'reader' };
  const shown = bodyText(await ada.follow(await ada.submit('/people', invited)));
  const [, link = ''] = /<code class="address">http:\/\/localhost([^<]+)<\/code>/.exec(shown) ?? [];
  assert.match(shown, /can be opened on this computer only, because its address is localhost: set/);
  assert.match(bodyText(await ada.get('/people')), /Grace &lt;b&gt;<\/th><td>Reader</);
  const grace = createVisitor(application);
  assert.equal((await grace.submit(link, { username: 'grace', password: PASSWORD })).status, 303);
  assert.equal((await application.models.people.findByName('grace'))?.role, 'reader');
});

test('no error page or log line repeats an invitation', async (t) => {
  const { application } = await openSite(t);
  const path = await application.models.accounts.invite('member');
  const visitor = createVisitor(application);
  assert.equal((await visitor.get(path)).status, 200);
  const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
  const refused = await visitor.post(path, { username: 'cyd', password: PASSWORD }, foreign);
  assert.equal(refused.status, 403);
  const told = [bodyText(refused), JSON.stringify([application.log, application.reports])];
  for (const text of told) assert.equal(text.includes(path.slice(-43)), false);
});

testOnEngines('a disabled person is named by what they did, and can log in again', async (t) => {
  const { application, ada, bo } = await openSite(t);
  await bo.submit('/account/profile', { displayname: 'Bo Derek' });
  await bo.post('/items', { name: 'Drill' });
  await ada.post('/items/1/lend', { to: 'Bo Derek' });
  const held =
    /Bo Derek has 1 item<.*href="\/items\/1">Drill<.*Disabling the account returns noth/s;
  assert.match(bodyText(await ada.get('/people/2')), held);
  const disabled = bodyText(await ada.follow(await ada.submit('/people/2', { action: 'disable' })));
  assert.match(disabled, /Bo Derek is logged out everywhere.*Bo Derek has 1 item</s);
  assert.equal((await bo.get('/account')).status, 303);
  assert.match(bodyText(await ada.get('/items/1')), /by Bo Derek/);
  assert.match(bodyText(await ada.get('/people')), /Bo Derek<.*Disabled/s);
  assert.equal((await application.models.people.findByName('bo-'))?.removedAt === null, false);
  await ada.submit('/people/2', { action: 'enable' });
  const back = { username: 'bo-', password: PASSWORD };
  assert.equal((await createVisitor(application).post('/login', back)).status, 303);
});
