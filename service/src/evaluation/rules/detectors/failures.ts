import type { SubjectKind } from '../../../ground/vocabulary.js';
import { noCounts } from '../../../recognition/velocity/rules/counts.js';
import type { Detector, Facts } from '../facts.js';
import { isStrange } from '../strange.js';
import { isOwnSource, strengthOf } from '../strength.js';

/** Detects more failures against the user within a day than allowed. This attempt is counted too. */
export const passwordGuessing: Detector = ({ velocity, outcome, settings }) => {
  const { per_user } = settings.failures;
  const { failures } = (velocity.user ?? noCounts).day;
  const counted = failures + (outcome === 'failed' ? 1 : 0);
  return counted > per_user
    ? { reason: 'password_guessing', evidence: { failures: counted, failures_per_user: per_user } }
    : undefined;
};

/** Subjects by which failures across users are counted, with the setting of each. */
const limits = {
  device: 'users_per_device',
  address: 'users_per_address',
  network: 'users_per_network',
  asn: 'users_per_asn',
} as const satisfies Partial<Record<SubjectKind, string>>;

type Source = keyof typeof limits;

const sources: readonly Source[] = ['device', 'address', 'network', 'asn'];

/**
 * Detects an attempt that nothing connects with its user, while many users' attempts fail: from the same device, address,
 * network or ASN, or in the whole project, compared with what is usual there. If only the device has them, the strength is
 * that of its fingerprint. In a campaign, the sources that the attempt shares with it are found too.
 */
export const credentialStuffing: Detector = (facts) => {
  if (!isStrange(facts)) return undefined;
  const { campaign } = facts;
  const found = sources.filter((source) => isFailing(source, facts) || (campaign && isPartOfIt(source, facts)));
  if (found.length === 0 && !campaign) return undefined;
  const isOnlyDevice = !campaign && found.every((source) => source === 'device');
  const shared = { sameAddress: false, sameContact: false, sameKey: false };
  return {
    reason: 'credential_stuffing',
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
 * Returns whether other users failed from a source, in a campaign. Who tries to log in first, and then signs up, is not
 * one of them.
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
