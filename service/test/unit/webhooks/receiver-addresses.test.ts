import { describe, expect, test } from 'vitest';
import { isPublicAddress, mayReceive } from '../../../src/effects/webhooks/rules/receiver-addresses.js';
import { isListed } from '../../../src/resources/addresses/addresses.js';

describe('isPublicAddress', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '172.15.255.255',
    '172.32.0.0',
    '192.169.0.1',
    '100.63.255.255',
    '100.128.0.0',
    '223.255.255.254',
  ])('accepts %s', (address) => expect(isPublicAddress(address)).toBe(true));
  test.each(['2606:4700:4700::1111', '2a00:1450:4001:80b::200e', '::ffff:1.1.1.1'])('accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    ['this host', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.0.1'],
    ['shared (CGNAT)', '100.64.0.1'],
    ['shared (CGNAT)', '100.127.255.255'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['link-local, metadata', '169.254.169.254'],
    ['metadata of another cloud', '100.100.100.200'],
    ['protocol assignments', '192.0.0.8'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['benchmarks', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['multicast', '239.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
    ['IPv4-mapped metadata, in hexadecimals', '::ffff:a9fe:a9fe'],
    ['IPv4-mapped private', '::ffff:10.0.0.1'],
    ['IPv4-compatible loopback', '::127.0.0.1'],
    ['IPv4-translated', '::ffff:0:127.0.0.1'],
    ['NAT64 of loopback', '64:ff9b::127.0.0.1'],
    ['NAT64 of a public address', '64:ff9b::1.1.1.1'],
    ['NAT64 of a local network', '64:ff9b:1::7f00:1'],
    ['6to4 of loopback', '2002:7f00:1::'],
    ['6to4 of metadata', '2002:a9fe:a9fe::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['documentation', '2001:db8::1'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['unique local', 'fc00::1'],
    ['unique local, metadata', 'fd00:ec2::254'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['discard', '100::1'],
    ['no address', 'localhost'],
    ['no address', ''],
  ])('rejects %s: %s', (_kind, address) => expect(isPublicAddress(address)).toBe(false));
});

test('isListed accepts IPv4 and IPv6 addresses and ranges, and treats IPv4-mapped addresses as IPv4', () => {
  const ranges = ['10.1.0.0/16', '127.0.0.1', 'fd00::/8', '::1'];
  for (const inside of ['10.1.2.3', '::ffff:10.1.2.3', '127.0.0.1', 'fd12::1', '::1']) {
    expect(isListed(inside, ranges), inside).toBe(true);
  }
  for (const outside of ['10.2.0.1', '127.0.0.2', 'fe80::1', '::2', 'nowhere']) {
    expect(isListed(outside, ranges), outside).toBe(false);
  }
});

describe('mayReceive', () => {
  test.each([
    ['1.1.1.1', 'https:', false, true],
    ['1.1.1.1', 'http:', false, false],
    ['1.1.1.1', 'http:', ['10.0.0.0/8'], false],
    ['1.1.1.1', 'https:', ['10.0.0.0/8'], true],
    ['10.0.0.1', 'http:', ['10.0.0.0/8'], true],
    ['127.0.0.1', 'https:', ['10.0.0.0/8'], false],
    ['127.0.0.1', 'https:', false, false],
    ['127.0.0.1', 'http:', true, true],
  ])('%s over %s with %j allowed: %s', (address, protocol, allowed, expected) => {
    expect(mayReceive(address, protocol, allowed)).toBe(expected);
  });
});
