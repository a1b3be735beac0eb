import type { RiskFact } from 'whorl/wire';
import type { Facts, Finding } from '../facts.js';
import { addUp, bitsOfShare, type Risk, type RiskContribution } from './contribution.js';
import { say } from './sentences.js';

/** The share of accounts that are not wanted, before anything else is known. An estimate. */
const unwantedShare = 0.05;

/**
 * Weights of the score of sign-ups and referrals, in bits. All are estimates: no data with labels exists to fit them to.
 * docs/research/risk-measured.md lists them with the reason for each, and a test compares the two.
 */
export const signUpWeights = {
  automation: 5,
  inspected: 0.5,
  unreadable_check: 0.5,
  tampering: 3,
  disposable_email: 3,
  accounts_by_fingerprint: 0.5,
  accounts_corroborated: 2.5,
  accounts_proven: 4,
  more_accounts: 1,
  referrer_at_address: 1,
  referrer_by_fingerprint: 1,
  referrer_corroborated: 3,
  referrer_proven: 5,
  velocity: 3,
  failures_in_project: 0.5,
  failures_by_fingerprint: 1,
  failures_at_source: 3,
  unreadable_fingerprint: 1.5,
  tor: 3,
  vpn: 1,
  proxy: 2,
  hosting: 2.5,
  valid_proof: -0.5,
} as const;

type SignUpWeight = keyof typeof signUpWeights;

/** With this many other accounts, one more says nothing new. */
const mostAccounts = 8;

/**
 * Returns the risk of a sign-up or a referral: the probability that the account is not wanted. It rests on the findings,
 * the network and the proof, and not on a history, which a new account does not have.
 */
export function riskOfSignUp(facts: Facts, findings: readonly Finding[]): Risk {
  const found = (reason: Finding['reason']) => findings.find((finding) => finding.reason === reason);
  const contributions = [
    { fact: 'prior', bits: bitsOfShare(unwantedShare), text: say('any_sign_up') } as const,
    automationRisk(found('automation')),
    found('tampering') && part('tampering', 'tampering', say('tampering')),
    found('disposable_email') && part('email', 'disposable_email', say('disposable_email')),
    accountsRisk(facts, found('multiple_accounts')),
    referrerRisk(found('self_referral')),
    found('velocity') && part('velocity', 'velocity', say('velocity')),
    failuresRisk(found('credential_stuffing')),
    found('unreadable_fingerprint') && part('fingerprint', 'unreadable_fingerprint', say('unreadable_fingerprint')),
    networkRisk(facts),
    facts.request.proof === 'valid' ? part('proof', 'valid_proof', say('proof')) : undefined,
  ];
  return addUp(contributions.filter((contribution) => contribution !== undefined));
}

function part(fact: RiskFact, weight: SignUpWeight, text: string): RiskContribution {
  return { fact, bits: signUpWeights[weight], text };
}

function automationRisk(finding: Finding | undefined): RiskContribution | undefined {
  const bits = finding?.evidence.integrity;
  if (!Array.isArray(bits)) return undefined;
  if (bits.some((bit) => bit !== 'inspected' && bit !== 'unreadable_check'))
    return part('automation', 'automation', say('automation'));
  return bits.includes('inspected')
    ? part('automation', 'inspected', say('inspected'))
    : part('automation', 'unreadable_check', say('unreadable_check'));
}

function accountsRisk({ others }: Facts, finding: Finding | undefined): RiskContribution | undefined {
  if (!finding?.strength) return undefined;
  const weights = {
    fingerprint: 'accounts_by_fingerprint',
    corroborated: 'accounts_corroborated',
    proven: 'accounts_proven',
  } as const;
  const count = Math.max(1, others.length);
  const text = say(count === 1 ? 'one_account' : 'accounts', count, finding.strength);
  const { fact, bits } = part('accounts', weights[finding.strength], text);
  // Similar devices of strangers are common, so only better evidence counts more with each doubling.
  const more = finding.strength === 'fingerprint' ? 0 : Math.log2(Math.min(mostAccounts, count));
  return { fact, bits: bits + signUpWeights.more_accounts * more, text };
}

function referrerRisk(finding: Finding | undefined): RiskContribution | undefined {
  if (!finding) return undefined;
  const weights = {
    fingerprint: 'referrer_by_fingerprint',
    corroborated: 'referrer_corroborated',
    proven: 'referrer_proven',
  } as const;
  return finding.strength
    ? part('referrer', weights[finding.strength], say('referrer', finding.strength))
    : part('referrer', 'referrer_at_address', say('referrer_at_address'));
}

/**
 * Returns the risk of many users' failed attempts. Failures of the new user's own name are no evidence: people try to log
 * in before they remember that they have no account.
 */
function failuresRisk(finding: Finding | undefined): RiskContribution | undefined {
  if (!finding) return undefined;
  if (Object.keys(finding.evidence).every((source) => source === 'project')) {
    return part('failures', 'failures_in_project', say('failures_in_project'));
  }
  return finding.strength === 'fingerprint'
    ? part('failures', 'failures_by_fingerprint', say('failures_of_many'))
    : part('failures', 'failures_at_source', say('failures_at_source'));
}

function networkRisk({ address }: Facts): RiskContribution | undefined {
  const kind = address?.isShared ? undefined : address?.info?.kind;
  // Relays of browser makers and mobile networks have as many honest users as any other network.
  if (kind === undefined || kind === 'relay' || kind === 'mobile') return undefined;
  return part('kind', kind, say('kind', kind));
}
