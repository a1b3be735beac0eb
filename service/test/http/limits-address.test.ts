import { expect, test } from 'vitest';
import { clientAddress } from '../../src/testing.js';

const proxies = ['10.0.0.0/8', '2001:db8:ffff::/48', '::1'];

test.each<[string, string | undefined, string | undefined, string | undefined]>([
  ['the connection, where no proxy is trusted', '192.0.2.1', '203.0.113.9', '192.0.2.1'],
  ['the connection, without a header', '10.0.0.1', undefined, '10.0.0.1'],
  ['what a trusted proxy says', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['what the outermost trusted proxy says', '10.0.0.1', '203.0.113.9, 10.0.0.3, 10.0.0.2', '203.0.113.9'],
  ['never what stands left of it', '10.0.0.1', '198.51.100.1, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['never a trusted address that a stranger wrote', '10.0.0.1', '10.9.9.9, 203.0.113.9', '203.0.113.9'],
  ['the leftmost, where all are proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['the proxy itself, where it says nothing of use', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['the last that is known, where the chain is broken', '10.0.0.1', '203.0.113.9, , 10.0.0.2', '10.0.0.2'],
  ['an address with a port', '10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
  ['an IPv6 address with a port', '::1', '[2001:db8::5]:4711', '2001:db8::5'],
  ['an IPv6 address in another spelling', '2001:db8:ffff::1', '2001:DB8:0::0005', '2001:db8::5'],
  ['an IPv4 address written as IPv6', '::ffff:10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
  ['nothing, where the connection has none', undefined, '203.0.113.9', undefined],
])('the address of a client is %s', (_name, connection, forwardedFor, expected) => {
  expect(clientAddress(connection, forwardedFor, proxies)?.ip).toBe(expected);
});

test('no proxy is trusted by default, and long headers are not read completely', () => {
  expect(clientAddress('10.0.0.1', '203.0.113.9', [])?.ip).toBe('10.0.0.1');
  const header = ['203.0.113.9', ...Array.from({ length: 100 }, () => '10.0.0.2')].join(',');
  expect(clientAddress('10.0.0.1', header, proxies)?.ip).toBe('10.0.0.2');
});
