import type { RiskFact } from 'whorl/wire';
import type { Facts, Finding } from '../facts.js';
import { addUp, bitsOfShare, type Risk, type RiskContribution } from './contribution.js';

/** The share of accounts that are not wanted, before anything else is known. An estimate. */
export const unwantedShare = 0.05;

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
    { fact: 'prior', bits: bitsOfShare(unwantedShare), text: 'What is expected of any sign-up.' } as const,
    automationRisk(found('automation')),
    found('tampering') && part('tampering', 'tampering', 'The browser contradicts itself.'),
    found('disposable_email') && part('email', 'disposable_email', 'The email address is a disposable one.'),
    accountsRisk(facts, found('multiple_accounts')),
    referrerRisk(found('self_referral')),
    found('velocity') && part('velocity', 'velocity', 'Unusually many users share the device or the address.'),
    failuresRisk(found('credential_stuffing')),
    found('unreadable_fingerprint') &&
      part('fingerprint', 'unreadable_fingerprint', 'The fingerprint cannot be compared with any other.'),
    networkRisk(facts),
    facts.request.proof === 'valid' ? part('proof', 'valid_proof', 'The browser proved its key.') : undefined,
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
    return part('automation', 'automation', 'The browser is automated.');
  return bits.includes('inspected')
    ? part('automation', 'inspected', 'Developer tools are open.')
    : part('automation', 'unreadable_check', 'Something in the page prevented a check of the browser.');
}

function accountsRisk({ others }: Facts, finding: Finding | undefined): RiskContribution | undefined {
  if (!finding?.strength) return undefined;
  const weights = {
    fingerprint: 'accounts_by_fingerprint',
    corroborated: 'accounts_corroborated',
    proven: 'accounts_proven',
  } as const;
  const count = Math.max(1, others.length);
  const text = `${count === 1 ? '1 other user was' : `${count} other users were`} seen on this device (${finding.strength}).`;
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
    ? part('referrer', weights[finding.strength], `The referrer was seen on this device (${finding.strength}).`)
    : part('referrer', 'referrer_at_address', 'The referrer was seen at this address.');
}

/**
 * Returns the risk of many users' failed attempts. Failures of the new user's own name are no evidence: people try to log
 * in before they remember that they have no account.
 */
function failuresRisk(finding: Finding | undefined): RiskContribution | undefined {
  if (!finding) return undefined;
  if (Object.keys(finding.evidence).every((source) => source === 'project')) {
    return part('failures', 'failures_in_project', 'The project has far more failed attempts than usual.');
  }
  return finding.strength === 'fingerprint'
    ? part('failures', 'failures_by_fingerprint', 'Attempts of many users failed on a device that looks the same.')
    : part('failures', 'failures_at_source', 'Attempts of many users failed from the same device, address or network.');
}

function networkRisk({ address }: Facts): RiskContribution | undefined {
  const kind = address?.isShared ? undefined : address?.info?.kind;
  // Relays of browser makers and mobile networks have as many honest users as any other network.
  if (kind === undefined || kind === 'relay' || kind === 'mobile') return undefined;
  return part('kind', kind, `The address belongs to such a network (${kind}).`);
}
