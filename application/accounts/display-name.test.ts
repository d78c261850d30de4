/** What a person may be called, and where the name is shown. */
import assert from 'node:assert/strict';
import { bodyText } from 'seeother/testing';
import { createMember, createTestApplication } from '../testing/create-test-application.ts';
import { openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';

testOnEngines('pages call a person by a name that nobody else has or looks like', async (t) => {
  const database = await openTestDatabase(t);
  const application = await createTestApplication(t, { database });
  const [ada, bo] = [await createMember(application, 'ada'), await createMember(application, 'bo')];
  await ada.submit('/items/new', { name: 'Drill' });
  await bo.get('/items/1');
  const choose = (displayname: string, member = ada) =>
    member.submit('/account/name', { displayname });
  await ada.post('/items/1/lend', { to: 'ada' });
  assert.equal((await choose('Jo\u0308rg Müller')).status, 303);
  for (const path of ['/items/1', '/items/history', '/people', '/items/held'])
    assert.match(bodyText(await bo.get(path)), /Jörg Müller/, path);
  assert.match(bodyText(await ada.get('/items')), /as<\/span> <strong>Jörg Müller/);
  for (const name of [
    'jorg  mueller'.replace('ue', 'u'),
    'JÖRG-MÜLLER',
    'a.d.a',
    'Jörg Mülleг',
    'x'.repeat(61),
    '\u202eab',
    // A letter that shows nothing.
    'ada\u3164',
    '123',
  ])
    assert.equal((await choose(name, bo)).status, 400, name);
  assert.equal((await choose('Ada', ada)).status, 303, 'like the own username');
  const taken = await application.models.accounts.register(
    { username: 'jorgmuller', password: 'correct horse battery' },
    false,
  );
  assert.equal(taken.kind, 'registered', 'nobody has that name now');
  await choose('Cy Twombly');
  const like = { username: 'cy.twombly', password: 'correct horse battery' };
  assert.equal((await application.models.accounts.register(like, false)).kind, 'taken');
  assert.equal((await choose('')).status, 303);
  assert.match(bodyText(await bo.get('/items/held')), />ada</);
});
