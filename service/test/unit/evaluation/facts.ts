import { type IntegrityBit, parse, readIntegrity } from 'whorl/fingerprint';
import type { Reason } from 'whorl/wire';
import type { z } from 'zod';
import type {
  AddressFacts,
  DeviceFacts,
  Facts,
  Finding,
  MatchFacts,
  OtherUserFacts,
  ReferrerFacts,
  RequestFacts,
  UserFacts,
} from '../../../src/evaluation/rules/facts.js';
import type { Access } from '../../../src/evaluation/rules/history.js';
import { findingOf } from '../../../src/evaluation/rules/reason.js';
import { reasonRules } from '../../../src/evaluation/rules/reasons/table.js';
import type { RiskContext } from '../../../src/evaluation/rules/risk/context.js';
import { noFrequencies } from '../../../src/evaluation/rules/risk/frequencies.js';
import { scoreOf } from '../../../src/evaluation/rules/risk/risk.js';
import { dayMs } from '../../../src/ground/time.js';
import { type Counts, noCounts, type SubjectCounts } from '../../../src/recognition/velocity/rules/counts.js';
import { settingsSchema } from '../../../src/resources/projects/rules/settings.js';

/** Changes to the default facts. `null` means absent. */
export interface Changes {
  readonly now?: Date;
  readonly action?: string;
  readonly outcome?: Facts['outcome'];
  readonly settings?: z.input<typeof settingsSchema>;
  readonly project?: Facts['project'];
  readonly isTest?: boolean;
  readonly isTrustedCaller?: boolean;
  readonly request?: Partial<RequestFacts>;
  readonly match?: Partial<MatchFacts>;
  readonly user?: Partial<UserFacts>;
  readonly device?: Partial<DeviceFacts> | null;
  readonly address?: Partial<AddressFacts> | null;
  readonly history?: readonly Partial<Access>[];
  readonly attached?: Partial<Facts['attached']>;
  readonly active?: Facts['active'];
  readonly others?: readonly Partial<OtherUserFacts>[];
  readonly usersAtAddress?: number;
  readonly referrer?: Partial<ReferrerFacts>;
  readonly velocity?: Facts['velocity'];
  readonly campaign?: Facts['campaign'];
  readonly risk?: Partial<RiskContext>;
  readonly lists?: Facts['lists'];
}

export const now = new Date('2026-03-01T12:00:00.000Z');

/** Returns the time a number of days before now. */
export function daysAgo(days: number): Date {
  return new Date(now.getTime() - days * dayMs);
}

const digests = '7Z9v0pT8aKuEwGT748W68JVnrQ7d.fuCmklxImC2ebtiRjVDCF3p-chyVrMAXdjzc.TNbCyWxtd9m8OWLtvKaE';

/** Returns the request facts of a package fingerprint, by default of Chromium 141 on desktop Linux. */
export function fingerprint(descriptor = 'dlc141', bits: readonly IntegrityBit[] = []): Partial<RequestFacts> {
  const text = `w1.${descriptor}.${digests}.${encodeIntegrity(bits)}`;
  return { fingerprint: text, parsed: parse(text) };
}

function encodeIntegrity(bits: readonly IntegrityBit[]): string {
  const names = readIntegrity(0xffffff);
  const number = bits.reduce((sum, bit) => sum | (1 << names.indexOf(bit)), 0);
  return Buffer.from([number >> 16, number >> 8, number]).toString('base64url');
}

/**
 * Returns the facts of an unsuspicious login: an untrusted device of the user at a trusted address. No reason applies, and
 * since the device is not trusted, no trust invariant hides the changes of a test.
 */
export function facts(changes: Changes = {}): Facts {
  const {
    device,
    address,
    referrer,
    risk,
    others = [],
    history = [],
    settings,
    request,
    match,
    user,
    attached,
    ...plain
  } = changes;
  return {
    now,
    action: 'login',
    outcome: 'succeeded',
    project: { createdAt: daysAgo(365) },
    isTest: false,
    isTrustedCaller: true,
    active: [],
    lists: [],
    usersAtAddress: 0,
    velocity: {},
    campaign: undefined,
    counters: undefined,
    challengePassed: undefined,
    ...plain,
    settings: settingsSchema.parse(settings ?? {}),
    request: {
      fingerprint: '',
      parsed: undefined,
      isReadable: true,
      userAgent: undefined,
      agent: undefined,
      emailDomain: undefined,
      metadata: {},
      proof: undefined,
      ...fingerprint(),
      ...request,
    },
    match: { fingerprintId: 'identity', matchedBy: 'exact', confidence: 1, changed: [], crowd: undefined, ...match },
    user: {
      externalId: 'anna',
      exists: true,
      status: 'active',
      hasDevices: true,
      disownedAt: undefined,
      ...user,
    },
    device: device === null ? undefined : { ...defaultDevice, ...device },
    address: address === null ? undefined : { ...defaultAddress, ...address },
    attached: { overall: 1, mobile: 0, tablet: 0, desktop: 1, ...attached },
    history: history.map((access) => ({ ...defaultAccess, ...access })),
    others: others.map((other, index) => ({ ...otherUser(index), ...other })),
    referrer: referrer && { ...defaultReferrer, ...referrer },
    risk: risk && { ...defaultRisk, ...risk },
  };
}

/** Returns the finding of one reason. The risk rests on no other findings. */
export function detect(reason: Reason, given: Facts): Finding | undefined {
  return findingOf(reasonRules[reason], given, scoreOf(given, []));
}

/** An attached, untrusted device in a known variant. */
export const defaultDevice: DeviceFacts = {
  id: 'device',
  status: 'attached',
  kind: 'desktop',
  trusted: false,
  whitelisted: false,
  autoDetached: false,
  knowsVariant: true,
  hasKeys: false,
  proof: 'none',
};

export const defaultAddress: AddressFacts = { ip: '198.51.100.7', network: '198.51.100.7', trusted: true };

export const defaultAccess: Access = {
  at: daysAgo(1),
  identityId: 'identity',
  variantId: 'variant',
  hardwareKey: 'hardware',
  os: 'Linux',
  browser: 'Chromium',
  network: '198.51.100.7',
  info: undefined,
  isProven: false,
};

/** A fingerprint that is in the history, in a project that was not counted yet. */
export const defaultRisk: RiskContext = {
  variantId: 'variant',
  hardwareKey: 'hardware',
  failures: 0,
  counts: { usersAtAddress: 1, usersOfDevice: 1, devices: 1 },
  frequencies: noFrequencies,
  loginThreshold: 0.15,
};

const defaultReferrer: ReferrerFacts = {
  userId: 'referrer',
  sameDevice: false,
  sameAddress: false,
  sameContact: false,
  sameKey: false,
};

function otherUser(index: number): OtherUserFacts {
  return { userId: `other-${index}`, sameAddress: false, sameContact: false, sameKey: false, today: false };
}

/** Returns a number of equal other users of the identity. */
export function times(count: number, other: Partial<OtherUserFacts> = {}): Partial<OtherUserFacts>[] {
  return Array.from({ length: count }, () => other);
}

/** Returns the counts of a subject, half of whose evaluations within a day failed. */
export function failing(counts: Partial<Counts>): SubjectCounts {
  return { ...noCounts, day: { ...noCounts.day, evaluations: 40, failures: 20, ...counts } };
}
