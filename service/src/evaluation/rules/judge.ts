import type { Reason, Verdict } from 'whorl/wire';
import { dayMs } from '../../time.js';
import { detectors } from './detectors/table.js';
import { verdictOf } from './effect.js';
import type { Facts, Finding } from './facts.js';
import { cellOf, effectOfCell, isRaised } from './policy.js';
import { relieve } from './reliefs.js';
import { reasons } from './vocabulary.js';

/** What an evaluation comes to. */
export interface Judgement {
  readonly verdict: Verdict;
  /** In observe mode: the verdict that would have been given. */
  readonly observedVerdict?: Verdict;
  /** All that was noticed, in the order of the policy table, whether or not it changed the verdict. */
  readonly findings: readonly Finding[];
  /** Whether the device is to be trusted from now on. Never what a publishable key says. */
  readonly trustsFirstDevice: boolean;
  /** Whether the address is to be trusted with it. */
  readonly trustsAddress: boolean;
}

const passable: readonly Reason[] = ['new_device', 'new_ip'];

/** Judges an evaluation. Pure: the same facts, the same judgement. */
export function judge(facts: Facts): Judgement {
  const findings = detect(facts);
  const isLearned = isLearning(facts) && findings.every(({ reason }) => passable.includes(reason));
  const verdict = isLearned ? 'allow' : enforce(findings, facts);
  const isFirstOfNewAccount = verdict === 'allow' && facts.action === 'signup' && !facts.user.exists;
  // A fingerprint that matches nothing could never use the trust, and anyone could send it.
  const mayTrust = facts.isTrustedCaller && facts.request.isReadable;
  const trustsFirstDevice = mayTrust && (isLearned || isFirstOfNewAccount);
  const trustsAddress = trustsFirstDevice && facts.address !== undefined;
  return facts.settings.mode === 'observe'
    ? { verdict: 'allow', observedVerdict: verdict, findings, trustsFirstDevice, trustsAddress }
    : { verdict, findings, trustsFirstDevice, trustsAddress };
}

/** What is noticed, without what the policy has off for the action. */
function detect(facts: Facts): Finding[] {
  return reasons
    .filter((reason) => isRaised(reason, facts))
    .map((reason) => detectors[reason](facts))
    .filter((finding) => finding !== undefined);
}

function enforce(findings: readonly Finding[], facts: Facts): Verdict {
  const noticed = findings.map(({ reason }) => reason);
  return verdictOf(
    findings.map((finding) =>
      relieve(effectOfCell(cellOf(finding.reason, facts), finding, noticed, facts), finding, facts),
    ),
  );
}

/** Whether the project is in its first days, when a user that may well be an old one shows its first device. */
function isLearning({ now, project, settings, user }: Facts): boolean {
  // A project that is younger than no time at all was made by a clock ahead of this one.
  const ageMs = Math.max(0, now.getTime() - project.createdAt.getTime());
  return !user.hasDevices && ageMs < settings.learning_days * dayMs;
}
