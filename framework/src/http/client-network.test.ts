import assert from 'node:assert/strict';
import test from 'node:test';
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
