/** What a person may be called, and where the name is shown. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  PASSWORD,
} from '../testing/create-test-application.ts';
import { openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { DISPLAY_NAME, toNameKey } from './display-name.ts';

test('the joiners in names are part of their spelling, and nothing else invisible is', () => {
  const names = [
    'علی\u200cرضا',
    'شاه\u200cمحمد کریمی',
    'ක්\u200dෂේම',
    'ශ්\u200dරී ලංකා',
    'മോഹന്\u200d',
    'क्\u200dष',
    '葛\u{e0100}飾 太郎',
    'Jörg Müller',
  ];
  for (const name of names) assert.match(name, DISPLAY_NAME, name);
  const others = [
    'ad\u200ca',
    'ada\u200d',
    '\u200dعلی',
    'علی\u200c',
    'علی\u200c\u200cرضا',
    'аб\u200dв',
    'αβ\u200cγ',
  ];
  const marks = [
    '\u200b',
    '\u202e',
    '\u2066',
    '\u00ad',
    '\u3164',
    '\u115f',
    '\u034f',
    '\u2800',
    '\ufeff',
  ];
  for (const name of [...others, ...marks.flatMap((mark) => [`علی${mark}رضا`, `ada${mark}`])])
    assert.doesNotMatch(name, DISPLAY_NAME, JSON.stringify(name));
  assert.equal(toNameKey('علی\u200cرضا'), toNameKey('علیرضا'), 'they read alike');
});

testOnEngines('pages call a person by a name that nobody else has or looks like', async (t) => {
  const database = await openTestDatabase(t);
  const application = await createTestApplication(t, { database });
  const [ada, bo] = [await createMember(application, 'ada'), await createMember(application, 'bo')];
  await ada.submit('/items/new', { name: 'Drill' });
  await bo.get('/items/1');
  const choose = (displayname: string, member = ada) =>
    member.submit('/account/profile', { displayname });
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
  const registerAs = async (username: string, displayname = '') => {
    const path = await application.models.accounts.invite('member');
    const fields = { username, displayname, password: PASSWORD };
    return createVisitor(application).submit(path, fields);
  };
  assert.equal((await registerAs('jorgmuller')).status, 303, 'nobody has that name now');
  await choose('Cy Twombly');
  const like = await registerAs('cy.twombly');
  assert.equal(like.status, 400);
  assert.match(bodyText(like), /<a href="#username">Username is taken; choose another one</);
  const same = await registerAs('eve', 'CY TWOMBLY');
  assert.equal(same.status, 400);
  assert.match(bodyText(same), /<a href="#displayname">Somebody else has this name/);
  assert.equal((await choose('علی\u200cرضا')).status, 303);
  assert.match(bodyText(await bo.get('/items/held')), /علی\u200cرضا/);
  assert.equal((await choose('علیرضا', bo)).status, 400, 'it reads alike');
  assert.equal((await choose('')).status, 303);
  assert.match(bodyText(await bo.get('/items/held')), />ada</);
});
