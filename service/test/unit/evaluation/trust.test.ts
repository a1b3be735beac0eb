import { describe, expect, test } from 'vitest';
import { judge } from '../../../src/evaluation/rules/judge.js';
import { type Changes, facts, fingerprint, times } from './facts.js';

/** Returns the reasons and the verdict of an evaluation. */
function answer(changes: Changes) {
  const { verdict, findings } = judge(facts(changes));
  return { verdict, reasons: findings.map(({ reason }) => reason) };
}

const elsewhere = { address: { trusted: false } } as const;
const trusted = { trusted: true } as const;
/** A device recognised by a fingerprint that never completed a challenge. */
const resembling = { trusted: true, knowsVariant: false } as const;
const proven = { hasKeys: true, proof: 'valid' } as const;

describe('after a challenge was completed, the device is not challenged at that address', () => {
  /** All reasons that a login from there can have, except those that deny. */
  const suspicious: Changes = {
    device: { ...trusted, status: 'detached', autoDetached: true, hasKeys: true, proof: 'foreign' },
    attached: { overall: 5, desktop: 5 },
    active: [
      { deviceId: 'phone', network: '203.0.113.1' },
      { deviceId: 'tablet', network: '203.0.113.2' },
    ],
    others: times(10, { sameAddress: true, today: true }),
    usersAtAddress: 30,
    request: { ...fingerprint('dlc141', ['webdriver']), isReadable: false },
  };
  const noticed = [
    'unproven_device',
    'limit_exceeded',
    'concurrency',
    'multiple_accounts',
    'velocity',
    'automation',
    'unreadable_fingerprint',
  ];

  test('other reasons are only reported', () => {
    expect(answer(suspicious)).toEqual({ verdict: 'allow', reasons: noticed });
    expect(answer({ ...suspicious, device: { ...suspicious.device, trusted: false } }).verdict).toBe('challenge');
  });

  test('or restrict', () => {
    const request = fingerprint('dlc141', ['proxied_function']);
    expect(answer({ device: trusted, request })).toEqual({ verdict: 'restrict', reasons: ['tampering'] });
  });

  test('or deny, if it is blocked', () => {
    expect(answer({ device: trusted, user: { status: 'suspended' } }).verdict).toBe('deny');
  });

  test('regardless of the policy table of the project', () => {
    const settings = { policy: { login: { multiple_accounts: 'challenge' } } } as const;
    const changes = { others: [{ sameAddress: true }], settings };
    expect(answer({ ...changes, device: trusted }).verdict).toBe('allow');
    expect(answer(changes).verdict).toBe('challenge');
  });

  test('also while another challenge of the device is pending', () => {
    expect(answer({ device: { ...trusted, status: 'pending' } })).toEqual({ verdict: 'allow', reasons: [] });
  });
});

describe('the status of a device', () => {
  test('attached: is not new', () => {
    expect(answer({}).reasons).toEqual([]);
  });

  test('pending: is new until its challenge is completed', () => {
    expect(answer({ device: { status: 'pending' } })).toEqual({ verdict: 'challenge', reasons: ['new_device'] });
  });

  test('detached: is no longer trusted', () => {
    const device = { status: 'detached', trusted: true, whitelisted: true } as const;
    expect(answer({ device })).toEqual({ verdict: 'challenge', reasons: ['new_device'] });
  });

  test('blocked: is no longer trusted, even if the project does not deny it', () => {
    const device = { status: 'blocked', trusted: true } as const;
    const settings = { policy: { login: { blocked: 'report' } } } as const;
    expect(answer({ device, settings })).toEqual({ verdict: 'challenge', reasons: ['new_device', 'blocked'] });
  });

  test('detached for inactivity: stays trusted', () => {
    const device = { status: 'detached', autoDetached: true } as const;
    expect(answer({ device: { ...device, trusted: true } })).toEqual({ verdict: 'allow', reasons: [] });
    expect(answer({ device }).reasons).toEqual(['new_device']);
  });

  test('detached for inactivity: does not count towards limits', () => {
    const device = { status: 'detached', autoDetached: true, trusted: true } as const;
    expect(answer({ device, attached: { overall: 5 } }).reasons).toEqual(['limit_exceeded']);
    expect(answer({ device, attached: { overall: 4 } }).reasons).toEqual([]);
  });
});

describe('trust applies to variants that completed a challenge, and to the key', () => {
  test('a similar fingerprint is recognised, but does not inherit trust', () => {
    expect(answer({ device: resembling, ...elsewhere })).toEqual({
      verdict: 'challenge',
      reasons: ['new_device', 'new_ip'],
    });
  });

  test('unless it has a proof', () => {
    expect(answer({ device: { ...resembling, ...proven }, ...elsewhere })).toEqual({
      verdict: 'allow',
      reasons: ['new_ip'],
    });
  });

  test('or comes from a trusted address', () => {
    expect(answer({ device: resembling })).toEqual({ verdict: 'allow', reasons: [] });
  });

  test('the key of another device is no proof', () => {
    const device = { ...resembling, hasKeys: true, proof: 'foreign' } as const;
    expect(answer({ device, ...elsewhere }).reasons).toEqual(['new_device', 'new_ip', 'unproven_device']);
  });
});

