import assert from 'node:assert/strict';
import test from 'node:test';
import { createVisitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  PASSWORD,
} from '../testing/create-test-application.ts';

test('failed log-ins from many addresses of a /64, a /56 or a /48 are throttled together', async (t) => {
  const application = await createTestApplication(t);
  const countMade = async (toAddress: (at: number) => string, tries: number) => {
    let made = 0;
    for (let at = 0; at < tries; at++) {
      const fields = { username: `user-${toAddress(at)}`, password: 'a wrong guess' };
      const init = { address: toAddress(at) };
      const { status } = await createVisitor(application).post('/login', fields, init);
      if (status === 401) made++;
    }
    return made;
  };
  assert.equal(await countMade((at) => `2001:db8::${at.toString(16)}`, 15), 10);
  assert.equal(await countMade((at) => `2001:db8:2:${at.toString(16)}::1`, 30), 20);
  assert.equal(await countMade((at) => `2001:db8:1:${at.toString(16)}00::1`, 50), 40);
});

test('a name in upper case is the same account, and a known device of it is counted apart', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  for (let at = 0; at < 10; at++) {
    const fields = { username: at % 2 === 0 ? 'ada' : 'ADA', password: 'a wrong guess' };
    const init = { address: `198.51.100.${at}` };
    assert.equal((await createVisitor(application).post('/login', fields, init)).status, 401);
  }
  const fields = { username: 'Ada', password: PASSWORD };
  assert.equal((await createVisitor(application).post('/login', fields)).status, 429);
  assert.equal((await member.post('/login', fields)).status, 303);
});
