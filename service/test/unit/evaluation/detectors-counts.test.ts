import { describe, expect, test } from 'vitest';
import { type Changes, detect, facts, failing, fingerprint, now, times } from './facts.js';

describe('limit_exceeded', () => {
  const exceeded = (changes: Changes) =>
    detect('limit_exceeded', facts({ device: null, ...changes }))?.evidence.exceeded;
  const phone = { request: fingerprint('mac141') };

  test('is raised above the limit, and not at the limit', () => {
    expect(exceeded({ attached: { overall: 4 } })).toBeUndefined();
    expect(exceeded({ attached: { overall: 5 } })).toEqual(['overall']);
  });

  test('counts the kind of a new device by its fingerprint', () => {
    const changes = { attached: { mobile: 1 }, settings: { device_limit: { mobile: 1 } } };
    expect(exceeded(changes)).toBeUndefined();
    expect(exceeded({ ...changes, ...phone })).toEqual(['mobile']);
  });

  test('counts a known device by its recorded kind', () => {
    const changes = { attached: { mobile: 1 }, settings: { device_limit: { mobile: 1 } } };
    expect(exceeded({ ...changes, device: { status: 'pending', kind: 'mobile' } })).toEqual(['mobile']);
  });

  test('a device of unknown kind counts only towards the overall limit', () => {
    const settings = { device_limit: { overall: 0, mobile: 0, tablet: 0, desktop: 0 } };
    expect(exceeded({ request: { parsed: undefined }, settings })).toEqual(['overall']);
  });

  test('names all limits that are exceeded', () => {
    const settings = { device_limit: { overall: 2, mobile: 1 } };
    expect(exceeded({ ...phone, attached: { overall: 2, mobile: 1 }, settings })).toEqual(['overall', 'mobile']);
  });

  test('null means no limit', () => {
    expect(exceeded({ attached: { overall: 900 }, settings: { device_limit: { overall: null } } })).toBeUndefined();
  });

  test('a device that is already counted exceeds no limit', () => {
    expect(exceeded({ device: { status: 'attached' }, attached: { overall: 9 } })).toBeUndefined();
    expect(exceeded({ device: { status: 'pending' }, attached: { overall: 9 } })).toEqual(['overall']);
  });
});

describe('concurrency', () => {
  const devices = (...active: [deviceId: string, network: string][]) =>
    detect('concurrency', facts({ active: active.map(([deviceId, network]) => ({ deviceId, network })) }))?.evidence
      .devices;

  test.each<[string, [string, string][], number | undefined]>([
    ['two devices at two addresses', [['a', 'n1']], undefined],
    [
      'three at three',
      [
        ['a', 'n1'],
        ['b', 'n2'],
      ],
      3,
    ],
    [
      'three at two',
      [
        ['a', 'n1'],
        ['b', 'n1'],
      ],
      undefined,
    ],
    [
      'three, one of them at the address at hand',
      [
        ['a', 'n1'],
        ['b', '198.51.100.7'],
      ],
      undefined,
    ],
    [
      'one that was seen at two addresses',
      [
        ['a', 'n1'],
        ['a', 'n2'],
      ],
      undefined,
    ],
    [
      'one that moved to where another is',
      [
        ['a', 'n1'],
        ['a', 'n2'],
        ['b', 'n1'],
      ],
      3,
    ],
    [
      'two that share both of their addresses',
      [
        ['a', 'n1'],
        ['a', 'n2'],
        ['b', 'n1'],
        ['b', 'n2'],
      ],
      3,
    ],
    [
      'four at four',
      [
        ['a', 'n1'],
        ['b', 'n2'],
        ['c', 'n3'],
      ],
      4,
    ],
    [
      'four, of which two have but one address to share',
      [
        ['a', 'n1'],
        ['b', 'n1'],
        ['c', 'n2'],
      ],
      3,
    ],
  ])('%s', (_name, active, expected) => {
    expect(devices(...active)).toBe(expected);
  });

  test('allows as many as the project does', () => {
    const active = [
      { deviceId: 'a', network: 'n1' },
      { deviceId: 'b', network: 'n2' },
    ];
    expect(detect('concurrency', facts({ active, settings: { concurrency: { devices: 3 } } }))).toBeUndefined();
  });
});

