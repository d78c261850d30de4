import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor } from 'seeother/testing';
import { createTestApplication } from '../testing/create-test-application.ts';

test('failed log-ins from many addresses of one /64 are throttled together', async (t) => {
  const application = await createTestApplication(t);
  const tryFrom = (address: string, username: string) =>
    createVisitor(application).post('/login', { username, password: 'a wrong guess' }, { address });
  const statuses: number[] = [];
  for (let at = 1; at <= 15; at++) {
    const answer = await tryFrom(`2001:db8::${at.toString(16)}`, `user-${at}`);
    statuses.push(answer.status);
  }
  assert.deepEqual(statuses, [...Array(10).fill(401), ...Array(5).fill(429)]);
  assert.equal((await tryFrom('2001:db8:0:1::1', 'user-16')).status, 401);
  assert.match(bodyText(await tryFrom('2001:DB8::9', 'user-17')), /too many failed attempts/);
});

test('failed log-ins from every /64 of a /56 or a /48 are throttled too', async (t) => {
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
  assert.equal(await countMade((at) => `2001:db8:0:${at.toString(16)}::1`, 30), 20);
  assert.equal(await countMade((at) => `2001:db8:1:${at.toString(16)}00::1`, 50), 40);
});
