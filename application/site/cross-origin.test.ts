/** Forms that another site sends in a logged-in user's name. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Request } from 'seeother';
import { bodyText, createVisitor } from 'seeother/testing';
import type { Environment } from '../settings/config.ts';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
} from '../testing/create-test-application.ts';

const SILENT = { 'sec-fetch-site': undefined };

async function openForm(
  t: TestContext,
  environment: Environment = {},
  own: Request['headers'] = {},
) {
  const application = await createTestApplication(t, { environment });
  const member = await createMember(application, 'ada', { headers: own });
  return async (headers: Request['headers']) => {
    const before = (await application.models.items.list(1)).itemCount;
    const answer = await member.post(
      '/items',
      { name: 'Drill' },
      { headers: { cookie: `sid=${member.cookie('sid')}`, ...headers } },
    );
    const { itemCount } = await application.models.items.list(1);
    assert.equal(itemCount - before, answer.status === 303 ? 1 : 0);
    return answer;
  };
}

test('a form from another site is a 403 page, and nothing is written', async (t) => {
  const send = await openForm(t);
  for (const site of ['cross-site', 'same-site', 'other', '']) {
    const answer = await send({ 'sec-fetch-site': site, origin: 'http://localhost' });
    assert.equal(answer.status, 403, site);
    assert.match(bodyText(answer), /The form was not sent from this site/, site);
  }
});

test('a form from this site, or from no site, is accepted', async (t) => {
  const send = await openForm(t);
  assert.equal((await send({ 'sec-fetch-site': 'same-origin' })).status, 303);
  assert.equal((await send({ 'sec-fetch-site': 'none' })).status, 303);
});

test('without Sec-Fetch-Site the Origin must be the host', async (t) => {
  const send = await openForm(t);
  for (const origin of ['http://localhost', 'https://LOCALHOST']) {
    assert.equal((await send({ ...SILENT, origin })).status, 303, origin);
  }
  const foreign = [
    'null',
    'http://evil.example',
    'http://localhost.evil.example',
    'http://evil.example@localhost',
    'http://localhost:8080',
    '',
  ];
  for (const origin of foreign) {
    const answer = await send({ ...SILENT, origin });
    assert.equal(answer.status, 403, origin);
    assert.match(bodyText(answer), /The form was not sent from this site/, origin);
  }
});

test('a program that sends neither header is accepted', async (t) => {
  const send = await openForm(t);
  assert.equal((await send(SILENT)).status, 303);
});

test('with PUBLIC_ORIGIN the Origin must be that, whatever the Host says', async (t) => {
  const own = { host: 'things.example' };
  const send = await openForm(t, { PUBLIC_ORIGIN: 'http://things.example' }, own);
  assert.equal((await send({ ...SILENT, origin: 'http://things.example' })).status, 303);
  for (const origin of ['http://evil.example', 'https://things.example', 'http://localhost'])
    assert.equal((await send({ ...SILENT, origin })).status, 403, origin);
  const evil = { ...SILENT, host: 'evil.example', origin: 'http://evil.example' };
  assert.equal((await send(evil)).status, 421);
  const page = await send({ host: 'evil.example' });
  assert.equal(page.status, 421);
  assert.match(bodyText(page), /This is not the address of this site/);
  assert.doesNotMatch(bodyText(page), /What you typed/);
});

test('the content type makes no difference', async (t) => {
  const send = await openForm(t);
  for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x']) {
    const headers = { 'sec-fetch-site': 'cross-site', 'content-type': type };
    assert.equal((await send(headers)).status, 403, type);
  }
});

test('logging in, registering and logging out are protected too', async (t) => {
  const application = await createTestApplication(t);
  const init = { headers: { 'sec-fetch-site': 'cross-site' } };
  const account = { username: 'ada', password: PASSWORD };
  const stranger = createVisitor(application);
  assert.equal((await stranger.post('/register', account, init)).status, 403);
  assert.equal(await application.models.accounts.isEmpty(), true);
  const member = await createMember(application);
  assert.equal((await stranger.post('/login', account, init)).status, 403);
  assert.equal(stranger.cookie('sid'), null);
  const cookie = `sid=${member.cookie('sid')}`;
  const headers = { ...init.headers, cookie };
  assert.equal((await member.post('/logout', {}, { headers })).status, 403);
  assert.equal((await member.get('/items/new')).status, 200);
});

test('a link from another site is followed, and no other site may read the answer', async (t) => {
  const visitor = createVisitor(await createTestApplication(t));
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'http://evil.example' };
  const answer = await visitor.get('/items', { headers });
  assert.equal(answer.status, 200);
  assert.equal(headerOf(answer, 'Access-Control-Allow-Origin'), undefined);
});