describe('velocity', () => {
  const today = { sameAddress: true, today: true };

  test('10 users per day are allowed on a device, and 30 at an address', () => {
    expect(detect('velocity', facts({ others: times(9, today), usersAtAddress: 29 }))).toBeUndefined();
  });

  test('users of other days, and users with only the same fingerprint, do not count', () => {
    expect(detect('velocity', facts({ others: times(40, { sameAddress: true }) }))).toBeUndefined();
    expect(detect('velocity', facts({ others: times(40, { today: true }) }))).toBeUndefined();
  });

  test('follows the settings', () => {
    const settings = { velocity: { users_per_device: 1, users_per_address: 1 } };
    const found = detect('velocity', facts({ others: times(1, today), usersAtAddress: 1, settings }));
    expect(found?.evidence).toEqual({
      users_on_device: 2,
      users_per_device: 1,
      users_at_address: 2,
      users_per_address: 1,
    });
  });

  test('has the strength of the evidence that exceeds the limit', () => {
    const key = { sameKey: true, today: true };
    const strength = (changes: Changes) => detect('velocity', facts(changes))?.strength;
    expect(strength({ others: times(10, key) })).toBe('proven');
    expect(strength({ others: [...times(9, key), today] })).toBe('corroborated');
    expect(strength({ others: times(9, key), usersAtAddress: 30 })).toBeUndefined();
  });
});

describe('password_guessing', () => {
  const found = (failures: number, outcome: 'succeeded' | 'failed') =>
    detect('password_guessing', facts({ outcome, velocity: { user: failing({ failures }) } }))?.evidence;

  test('counts this attempt if it failed', () => {
    expect(found(10, 'succeeded')).toBeUndefined();
    expect(found(11, 'succeeded')).toEqual({ failures: 11, failures_per_user: 10 });
    expect(found(9, 'failed')).toBeUndefined();
    expect(found(10, 'failed')).toEqual({ failures: 11, failures_per_user: 10 });
  });
});

describe('credential_stuffing', () => {
  const stranger = { user: { exists: false } };

  test.each([
    ['device', 5],
    ['address', 10],
    ['network', 20],
    ['asn', 50],
  ] as const)('by %s: more than %i users', (kind, limit) => {
    const found = (failedUsers: number) =>
      detect('credential_stuffing', facts({ ...stranger, velocity: { [kind]: failing({ failedUsers }) } }));
    expect(found(limit)).toBeUndefined();
    const counts = { failed_users: limit + 1, failures: 20, evaluations: 40, [`users_per_${kind}`]: limit };
    expect(found(limit + 1)?.evidence).toEqual({ [kind]: counts });
  });

  test('not if fewer than half of the attempts failed', () => {
    const address = failing({ failedUsers: 19, failures: 19, evaluations: 39 });
    expect(detect('credential_stuffing', facts({ ...stranger, velocity: { address } }))).toBeUndefined();
  });

  test.each<[string, Changes, boolean]>([
    ['an attached device', { address: { trusted: false } }, false],
    ['a trusted address', { device: null }, false],
    ['neither', { device: null, address: { trusted: false } }, true],
    ['no address', { device: null, address: null }, true],
    ['a pending device', { device: { status: 'pending' }, address: { trusted: false } }, true],
    ['a detached device', { device: { status: 'detached' }, address: { trusted: false } }, true],
    ['an idle device', { device: { status: 'detached', autoDetached: true }, address: { trusted: false } }, false],
    ['a blocked device', { device: { status: 'blocked' }, address: { trusted: false } }, true],
  ])('in a campaign, with %s', (_name, changes, expected) => {
    const campaign = { failures: 20, since: now, usualPerHour: 0.123 };
    const found = detect('credential_stuffing', facts({ ...changes, campaign }));
    expect(found !== undefined).toBe(expected);
    if (!found) return;
    expect(found).not.toHaveProperty('strength');
    const project = { strange_failures: 20, since: now.toISOString(), usual_per_hour: 0.12 };
    expect(found.evidence).toEqual({ project });
  });

  test.each<[string, NonNullable<Changes['velocity']>, readonly string[]]>([
    ['others failed there', { address: failing({ failedUsers: 1 }) }, ['address', 'project']],
    ['only this user did', { user: failing({ failures: 1 }), address: failing({ failedUsers: 1 }) }, ['project']],
    ['most attempts succeed', { address: failing({ failedUsers: 1, failures: 1, evaluations: 3 }) }, ['project']],
    ['others failed with a common fingerprint', { device: failing({ failedUsers: 1 }) }, ['project']],
    ['others failed from the provider', { asn: failing({ failedUsers: 1 }) }, ['project']],
  ])('a campaign has these sources if %s', (_name, velocity, expected) => {
    const campaign = { failures: 20, since: now, usualPerHour: 0.1 };
    const found = detect('credential_stuffing', facts({ ...stranger, campaign, velocity }));
    expect(Object.keys(found?.evidence ?? {})).toEqual(expected);
  });
});
