import type { SubjectKind } from '../../../ground/vocabulary.js';
import { noCounts } from '../../../recognition/velocity/rules/counts.js';
import type { Facts } from '../facts.js';
import type { ReasonRule } from '../reason.js';
import { isOwnSource, strengthOf } from '../strength.js';
import { isUnfamiliar } from '../unfamiliar.js';

/** Subjects whose failures are counted across users, with the setting of each. */
const limits = {
  device: 'users_per_device',
  address: 'users_per_address',
  network: 'users_per_network',
  asn: 'users_per_asn',
} as const satisfies Partial<Record<SubjectKind, string>>;

type Source = keyof typeof limits;

const sources: readonly Source[] = ['device', 'address', 'network', 'asn'];

/**
 * Nothing connects an attempt with its user, while many users' attempts fail: from the same device, address, network or
 * ASN, or in the whole project, compared with what is usual there. If only the device has them, the evidence is as
 * strong as its fingerprint. In a campaign, the sources that the attempt shares with it are found too.
 */
export const credentialStuffing: ReasonRule<'credential_stuffing'> = {
  name: 'credential_stuffing',
  words: {
    title: 'Credential stuffing',
    explanation: 'Nothing connects the attempt with this user, while many attempts to log in as other users fail.',
    toVisitor: 'many logins with stolen passwords are being tried',
    raisedWhen:
      "nothing connects the attempt with its user, while many users' attempts fail ([when](#credential-stuffing))",
  },
  policy: {
    login: ['challenge'],
    signup: ['report', { effect: 'restrict', fromSource: true }],
    referral: ['off'],
  },
  traits: ['denies_with_proof'],
  detect: (facts) => {
    if (!isUnfamiliar(facts)) return undefined;
    const { campaign } = facts;
    const found = sources.filter((source) => isFailing(source, facts) || (campaign && isPartOfIt(source, facts)));
    if (found.length === 0 && !campaign) return undefined;
    const isOnlyDevice = !campaign && found.every((source) => source === 'device');
    const shared = { sameAddress: false, sameContact: false, sameKey: false };
    return {
      ...(isOnlyDevice && { strength: strengthOf(shared, facts) }),
      evidence: {
        ...Object.fromEntries(found.map((source) => [source, evidenceOf(source, facts)])),
        ...(campaign && {
          project: {
            strange_failures: campaign.failures,
            since: campaign.since.toISOString(),
            usual_per_hour: Math.round(campaign.usualPerHour * 100) / 100,
          },
        }),
      },
    };
  },
};

/**
 * Returns whether more users failed from a source within a day than allowed, and at least half of all its evaluations
 * did. An office or a mobile network has many failures too, but far more successes.
 */
function isFailing(source: Source, { velocity, settings }: Facts): boolean {
  const { failedUsers, failures, evaluations } = (velocity[source] ?? noCounts).day;
  return failedUsers > settings.failures[limits[source]] && failures * 2 >= evaluations;
}

/**
 * Returns whether other users failed from a source, in a campaign. A user who tries to log in and then signs up does not
 * count as another.
 */
function isPartOfIt(source: Source, facts: Facts): boolean {
  const { velocity } = facts;
  const { failedUsers, failures, evaluations } = (velocity[source] ?? noCounts).day;
  const own = (velocity.user ?? noCounts).day.failures > 0 ? 1 : 0;
  return isOwnSource(source, facts) && failedUsers > own && failures * 2 >= evaluations;
}

function evidenceOf(source: Source, { velocity, settings }: Facts) {
  const { failedUsers, failures, evaluations } = (velocity[source] ?? noCounts).day;
  return { failed_users: failedUsers, failures, evaluations, [limits[source]]: settings.failures[limits[source]] };
}
