import { expect, test } from 'vitest';
import { addressInfo } from '../../../src/resources/addresses/rules/address-info.js';

const city = {
  source: 'City',
  facts: { country: 'DE', region: 'Berlin', city: 'Berlin', latitude: 52.5, longitude: 13.4, accuracyKm: 5, kinds: [] },
};
const country = { source: 'Country', facts: { country: 'FR', kinds: [] } };
const network = { source: 'Networks', facts: { asn: 3320, organisation: 'Deutsche Telekom AG', kinds: [] } };

test('nothing is known if no database or list says anything', () => {
  expect(addressInfo([], [])).toBeUndefined();
  expect(addressInfo([{ source: 'Empty', facts: { kinds: [] } }], [])).toBeUndefined();
});

test('each fact comes from the first database that has it, with its source', () => {
  expect(addressInfo([network, city, country], [])).toEqual({
    country: 'DE',
    region: 'Berlin',
    city: 'Berlin',
    latitude: 52.5,
    longitude: 13.4,
    accuracy_km: 5,
    asn: 3320,
    organisation: 'Deutsche Telekom AG',
    sources: { country: 'City', location: 'City', asn: 'Networks' },
  });
});

test('a city is not combined with another database’s country', () => {
  expect(addressInfo([country, city], [])).toEqual({ country: 'FR', sources: { country: 'Country' } });
});

test('the most specific kind counts, whichever source names it', () => {
  const hosting = { source: 'Anonymous', facts: { kinds: ['hosting', 'vpn'] as const } };
  const relay = { source: 'relays.csv', kind: 'relay' as const };
  expect(addressInfo([hosting], [])).toEqual({ kind: 'vpn', sources: { kind: 'Anonymous' } });
  expect(addressInfo([hosting], [relay])).toEqual({ kind: 'relay', sources: { kind: 'relays.csv' } });
});

test('a network of a hosting company or a mobile operator says the kind', () => {
  const of = (asn: number) => addressInfo([{ source: 'Networks', facts: { asn, kinds: [] } }], [])?.kind;
  expect([24940, 21928, 3320].map(of)).toEqual(['hosting', 'mobile', undefined]);
});
