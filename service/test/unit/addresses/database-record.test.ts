import { describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/resources/addresses/rules/database-record.js';

describe('a record of', () => {
  test('MaxMind GeoIP2 and GeoLite2 City, and DB-IP City', () => {
    const record = {
      city: { names: { de: 'Genf', en: 'Geneva' } },
      country: { iso_code: 'CH', names: { en: 'Switzerland' } },
      location: { accuracy_radius: 20, latitude: 46.2, longitude: 6.14, time_zone: 'Europe/Zurich' },
      registered_country: { iso_code: 'FR' },
      subdivisions: [{ iso_code: 'GE', names: { en: 'Geneva canton' } }],
    };
    expect(readRecord(record)).toEqual({
      country: 'CH',
      region: 'Geneva canton',
      city: 'Geneva',
      latitude: 46.2,
      longitude: 6.14,
      accuracyKm: 20,
      kinds: [],
    });
  });

  test('MaxMind ASN and ISP, and DB-IP ASN', () => {
    const record = {
      autonomous_system_number: 3320,
      autonomous_system_organization: 'Deutsche Telekom AG',
      isp: 'Telekom',
    };
    expect(readRecord(record)).toEqual({ asn: 3320, organisation: 'Deutsche Telekom AG', kinds: [] });
  });

  test('MaxMind Enterprise and DB-IP with traits', () => {
    const traits = {
      autonomous_system_number: 20057,
      autonomous_system_organization: 'AT&T Mobility',
      connection_type: 'Cellular',
      user_type: 'cellular',
    };
    expect(readRecord({ traits })).toEqual({ asn: 20057, organisation: 'AT&T Mobility', kinds: ['mobile'] });
  });

  test('MaxMind Anonymous IP', () => {
    const record = { is_anonymous: true, is_anonymous_vpn: true, is_hosting_provider: true };
    expect(readRecord(record).kinds).toEqual(['vpn', 'hosting']);
    expect(readRecord({ is_anonymous: true, is_tor_exit_node: true }).kinds).toEqual(['tor']);
    expect(readRecord({ is_residential_proxy: true }).kinds).toEqual(['proxy']);
  });

  test('IPinfo Lite', () => {
    const record = { asn: 'AS15169', as_name: 'Google LLC', country: 'United States', country_code: 'US' };
    expect(readRecord(record)).toEqual({ country: 'US', asn: 15169, organisation: 'Google LLC', kinds: [] });
  });

  test('IPinfo Location, whose numbers are text', () => {
    const record = { city: 'Lagos', region: 'Lagos', country: 'NG', lat: '6.45407', lng: '3.39467', radius: '50' };
    expect(readRecord(record)).toEqual({
      country: 'NG',
      region: 'Lagos',
      city: 'Lagos',
      latitude: 6.45407,
      longitude: 3.39467,
      accuracyKm: 50,
      kinds: [],
    });
  });

  test('IPinfo Privacy and ASN, whose flags are text', () => {
    expect(readRecord({ hosting: 'true', proxy: '', relay: 'true', tor: '', vpn: 'false' }).kinds).toEqual([
      'relay',
      'hosting',
    ]);
    expect(readRecord({ asn: 'AS24940', name: 'Hetzner Online GmbH', type: 'hosting' })).toEqual({
      asn: 24940,
      organisation: 'Hetzner Online GmbH',
      kinds: ['hosting'],
    });
  });

  test('ip-location-db', () => {
    expect(readRecord({ country_code: 'NL' })).toEqual({ country: 'NL', kinds: [] });
  });
});

test.each([
  ['no object', 7],
  ['no country', { country_code: 'ZZ' }],
  ['several countries', { country: { iso_code: 'EU' } }],
  ['only one coordinate', { location: { latitude: 1 } }],
  ['impossible coordinates', { location: { latitude: 91, longitude: 0 } }],
  ['values of other types', { country: 5, city: { names: 3 }, asn: 'fifteen', subdivisions: 'x' }],
  ['a name without a network', { name: 'somebody' }],
  ['inherited names', { toString: true }],
])('a record with %s has no facts', (_name, record) => {
  expect(readRecord(record)).toEqual({ kinds: [] });
});
