import type { Reason, Verdict } from 'whorl/wire';
import { dayMs } from '../../time.js';
import { detectors } from './detectors/table.js';
import type { Facts, Finding } from './facts.js';
import { cellOf, effectOfCell, isRaised, verdictOf } from './policy.js';
import { applyReliefs } from './reliefs.js';
import { reasons } from './vocabulary.js';

/** Result of judging an evaluation. */
export interface Judgement {
  readonly verdict: Verdict;
  /** In observe mode, the verdict that enforce mode would have returned. */
  readonly observedVerdict?: Verdict;
  /** All findings, in the order of the policy table, whether or not they changed the verdict. */
  readonly findings: readonly Finding[];
  /** Whether the device is trusted from now on. Never true for a publishable key or a failed attempt. */
  readonly trustsFirstDevice: boolean;
  /** Whether the address is trusted from now on. */
  readonly trustsAddress: boolean;
}

/** Reasons that do not affect the verdict during the learning period. */
const learningReasons: readonly Reason[] = ['new_device', 'new_ip'];

/** Judges an evaluation. Pure: the same facts give the same judgement. */
export function judge(facts: Facts): Judgement {
  const findings = detect(facts);
  const isLearned = isLearning(facts) && findings.every(({ reason }) => learningReasons.includes(reason));
  const verdict = isLearned ? 'allow' : enforce(findings, facts);
  const isFirstOfNewAccount = verdict === 'allow' && facts.action === 'signup' && !facts.user.exists;
  // A fingerprint that matches nothing could never use its trust, and anyone could send it.
  const mayTrust = facts.isTrustedCaller && facts.request.isReadable && facts.outcome === 'succeeded';
  const trustsFirstDevice = mayTrust && (isLearned || isFirstOfNewAccount);
  const trustsAddress = trustsFirstDevice && facts.address !== undefined;
  return facts.settings.mode === 'observe'
    ? { verdict: 'allow', observedVerdict: verdict, findings, trustsFirstDevice, trustsAddress }
    : { verdict, findings, trustsFirstDevice, trustsAddress };
}

/** Returns the findings, without reasons that the policy turns off for the action. */
function detect(facts: Facts): Finding[] {
  return reasons
    .filter((reason) => isRaised(reason, facts))
    .map((reason) => detectors[reason](facts))
    .filter((finding) => finding !== undefined);
}

function enforce(findings: readonly Finding[], facts: Facts): Verdict {
  const found = findings.map(({ reason }) => reason);
  return verdictOf(
    findings.map((finding) =>
      applyReliefs(effectOfCell(cellOf(finding.reason, facts), finding, found, facts), finding, facts),
    ),
  );
}

/**
 * Returns whether the project is in its learning period and the user has no devices yet. Such a user may be an old
 * customer who is new only to this service.
 */
function isLearning({ now, project, settings, user }: Facts): boolean {
  // The age is negative if the project was created by a process whose clock is ahead.
  const ageMs = Math.max(0, now.getTime() - project.createdAt.getTime());
  return !user.hasDevices && ageMs < settings.learning_days * dayMs;
}
