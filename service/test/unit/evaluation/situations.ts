import type { Reason } from 'whorl/wire';
import { hourMs } from '../../../src/ground/time.js';
import { type Changes, failing, fingerprint, now, times } from './facts.js';

/** A verdict, or `report` if the reason is named and the verdict stays `allow`, or `–` if the reason is not named. */
export type Expected = 'report' | 'restrict' | 'challenge' | 'challenge_and_restrict' | 'deny' | '–';

/** A row of the policy table under one condition, with a value for each of the three columns. */
export interface Situation {
  readonly reason: Reason;
  readonly when: string;
  readonly changes: Changes;
  readonly login: Expected;
  readonly signup: Expected;
  readonly referral: Expected;
  /** Other reasons that always occur as well. */
  readonly beside?: readonly Reason[];
}

const rare = { match: { crowd: 0.00009 } };
const common = { match: { crowd: 0.0001 } };
/** Isolates `velocity` from the reason that is based on the same users. */
const reportAccounts: Changes['settings'] = {
  policy: { signup: { multiple_accounts: 'report' }, referral: { multiple_accounts: 'report' } },
};
const disposable = { emailDomain: 'mailinator.com' };
/** A trusted device that returns with its key at another address after it was detached for inactivity. */
const returning: Changes = {
  device: { status: 'detached', autoDetached: true, trusted: true, hasKeys: true, proof: 'valid' },
  address: { trusted: false },
};

const challengeElseReport = { login: 'challenge', signup: 'report', referral: 'report' } as const;
const loginOnly = { login: 'challenge', signup: '–', referral: '–' } as const;
const allReport = { login: 'report', signup: 'report', referral: 'report' } as const;
const sharing = { login: 'report', signup: 'restrict', referral: 'restrict' } as const;
const referred = { login: '–', signup: 'restrict', referral: 'restrict' } as const;
const speed = { login: 'challenge', signup: 'restrict', referral: 'restrict' } as const;
const munich = { latitude: 48.1, longitude: 11.6, accuracy_km: 20, sources: {} };
const newYork = { latitude: 40.7, longitude: -74, accuracy_km: 20, sources: {} };
const campaign = { failures: 20, since: now, usualPerHour: 0.1 };
const stuffing = { login: 'challenge', signup: 'restrict', referral: '–' } as const;
const denied = { login: 'deny', signup: 'deny', referral: 'deny' } as const;

