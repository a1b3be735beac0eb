import { describe, expect, test } from 'vitest';
import { type IntegrityBit, readIntegrity } from 'whorl/fingerprint';
import { reasons } from 'whorl/wire';
import { hasTrait } from '../../../src/evaluation/rules/reasons/table.js';
import { isListed } from '../../../src/resources/addresses/addresses.js';
import { type Changes, detect, facts, fingerprint, times } from './facts.js';
import { situations } from './situations.js';

describe('evidence', () => {
  // Rules are matched after the detectors.
  const detected = situations.filter(({ reason }) => reason !== 'rule');
  test.each(detected)('of $reason, $when, names the reason and contains no personal data', ({ reason, changes }) => {
    const given = facts({
      ...changes,
      request: { emailDomain: 'mailinator.com', ...changes.request },
      action: 'signup',
    });
    const finding = detect(reason, given);
    expect(finding?.reason).toBe(reason);
    const text = JSON.stringify(finding);
    expect(text).not.toMatch(/@|some\.?one|198\.51\.100|203\.0\.113/i);
    expect(JSON.parse(text)).toEqual(finding);
  });

  test.each(situations)('of $reason, $when, has a strength only if denial needs proof', ({ reason, changes }) => {
    const strength = detect(reason, facts({ ...changes, action: 'signup' }))?.strength;
    if (strength !== undefined) expect(hasTrait(reason, 'denies_with_proof')).toBe(true);
  });

  test('exists for every detector, and for no other reason', () => {
    for (const reason of reasons) expect(detect(reason, facts())).toBeUndefined();
  });
});

test('multiple_accounts counts other users by their minimum strength', () => {
  const others = [...times(3), ...times(2, { sameContact: true }), { sameKey: true }];
  expect(detect('multiple_accounts', facts({ others }))).toEqual({
    reason: 'multiple_accounts',
    strength: 'proven',
    evidence: { others: { fingerprint: 6, corroborated: 3, proven: 1 } },
  });
});

test('a project that is too small for a crowd does not corroborate by it', () => {
  expect(detect('multiple_accounts', facts({ others: times(1) }))?.strength).toBe('fingerprint');
});

test('self_referral treats the same key as the same device, at any address', () => {
  expect(detect('self_referral', facts({ referrer: { sameKey: true } }))?.strength).toBe('proven');
});

test('self_referral ignores a referrer who shares neither device nor address', () => {
  expect(detect('self_referral', facts({ referrer: { sameContact: true } }))).toBeUndefined();
});

describe('disposable_email', () => {
  const domain = (emailDomain: string | undefined) =>
    detect('disposable_email', facts({ request: { emailDomain } }))?.evidence.domain;

  test.each(['mailinator.com', 'inbox.of.mailinator.com'])('%s is disposable', (email) => {
    expect(domain(email)).toBe('mailinator.com');
  });

  test.each(['gmail.com', 'qqmailinator.com', 'mailinator.com.example', 'com', '', '.', undefined])(
    '%s is not',
    (email) => {
      expect(domain(email)).toBeUndefined();
    },
  );
});

describe('integrity', () => {
  const found = (bit: IntegrityBit) => {
    const given = facts({ request: fingerprint('dlc141', [bit]) });
    return (['automation', 'tampering'] as const).filter((reason) => detect(reason, given) !== undefined);
  };
  const automation: readonly IntegrityBit[] = [
    'webdriver',
    'headless_user_agent',
    'driver_traces',
    'inspected',
    'unreadable_check',
  ];
  const noise: readonly IntegrityBit[] = ['canvas_noise', 'audio_noise'];
  const tampering = readIntegrity(0xffffff).filter((bit) => !automation.includes(bit) && !noise.includes(bit));

  test.each(automation)('%s is automation', (bit) => expect(found(bit)).toEqual(['automation']));
  test.each(tampering)('%s is tampering', (bit) => expect(found(bit)).toEqual(['tampering']));
  test.each(noise)('%s is neither', (bit) => expect(found(bit)).toEqual([]));

  test('names all bits that were found', () => {
    const given = facts({
      request: fingerprint('dlc141', ['webdriver', 'driver_traces', 'inconsistent_getter', 'audio_noise']),
    });
    expect(detect('automation', given)?.evidence).toEqual({ integrity: ['webdriver', 'driver_traces'] });
    expect(detect('tampering', given)?.evidence).toEqual({ integrity: ['inconsistent_getter'] });
  });
});

describe('unreadable_fingerprint', () => {
  test('contains the number of readable facets', () => {
    const { parsed } = fingerprint();
    const poor = parsed && { ...parsed, facets: { ...parsed.facets, gpu: '~~~~', audio: '~~~~' } };
    const found = detect('unreadable_fingerprint', facts({ request: { parsed: poor, isReadable: false } }));
    expect(found?.evidence).toEqual({ readable_facets: 19 });
  });
});

describe('the lists of addresses', () => {
  const isBlocked = (ip: string, ...entries: string[]) => isListed(ip, entries);

  test.each([
    ['198.51.100.7', '198.51.100.7'],
    ['198.51.100.7', '198.51.100.0/24'],
    ['198.51.100.7', ' 198.51.100.7 '],
    ['198.51.100.7', '::ffff:198.51.100.0/120'],
    ['::ffff:198.51.100.7', '198.51.100.0/24'],
    ['198.51.100.7', '0.0.0.0/0'],
    ['2001:db8::1', '2001:db8::/32'],
    ['2001:DB8:0::1', '2001:db8::1'],
  ])('%s is on the list of %s', (ip, entry) => {
    expect(isBlocked(ip, entry)).toBe(true);
  });

  test.each([
    ['198.51.100.7', '198.51.101.0/24'],
    ['198.51.100.7', '::/0'],
    ['2001:db8::1', '0.0.0.0/0'],
    ['2001:db9::1', '2001:db8::/32'],
    ['not an address', '0.0.0.0/0'],
    ['0.0.0.1', '1'],
  ])('%s is not on the list of %s', (ip, entry) => {
    expect(isBlocked(ip, entry)).toBe(false);
  });

  test('invalid entries are ignored', () => {
    const wrong = ['', 'nonsense', '198.51.100.0/33', '198.51.100', '/24', '198.51.100.7/-1'];
    expect(isBlocked('198.51.100.7', ...wrong)).toBe(false);
    expect(isBlocked('198.51.100.7', ...wrong, '198.51.100.7')).toBe(true);
  });

  test('names everything that is blocked', () => {
    const changes: Changes = {
      device: { status: 'blocked' },
      user: { status: 'suspended' },
      lists: [
        { id: 'a', kind: 'address', effect: 'block' },
        { id: 'b', kind: 'user', effect: 'allow' },
        { id: 'c', kind: 'user', effect: 'block' },
      ],
    };
    expect(detect('blocked', facts(changes))?.evidence).toEqual({
      blocked: ['device', 'user', 'address'],
      entries: [
        { id: 'a', kind: 'address', effect: 'block' },
        { id: 'c', kind: 'user', effect: 'block' },
      ],
    });
    expect(detect('list', facts(changes))?.evidence).toEqual({ entries: [{ id: 'b', kind: 'user', effect: 'allow' }] });
  });
});
