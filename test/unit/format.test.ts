import { describe, expect, test } from 'vitest';
import { facetGroups, facets } from '../../src/fingerprint/facets.js';
import { agree, countUnreadable, formatVersion, unreadable } from '../../src/fingerprint/format.js';
import { decode24, encode24 } from '../../src/fingerprint/hash.js';
import { integrityBits, readIntegrity } from '../../src/fingerprint/integrity.js';
import { parse } from '../../src/fingerprint/parse.js';
import { allValues, changing, fingerprint, without } from './fingerprints.js';

const whole = 'w1.dlc141.xPeQq93X9EjAXOGKJX0nvejI1frf.5NgB9xjml9VJ4xaEzba7K4OhVoMm1iNlIsPB.NkAvoOnG458e-E39LTJu.AAAA';

// Browsers and databases contain fingerprints of this format. If this fails, `formatVersion` must be increased.
describe('the format is pinned', () => {
  test('a fingerprint, character for character', () => {
    expect(fingerprint()).toBe(whole);
  });

  test('with a scope, integrity and unreadable facets', () => {
    expect(fingerprint(without('memory', 'audio', 'timezone'), { scope: 'example.com', integrity: 0x8001 })).toBe(
      'w1.dlc141.23vo8xyeFxys~~~~_4DkqZuGYMyk.4ch8wNqjl-mr~~~~TbLMLQjRy6zUnmpfjo4t.Kes9LmSGZ88O~~~~Sx3M.AIAB',
    );
  });

  test('its version', () => {
    expect(formatVersion).toBe('w1');
  });

  test('the order of groups', () => {
    expect(facetGroups).toEqual(['hardware', 'software', 'setting']);
  });

  test('the groups, order and members of facets', () => {
    expect(facets.map(({ group, name, members }) => `${group} ${name}: ${members.join(' ')}`)).toEqual([
      'hardware engine: engine',
      'hardware platform: operatingSystem architecture',
      'hardware cpu: cores',
      'hardware memory: memory',
      'hardware gpu: gpu',
      'hardware touch: touchPoints',
      'hardware memoryFrom8: memoryFrom8',
      'software gl: glParameters glExtensions',
      'software raster: raster',
      'software text: text',
      'software audio: audio',
      'software fonts: fonts scripts',
      'software metrics: metrics',
      'software media: codecs',
      'software maths: maths',
      'software surface: surface',
      'setting screen: screen',
      'setting input: pointers',
      'setting locale: locale',
      'setting timezone: timezone',
      'setting preferences: preferences',
    ]);
  });

  test('the order of integrity bits', () => {
    expect(integrityBits).toEqual([
      'webdriver',
      'headless_user_agent',
      'driver_traces',
      'proxied_function',
      'accepts_wrong_receiver',
      'inconsistent_getter',
      'resolution_contradiction',
      'engine_contradiction',
      'system_contradiction',
      'worker_contradiction',
      'canvas_noise',
      'audio_noise',
      'inspected',
      'scripted_function',
      'unreadable_check',
    ]);
  });
});

describe('buildFingerprint', () => {
  test('stays under 110 characters with the longest descriptor', () => {
    expect(fingerprint(allValues, { descriptor: 'dlc9999', integrity: 0xffffff }).length).toBeLessThan(110);
  });

  test('needs no escaping in URLs, cookies and logs', () => {
    const text = fingerprint(without('audio'), { integrity: 0xffffff });
    expect(text).toMatch(/^[\w.~-]+$/);
    expect(encodeURIComponent(text)).toBe(text);
  });

  test('a different scope changes every digest', () => {
    const plain = parse(fingerprint())?.facets;
    const scoped = parse(fingerprint(allValues, { scope: 'example.com' }))?.facets;
    for (const { name } of facets) expect(scoped?.[name]).not.toBe(plain?.[name]);
  });

  test('a changed value changes only its own digest', () => {
    const before = parse(fingerprint())?.facets;
    const after = parse(fingerprint(changing('fonts')))?.facets;
    const changed = facets.filter(({ name }) => before?.[name] !== after?.[name]);
    expect(changed.map(({ name }) => name)).toEqual(['fonts']);
  });

  test('a facet without a value is ~~~~, an empty value is not', () => {
    const { facets: digests } = parse(fingerprint({ ...without('gpu'), touch: '' })) ?? {};
    expect(digests?.gpu).toBe('~~~~');
    expect(digests?.touch).toMatch(/^[\w-]{4}$/);
  });

  test('without readable facets, all digests are ~~~~', () => {
    expect(fingerprint({})).toBe(`w1.dlc141.${'~'.repeat(28)}.${'~'.repeat(36)}.${'~'.repeat(20)}.AAAA`);
  });

  test('equal values of all facets give different digests', () => {
    const same = Object.fromEntries(facets.map(({ name }) => [name, '[0]']));
    expect(new Set(Object.values(parse(fingerprint(same))?.facets ?? {})).size).toBe(facets.length);
  });

  test('characters outside ASCII count', () => {
    expect(fingerprint({ ...allValues, fonts: '漢' })).not.toBe(fingerprint({ ...allValues, fonts: '字' }));
  });
});