describe('a trusted device at an untrusted address', () => {
  test('is allowed with proof', () => {
    expect(answer({ device: { ...trusted, ...proven }, ...elsewhere }).verdict).toBe('allow');
  });

  test('is challenged without proof', () => {
    expect(answer({ device: trusted, ...elsewhere })).toEqual({ verdict: 'challenge', reasons: ['new_ip'] });
  });

  const settings = { address_change: 'allow' } as const;

  test('is allowed without proof if the project prefers less friction', () => {
    expect(answer({ device: trusted, ...elsewhere, settings })).toEqual({ verdict: 'allow', reasons: ['new_ip'] });
  });

  test('which applies neither to an untrusted device, nor to a similar one, nor to a missing key', () => {
    expect(answer({ ...elsewhere, settings }).verdict).toBe('challenge');
    expect(answer({ device: resembling, ...elsewhere, settings }).verdict).toBe('challenge');
    expect(answer({ device: { ...trusted, hasKeys: true }, ...elsewhere, settings }).verdict).toBe('challenge');
  });

  test('is still challenged for other reasons, also with proof', () => {
    const request = fingerprint('dlc141', ['webdriver']);
    expect(answer({ device: { ...trusted, ...proven }, ...elsewhere, request }).verdict).toBe('challenge');
  });
});

describe('without a known address', () => {
  test('no reason concerns addresses', () => {
    const active = [
      { deviceId: 'phone', network: '203.0.113.1' },
      { deviceId: 'tablet', network: '203.0.113.2' },
    ];
    const changes: Changes = { address: null, usersAtAddress: 30, active };
    expect(answer(changes)).toEqual({ verdict: 'allow', reasons: [] });
  });

  test('only the device decides whether it is challenged', () => {
    const request = fingerprint('dlc141', ['webdriver']);
    expect(answer({ address: null, device: trusted, request }).verdict).toBe('allow');
    expect(answer({ address: null, device: { ...trusted, ...proven }, request }).verdict).toBe('allow');
    expect(answer({ address: null, request }).verdict).toBe('challenge');
  });

  test('but not for a device without its key', () => {
    const device = { ...trusted, hasKeys: true };
    expect(answer({ address: null, device })).toEqual({ verdict: 'challenge', reasons: ['unproven_device'] });
  });

  test('a similar fingerprint does not inherit trust', () => {
    expect(answer({ address: null, device: resembling }).reasons).toEqual(['new_device']);
  });
});

describe('a device that the customer trusts permanently', () => {
  const whitelisted = { whitelisted: true, status: 'pending' } as const;
  const request = fingerprint('dlc141', ['webdriver']);

  test('is treated as at a trusted address everywhere, by its fingerprint or its key', () => {
    expect(answer({ device: whitelisted, ...elsewhere, request })).toEqual({
      verdict: 'allow',
      reasons: ['new_ip', 'automation'],
    });
    const byKey = { ...whitelisted, ...proven, knowsVariant: false };
    expect(answer({ device: byKey, ...elsewhere, request }).verdict).toBe('allow');
  });

  test('may lack its key, and needs no address', () => {
    const device = { ...whitelisted, hasKeys: true };
    expect(answer({ device, ...elsewhere }).verdict).toBe('allow');
    expect(answer({ device, address: null })).toEqual({ verdict: 'allow', reasons: ['unproven_device'] });
  });

  test('may change its address, regardless of settings for other devices', () => {
    const settings = { policy: { login: { new_ip: 'restrict' } } } as const;
    expect(answer({ device: whitelisted, ...elsewhere, settings }).verdict).toBe('allow');
    expect(answer({ device: trusted, ...elsewhere, settings }).verdict).toBe('restrict');
  });

  test('is not recognised by a similar fingerprint', () => {
    const device = { ...whitelisted, knowsVariant: false };
    expect(answer({ device, ...elsewhere }).reasons).toEqual(['new_device', 'new_ip']);
  });

  test('is denied if it is blocked', () => {
    expect(answer({ device: { whitelisted: true, trusted: true, status: 'blocked' } }).verdict).toBe('deny');
  });
});

describe('without account takeover protection', () => {
  const settings = { account_takeover_protection: false };

  test('new_device, new_ip and unproven_device are reported', () => {
    const device = { status: 'pending', hasKeys: true } as const;
    expect(answer({ device, ...elsewhere, settings })).toEqual({
      verdict: 'allow',
      reasons: ['new_device', 'new_ip', 'unproven_device'],
    });
  });

  test('other reasons still count', () => {
    expect(answer({ device: null, settings, attached: { overall: 5 } }).verdict).toBe('challenge');
  });
});