/** The intended policy table, written by hand and not derived from the code. */
export const situations: readonly Situation[] = [
  { reason: 'new_device', when: 'no device of the user matches', changes: { device: null }, ...challengeElseReport },
  {
    reason: 'new_device',
    when: 'the device is pending',
    changes: { device: { status: 'pending' } },
    ...challengeElseReport,
  },
  {
    reason: 'new_ip',
    when: 'the device is known and not trusted',
    changes: { address: { trusted: false } },
    ...challengeElseReport,
  },
  {
    reason: 'new_ip',
    when: 'the device is new too',
    changes: { device: null, address: { trusted: false } },
    beside: ['new_device'],
    ...challengeElseReport,
  },
  {
    reason: 'new_ip',
    when: 'a trusted device comes without proof',
    changes: { device: { trusted: true }, address: { trusted: false } },
    ...challengeElseReport,
  },
  {
    reason: 'new_ip',
    when: 'a trusted device comes with proof',
    changes: { device: { trusted: true, hasKeys: true, proof: 'valid' }, address: { trusted: false } },
    ...allReport,
  },
  {
    reason: 'unproven_device',
    when: 'the key is missing',
    changes: { device: { hasKeys: true } },
    ...challengeElseReport,
  },
  {
    reason: 'unproven_device',
    when: 'the key is another',
    changes: { device: { hasKeys: true, proof: 'foreign' } },
    ...challengeElseReport,
  },
  {
    reason: 'impossible_travel',
    when: 'the last access was 6,500 km away, an hour ago',
    changes: { address: { info: newYork }, history: [{ at: new Date(now.getTime() - hourMs), info: munich }] },
    ...loginOnly,
  },
  {
    reason: 'new_country',
    when: 'the user was only seen in another one',
    changes: { address: { info: { country: 'US', sources: {} } }, history: [{ info: { country: 'DE', sources: {} } }] },
    login: 'report',
    signup: '–',
    referral: '–',
  },
  {
    reason: 'anonymous_network',
    when: 'the address is a VPN',
    changes: { address: { info: { kind: 'vpn', sources: { kind: 'list' } } } },
    login: 'report',
    signup: 'report',
    referral: 'restrict',
  },
  {
    reason: 'limit_exceeded',
    when: 'a sixth device comes',
    changes: { ...returning, attached: { overall: 5 } },
    login: 'challenge',
    signup: '–',
    referral: '–',
    beside: ['new_ip'],
  },
  {
    reason: 'limit_exceeded',
    when: 'a second desktop comes where one is allowed',
    changes: { ...returning, attached: { overall: 1, desktop: 1 }, settings: { device_limit: { desktop: 1 } } },
    ...loginOnly,
    beside: ['new_ip'],
  },
  {
    reason: 'concurrency',
    when: 'three devices are active at three addresses',
    changes: {
      active: [
        { deviceId: 'phone', network: '203.0.113.1' },
        { deviceId: 'tablet', network: '203.0.113.2' },
      ],
    },
    ...loginOnly,
  },
  {
    reason: 'multiple_accounts',
    when: 'the fingerprint of 1 other is the same',
    changes: { others: times(1) },
    ...allReport,
  },
  {
    reason: 'multiple_accounts',
    when: 'the fingerprint of 3 others is the same',
    changes: { others: times(3) },
    ...allReport,
  },
  {
    reason: 'multiple_accounts',
    when: 'it is as common as a crowd of 1 in 10,000',
    changes: { others: times(3), ...common },
    ...allReport,
  },
  {
    reason: 'multiple_accounts',
    when: '1 other is at the same address',
    changes: { others: times(1, { sameAddress: true }) },
    ...sharing,
  },
  {
    reason: 'multiple_accounts',
    when: '1 other has the same contact',
    changes: { others: times(1, { sameContact: true }) },
    ...sharing,
  },
  {
    reason: 'multiple_accounts',
    when: '1 other has the same rare fingerprint',
    changes: { others: times(1), ...rare },
    ...sharing,
  },
  {
    reason: 'multiple_accounts',
    when: '3 others are at the same address',
    changes: { others: times(3, { sameAddress: true }) },
    ...sharing,
  },
  {
    reason: 'multiple_accounts',
    when: '1 other holds the same key',
    changes: { others: times(1, { sameKey: true }) },
    login: 'report',
    signup: 'restrict',
    referral: 'deny',
  },
  {
    reason: 'multiple_accounts',
    when: '2 others hold the same key, and 3 are at the same address',
    changes: { others: [...times(2, { sameKey: true }), ...times(3, { sameAddress: true })] },
    login: 'report',
    signup: 'restrict',
    referral: 'deny',
  },
  {
    reason: 'multiple_accounts',
    when: '3 others hold the same key',
    changes: { others: times(3, { sameKey: true }) },
    login: 'report',
    signup: 'deny',
    referral: 'deny',
  },
  {
    reason: 'self_referral',
    when: 'only the address is the same',
    changes: { referrer: { sameAddress: true } },
    login: '–',
    signup: 'report',
    referral: 'report',
  },
  {
    reason: 'self_referral',
    when: 'the address and the contact are the same, and the device is not',
    changes: { referrer: { sameAddress: true, sameContact: true }, ...rare },
    login: '–',
    signup: 'report',
    referral: 'report',
  },
  {
    reason: 'self_referral',
    when: 'only the fingerprint is the same',
    changes: { referrer: { sameDevice: true } },
    login: '–',
    signup: 'report',
    referral: 'report',
  },
  {
    reason: 'self_referral',
    when: 'fingerprint and address are the same',
    changes: { referrer: { sameDevice: true, sameAddress: true } },
    ...referred,
  },
  {
    reason: 'self_referral',
    when: 'fingerprint and contact are the same',
    changes: { referrer: { sameDevice: true, sameContact: true } },
    ...referred,
  },
  {
    reason: 'self_referral',
    when: 'a rare fingerprint is the same',
    changes: { referrer: { sameDevice: true }, ...rare },
    ...referred,
  },
  {
    reason: 'self_referral',
    when: 'the key is the same',
    changes: { referrer: { sameDevice: true, sameKey: true } },
    login: '–',
    signup: 'restrict',
    referral: 'deny',
  },
  {
    reason: 'velocity',
    when: '11 users came today, from one device at one address',
    changes: { others: times(10, { sameAddress: true, today: true }), settings: reportAccounts },
    beside: ['multiple_accounts'],
    ...speed,
  },
  {
    reason: 'velocity',
    when: '11 users came today, with one rare fingerprint',
    changes: { others: times(10, { today: true }), settings: reportAccounts, ...rare },
    beside: ['multiple_accounts'],
    ...speed,
  },
  {
    reason: 'velocity',
    when: '11 users came today, with one key',
    changes: { others: times(10, { sameKey: true, today: true }), settings: reportAccounts },
    beside: ['multiple_accounts'],
    ...speed,
  },
  { reason: 'velocity', when: '31 users came from one address', changes: { usersAtAddress: 30 }, ...speed },
  {
    reason: 'password_guessing',
    when: '11 attempts failed',
    changes: { velocity: { user: failing({ failures: 11 }) } },
    ...loginOnly,
  },
  {
    reason: 'credential_stuffing',
    when: 'users fail at the address',
    changes: { user: { exists: false }, velocity: { address: failing({ failedUsers: 11 }) } },
    ...stuffing,
  },
  {
    reason: 'credential_stuffing',
    when: 'the project has a campaign',
    changes: { user: { exists: false }, campaign },
    login: 'challenge',
    signup: 'report',
    referral: '–',
  },
  {
    reason: 'credential_stuffing',
    when: 'the project has a campaign, and another user failed in this network',
    changes: { user: { exists: false }, campaign, velocity: { network: failing({ failedUsers: 1 }) } },
    ...stuffing,
  },
  {
    reason: 'credential_stuffing',
    when: 'the project has a campaign, and another user failed with the fingerprint',
    changes: { user: { exists: false }, campaign, velocity: { device: failing({ failedUsers: 1 }) } },
    login: 'challenge',
    signup: 'report',
    referral: '–',
  },
  {
    reason: 'credential_stuffing',
    when: 'users of the provider fail',
    changes: { user: { exists: false }, velocity: { asn: failing({ failedUsers: 51 }) } },
    login: 'challenge',
    signup: 'report',
    referral: '–',
  },
  {
    reason: 'credential_stuffing',
    when: 'users fail with the fingerprint',
    changes: { user: { exists: false }, velocity: { device: failing({ failedUsers: 6 }) } },
    login: 'report',
    signup: 'report',
    referral: '–',
  },
  {
    reason: 'credential_stuffing',
    when: 'users fail with a rare fingerprint',
    changes: { ...rare, user: { exists: false }, velocity: { device: failing({ failedUsers: 6 }) } },
    ...stuffing,
  },
  { reason: 'disposable_email', when: 'the domain is listed', changes: { request: disposable }, ...referred },
  {
    reason: 'declared_agent',
    when: 'it is verified',
    changes: { request: { agent: { name: 'Agent', verified: true } } },
    ...allReport,
  },
  {
    reason: 'declared_agent',
    when: 'it is not verified',
    changes: { request: { agent: { name: 'agent.example', verified: false, problem: 'expired' } } },
    ...allReport,
  },
  {
    reason: 'automation',
    when: 'a verified agent drives the browser',
    changes: { request: { ...fingerprint('dlc141', ['webdriver']), agent: { name: 'Agent', verified: true } } },
    ...speed,
    beside: ['declared_agent'],
  },
  {
    reason: 'automation',
    when: 'the browser says that it is driven',
    changes: { request: fingerprint('dlc141', ['webdriver']) },
    ...speed,
  },
  {
    reason: 'automation',
    when: 'developer tools may be open, and nothing else',
    changes: { request: fingerprint('dlc141', ['inspected']) },
    ...allReport,
  },
  {
    reason: 'automation',
    when: 'a check of the browser could not run, and nothing else',
    changes: { request: fingerprint('dlc141', ['unreadable_check']) },
    ...allReport,
  },
  {
    reason: 'automation',
    when: 'a check of the browser could not run, and it says that it is driven',
    changes: { request: fingerprint('dlc141', ['webdriver', 'unreadable_check']) },
    ...speed,
  },
  {
    reason: 'automation',
    when: 'developer tools may be open, and the address is too fast',
    changes: { request: fingerprint('dlc141', ['inspected']), usersAtAddress: 30 },
    ...speed,
    beside: ['velocity'],
  },
  {
    reason: 'automation',
    when: 'the browser is inspected, and says that it is driven',
    changes: { request: fingerprint('dlc141', ['webdriver', 'inspected']) },
    ...speed,
  },
  {
    reason: 'automation',
    when: 'the mail domain is a throw-away one too',
    changes: { request: { ...fingerprint('dlc141', ['webdriver']), ...disposable }, settings: {} },
    login: 'challenge',
    signup: 'deny',
    referral: 'restrict',
    beside: ['disposable_email'],
  },
  {
    reason: 'automation',
    when: 'the address is too fast too',
    changes: { request: fingerprint('dlc141', ['webdriver']), usersAtAddress: 30 },
    login: 'challenge',
    signup: 'deny',
    referral: 'restrict',
    beside: ['velocity'],
  },
  {
    reason: 'tampering',
    when: 'a native function is a proxy',
    changes: { request: fingerprint('dlc141', ['proxied_function']) },
    login: 'challenge_and_restrict',
    signup: 'challenge_and_restrict',
    referral: 'restrict',
  },
  {
    reason: 'unreadable_fingerprint',
    when: 'it is a placeholder',
    changes: { request: { fingerprint: 'undefined', parsed: undefined, isReadable: false } },
    ...challengeElseReport,
  },
  {
    reason: 'high_risk',
    when: 'the score reaches the threshold',
    changes: { history: [{}], risk: { loginThreshold: 0 }, settings: { risk: { signup_threshold: 0 } } },
    ...allReport,
  },
  {
    reason: 'high_risk',
    when: 'the project judges by risk',
    changes: {
      history: [{}],
      risk: { loginThreshold: 0 },
      settings: { judge_by: 'risk', risk: { signup_threshold: 0 } },
    },
    ...challengeElseReport,
  },
  {
    reason: 'account_compromised',
    when: 'the user did not recognise a device',
    changes: { user: { disownedAt: now } },
    login: 'challenge',
    signup: 'challenge_and_restrict',
    referral: 'challenge_and_restrict',
  },
  {
    reason: 'blocked',
    when: 'the device is',
    changes: { device: { status: 'blocked' } },
    beside: ['new_device'],
    ...denied,
  },
  { reason: 'blocked', when: 'the user is suspended', changes: { user: { status: 'suspended' } }, ...denied },
  {
    reason: 'blocked',
    when: 'an entry of a list says so',
    changes: { lists: [{ id: 'entry', kind: 'address', effect: 'block' }] },
    ...denied,
  },
  {
    reason: 'list',
    when: 'an entry asks for a review',
    changes: { lists: [{ id: 'entry', kind: 'country', effect: 'review' }] },
    login: 'report',
    signup: 'report',
    referral: 'report',
  },
  {
    reason: 'rule',
    when: 'a rule that only marks matches',
    changes: { settings: { rules: [{ name: 'everything', when: 'true', effect: 'review' }] } },
    login: 'report',
    signup: 'report',
    referral: 'report',
  },
];
