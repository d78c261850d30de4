/** The log-in throttle must not lock a user out of a browser in which they have logged in before. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { createVisitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  PASSWORD,
  setCookieOf,
  type TestApplication,
} from '../testing/create-test-application.ts';

const ADA = { username: 'ada', password: PASSWORD };
const WRONG = { ...ADA, password: 'a wrong guess' };

async function failAsStranger(application: TestApplication, times: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    const init = { address: `198.51.100.${count}` };
    await createVisitor(application).post('/login', WRONG, init);
  }
}

async function openSite(t: TestContext) {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  await member.post('/logout');
  return { application, member };
}

test('each log-in sets the device cookie for a year, with HttpOnly', async (t) => {
  const { application } = await openSite(t);
  const lineOver = async (scheme: 'http' | 'https', name: string) => {
    const answer = await createVisitor(application).post('/login', ADA, { scheme });
    return setCookieOf(answer, name)?.replace(/=[\w-]{43};/, '=TOKEN;');
  };
  assert.equal(
    await lineOver('http', 'device'),
    'device=TOKEN; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax',
  );
  assert.equal(
    await lineOver('https', '__Host-device'),
    '__Host-device=TOKEN; Path=/; Max-Age=31536000; HttpOnly; Secure; SameSite=Lax',
  );
});

test('a registration records the device too', async (t) => {
  const application = await createTestApplication(t);
  const answer = await createVisitor(application).post('/register', ADA);
  assert.match(setCookieOf(answer, 'device') ?? '', /^device=[\w-]{43};/);
});

test('an attacker who fails on purpose does not lock the user out of a known device', async (t) => {
  const { application, member } = await openSite(t);
  await failAsStranger(application, 10);
  assert.equal((await createVisitor(application).post('/login', ADA)).status, 429);
  assert.equal((await member.post('/login', ADA)).status, 303);
});

test('two device cookies are both ignored', async (t) => {
  const { application, member } = await openSite(t);
  await failAsStranger(application, 10);
  const device = member.cookie('device');
  const headers = { cookie: `device=${device}; device=${'A'.repeat(43)}` };
  assert.equal((await createVisitor(application).post('/login', ADA, { headers })).status, 429);
});

test('over https, a device cookie without the prefix __Host- is ignored', async (t) => {
  const { application, member } = await openSite(t);
  await failAsStranger(application, 10);
  const headers = { cookie: `device=${member.cookie('device')}` };
  const answer = await createVisitor(application).post('/login', ADA, { headers, scheme: 'https' });
  assert.equal(answer.status, 429);
});
