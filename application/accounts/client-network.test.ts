import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor } from 'seeother/testing';
import { createTestApplication } from '../testing/create-test-application.ts';
import { toNetworks } from './client-network.ts';

test('the networks of an IPv6 client are its /64, /56 and /48, in any spelling of the address', () => {
  const rows = [
    ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48'],
    [
      '2001:0DB8:0000:12ab:ffff:FFFF:ffff:ffff',
      '2001:db8:0:12ab::/64',
      '2001:db8:0:1200::/56',
      '2001:db8:0::/48',
    ],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64', '2001:db8:0:0::/56', '2001:db8:0::/48'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64', '1:2:3:0::/56', '1:2:3::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0::/48'],
    ['::1', '0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48'],
    ['1::', '1:0:0:0::/64', '1:0:0:0::/56', '1:0:0::/48'],
  ];
  for (const [address = '', ...networks] of rows)
    assert.deepEqual(toNetworks(address), networks, address);
});

test('the network of an IPv4 client is its address, also as a mapped IPv6 address', () => {
  const mapped = ['::ffff:192.0.2.7', '::FFFF:c000:207', '0:0:0:0:0:ffff:192.0.2.7'];
  for (const address of ['192.0.2.7', ...mapped])
    assert.deepEqual(toNetworks(address), ['192.0.2.7']);
  assert.equal(toNetworks('::1:ffff:192.0.2.7')[0], '0:0:0:0::/64');
});

test('text that is not an address is returned unchanged', () => {
  for (const text of ['', 'unknown', '2001:db8', '[::1]'])
    assert.deepEqual(toNetworks(text), [text]);
});

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