describe('integrity', () => {
  test.each([0, 1, 0x8001, 0xabcdef, 0xffffff])('%d is preserved', (integrity) => {
    expect(decode24(encode24(integrity))).toBe(integrity);
    expect(parse(fingerprint(allValues, { integrity }))?.integrity).toBe(integrity);
  });

  test('readIntegrity returns the set bits, and ignores unknown ones', () => {
    expect(readIntegrity(0)).toEqual([]);
    expect(readIntegrity(0b101)).toEqual(['webdriver', 'driver_traces']);
    expect(readIntegrity(0xffffff)).toEqual(integrityBits);
  });
});

describe('parse', () => {
  test('returns the parts of a fingerprint', () => {
    const parsed = parse(fingerprint(without('memory'), { descriptor: 'tif128', integrity: 5 }));
    expect(parsed).toMatchObject({
      version: 'w1',
      descriptor: { kind: 'tablet', os: 'iOS', browser: 'Firefox', browserVersion: 128 },
      integrity: 5,
    });
    expect(Object.keys(parsed?.facets ?? {})).toEqual(facets.map(({ name }) => name));
    const [, , hardware, software, setting] = fingerprint(without('memory')).split('.');
    expect(Object.values(parsed?.facets ?? {}).join('')).toBe(`${hardware}${software}${setting}`);
    expect(parsed?.facets.memory).toBe(unreadable);
  });

  test.each([
    ['dwc141', 'desktop', 'Windows', 'Chromium', 141],
    ['dmw18', 'desktop', 'macOS', 'WebKit', 18],
    ['dlf9', 'desktop', 'Linux', 'Firefox', 9],
    ['mac1000', 'mobile', 'Android', 'Chromium', 1000],
    ['dcc0', 'desktop', 'ChromeOS', 'Chromium', 0],
    ['zzz1', 'unknown', 'unknown', 'unknown', 1],
  ] as const)('reads the descriptor %s', (descriptor, kind, os, browser, browserVersion) => {
    const parsed = parse(fingerprint(allValues, { descriptor }));
    expect(parsed?.descriptor).toEqual({ kind, os, browser, browserVersion });
  });

  test.each([
    ['nothing', ''],
    ['words', 'not a fingerprint'],
    ['a plain hash', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['another version', whole.replace('w1', 'w2')],
    ['capital letters in the version', whole.replace('w1', 'W1')],
    ['no descriptor', whole.replace('dlc141', '')],
    ['a descriptor without a version', whole.replace('dlc141', 'dlc')],
    ['a descriptor too long', whole.replace('dlc141', 'dlc14100')],
    ['a group too short', whole.replace(/\.\w/, '.')],
    ['a character too much', `${whole}A`],
    ['a character too few', whole.slice(0, -1)],
    ['no integrity', whole.slice(0, -5)],
    ['an unreadable integrity', `${whole.slice(0, -4)}~~~~`],
    ['half an unreadable facet', whole.replace(/^(w1\.dlc141\.)../, '$1~~')],
    ['unreadable across two facets', whole.replace(/^(w1\.dlc141\...)..../, '$1~~~~')],
    ['a space before', ` ${whole}`],
    ['a space after', `${whole} `],
    ['a line break after', `${whole}\n`],
    ['standard base64', `${whole.slice(0, -1)}+`],
    ['one more group', `${whole}.AAAA`],
    ['two fingerprints', `${whole},${whole}`],
  ])('returns undefined for %s', (_, text) => {
    expect(parse(text)).toBeUndefined();
  });
});

describe('agree', () => {
  test('ignores integrity and facets that are unreadable on one side', () => {
    expect(agree(fingerprint(), fingerprint(without('gpu', 'fonts'), { integrity: 9 }))).toBe(true);
    expect(agree(fingerprint(without('gpu')), fingerprint(without('fonts')))).toBe(true);
  });

  test.each(facets.map(({ name }) => name))('detects a difference in %s', (name) => {
    expect(agree(fingerprint(), fingerprint(changing(name)))).toBe(false);
  });

  test('detects a difference in the descriptor', () => {
    expect(agree(fingerprint(), fingerprint(allValues, { descriptor: 'dlc142' }))).toBe(false);
  });

  test('treats texts of unknown format as the same only if they are equal', () => {
    expect(agree('w2.a.b', 'w2.a.b')).toBe(true);
    expect(agree('w2.a.b', 'w2.a.c')).toBe(false);
    expect(agree(fingerprint(), 'w1')).toBe(false);
  });
});

test('countUnreadable counts facets, not integrity', () => {
  expect(countUnreadable(fingerprint())).toBe(0);
  expect(countUnreadable(fingerprint(without('gpu', 'fonts')))).toBe(2);
  expect(countUnreadable(fingerprint({}))).toBe(facets.length);
});
