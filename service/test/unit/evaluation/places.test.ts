import { describe, expect, test } from 'vitest';
import type { AddressInfo, AddressKind } from 'whorl/wire';
import { hourMs } from '../../../src/ground/time.js';
import { daysAgo, detect, facts, now } from './facts.js';

const hoursAgo = (hours: number) => new Date(now.getTime() - hours * hourMs);
const berlin = { latitude: 52.52, longitude: 13.405, accuracy_km: 10, sources: {} } satisfies AddressInfo;
const munich = { latitude: 48.137, longitude: 11.575, accuracy_km: 10, sources: {} } satisfies AddressInfo;
const tokyo = { latitude: 35.68, longitude: 139.69, accuracy_km: 10, sources: {} } satisfies AddressInfo;

describe('impossible_travel', () => {
  const found = (info: AddressInfo, ...history: { at: Date; info?: AddressInfo }[]) =>
    detect('impossible_travel', facts({ address: { info }, history }))?.evidence;

  test('names the distance, the time and the speed', () => {
    // 8,917 km apart, less 10 km for each place.
    expect(found(tokyo, { at: hoursAgo(2), info: berlin })).toEqual({ km: 8917, hours: 2, km_per_hour: 4448 });
  });

  test.each([
    [504 / 900 - 20 / 900 - 0.01, true],
    [504 / 900 - 20 / 900 + 0.01, false],
  ])('begins at 900 km/h: %d hours', (hours, isFound) => {
    expect(found(munich, { at: hoursAgo(hours), info: berlin }) !== undefined).toBe(isFound);
  });

  test('crosses the date line and the poles the short way', () => {
    const fiji = { latitude: -17.7, longitude: 179.9, accuracy_km: 1, sources: {} };
    expect(found({ ...fiji, longitude: -179.9 }, { at: hoursAgo(0.1), info: fiji })).toBeUndefined();
    const pole = { latitude: 89.9, longitude: 0, accuracy_km: 1, sources: {} };
    expect(found({ ...pole, longitude: 180 }, { at: hoursAgo(0.1), info: pole })).toBeUndefined();
  });

  test('needs more distance than both places are uncertain, 100 km each if unknown', () => {
    const { accuracy_km: _, ...vague } = munich;
    expect(found(vague, { at: now, info: { ...berlin, accuracy_km: 420 } })).toBeUndefined();
    expect(found(vague, { at: now, info: { ...berlin, accuracy_km: 380 } })).toBeDefined();
  });

  test('treats accesses at the same moment as a minute apart', () => {
    const near = { ...berlin, latitude: 52.75 };
    expect(found(near, { at: now, info: berlin })).toBeUndefined();
  });

  test.each<AddressKind>(['hosting', 'vpn', 'proxy', 'tor', 'relay', 'mobile'])('ignores %s at both ends', (kind) => {
    expect(found({ ...tokyo, kind }, { at: hoursAgo(1), info: berlin })).toBeUndefined();
    expect(found(tokyo, { at: hoursAgo(1), info: { ...berlin, kind } })).toBeUndefined();
    // The access before it has a known place.
    const before = { at: hoursAgo(3), info: berlin };
    expect(found(tokyo, { at: hoursAgo(1), info: { ...tokyo, kind } }, before)?.hours).toBe(3);
  });

  test('needs coordinates, and an address that is not that of a proxy', () => {
    const country = { country: 'JP', sources: {} };
    expect(found(country, { at: hoursAgo(1), info: berlin })).toBeUndefined();
    expect(found(tokyo, { at: hoursAgo(1) }, { at: hoursAgo(2), info: country })).toBeUndefined();
    const shared = facts({ address: { info: tokyo, isShared: true }, history: [{ at: hoursAgo(1), info: berlin }] });
    expect(detect('impossible_travel', shared)).toBeUndefined();
  });
});

describe('new_country', () => {
  const found = (country: string | undefined, ...known: (string | undefined)[]) => {
    const infoOf = (name: string | undefined) => (name ? { country: name, sources: {} } : undefined);
    const info = infoOf(country);
    const history = known.map((name, index) => ({ at: daysAgo(index), info: infoOf(name) }));
    return detect('new_country', facts({ address: info ? { info } : {}, history }))?.evidence;
  };

  test('names the country and those that are known', () => {
    expect(found('JP', 'FR', undefined, 'DE', 'FR')).toEqual({ country: 'JP', known_countries: ['DE', 'FR'] });
  });

  test.each([
    ['JP', []],
    ['JP', [undefined]],
    ['JP', ['DE', 'JP']],
    [undefined, ['DE']],
  ])('is not raised for %s after %j', (country, known) => {
    expect(found(country, ...known)).toBeUndefined();
  });
});

test.each<[AddressKind, boolean]>([
  ['vpn', true],
  ['proxy', true],
  ['tor', true],
  ['relay', false],
  ['hosting', false],
  ['mobile', false],
])('anonymous_network: %s is %s', (kind, isAnonymous) => {
  const info = { kind, sources: { kind: 'a list' } };
  const finding = detect('anonymous_network', facts({ address: { info } }));
  expect(finding?.evidence).toEqual(isAnonymous ? { address_kind: kind, source: 'a list' } : undefined);
});
