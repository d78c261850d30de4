/** What each role may do on the site. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, hiddenFields } from 'seeother/testing';
import { pathOf } from '../security/probe.ts';
import {
  createMember,
  createTestApplication,
  headerOf,
  setRole,
} from '../testing/create-test-application.ts';
import { addItem, testOnEngines } from '../testing/open-test-database.ts';

const DRILL = { name: 'Drill', description: '', quantity: 1, location: '', tags: [] };

/** The forms that a reader may send: none of them changes an item or another person. */
const OWN = /^\/(?:account|draft|login|logout|mail|password|register)(?:\/|$)/;

async function openSite(t: TestContext) {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const reader = await createMember(application, 'rea');
  await setRole(application, 'rea', 'reader');
  await addItem(application.database, DRILL, 1);
  return { application, ada, reader };
}

testOnEngines('every form but those of one’s own account is a 403 for a reader', async (t) => {
  const { application, reader } = await openSite(t);
  const { routes, models } = application;
  const before = JSON.stringify([await models.items.list(1), await models.people.list()]);
  const forms = routes.filter(({ method, pattern }) => method === 'POST' && !OWN.test(pattern));
  assert.ok(forms.length > 0);
  for (const { pattern } of forms) {
    const answer = await reader.post(pathOf(pattern), { name: 'Saw', _once: 'k' });
    assert.equal(answer.status, 403, pattern);
    assert.match(
      bodyText(answer),
      /Ask an administrator to change your role: <strong>ada</,
      pattern,
    );
    assert.match(bodyText(answer), /Nothing was saved or changed\./, pattern);
  }
  assert.equal(JSON.stringify([await models.items.list(1), await models.people.list()]), before);
});

test('the form of a person who has become a reader meanwhile gives its text back', async (t) => {
  const { application, ada } = await openSite(t);
  const member = await createMember(application, 'mem');
  const hidden = hiddenFields(bodyText(await member.get('/items/new')));
  await setRole(application, 'mem', 'reader');
  const answer = await member.post('/items', { ...hidden, name: 'A long story' });
  assert.equal(answer.status, 403);
  assert.match(bodyText(answer), /<dd>A long story<\/dd>/);
  await setRole(application, 'mem', 'member');
  assert.equal((await member.post('/items', { ...hidden, name: 'A long story' })).status, 303);
  assert.match(bodyText(await ada.get('/items')), /A long story/);
});

test('a change of the role shows at once on a page that the browser has', async (t) => {
  const { application } = await openSite(t);
  const member = await createMember(application, 'mem');
  const tag = headerOf(await member.get('/items'), 'ETag') ?? '';
  await setRole(application, 'mem', 'reader');
  const answer = await member.get('/items', { headers: { 'if-none-match': tag } });
  assert.equal(answer.status, 200);
  assert.doesNotMatch(bodyText(answer), /Add item/);
});
