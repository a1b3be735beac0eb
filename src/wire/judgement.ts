import type { Reason } from './reasons.js';
import type { Excuse, RiskFact, RuleEffect, Strength, Verdict } from './vocabulary.js';

/** A reason with its evidence. */
export interface ReasonEvidence {
  reason: Reason;
  /** Absent if the reason does not depend on two evaluations coming from one device. */
  strength?: Strength;
  /** The observed facts by name: counts, IDs, names of facets. No personal data. */
  evidence: Record<string, unknown>;
}

/** The cell of the policy table by which a reason was judged (docs/verdicts.md). */
export interface PolicyCell {
  /** The column of the action. Actions without a column are judged as `login`. */
  action: 'login' | 'signup' | 'referral';
  /** The condition under which the cell has this effect, such as `proven, 3 or more`. Absent if it always has. */
  condition?: string;
  /** Whether the project replaced the cell with its setting `policy`. */
  overridden: boolean;
}

/** A reason with an effect that is stricter than reporting. */
export interface EffectiveReason {
  reason: Reason;
  effect: Exclude<Verdict, 'allow'>;
  policy: PolicyCell;
  /** Name of the rule. Only for the reason `rule`. */
  rule?: string;
}

/** A reason whose effect was made milder. */
export interface ExcusedReason extends Omit<EffectiveReason, 'effect'> {
  /** What the policy says, or the rule. In `reasons` is what was left of it. */
  effect: RuleEffect;
  /** Everything that made it milder. */
  excused_by: Excuse[];
}

/** Why an evaluation has its verdict. Reasons that the policy only reports are not included. */
export interface DecidedBy {
  /** The reasons that decided the verdict, with the effect of each. Empty if it is `allow`. */
  reasons: EffectiveReason[];
  /** Reasons that did not matter, because another one denied the action. */
  outweighed: EffectiveReason[];
  /** Reasons that the policy would have enforced, or enforced more strictly. */
  excused: ExcusedReason[];
}

/** One fact's part of a risk score. */
export interface RiskContribution {
  fact: RiskFact;
  /** The evidence in bits, rounded to two decimals. Positive bits are evidence of an attack: each doubles the odds. */
  bits: number;
  /** What was found, as a sentence without personal data. */
  text: string;
}

/** How probable it is that an action is not what it seems, and why (docs/risk.md). */
export interface Risk {
  /**
   * A probability in per cent, 0 to 100, rounded to two decimals. Logins: that the person is not the account's owner.
   * `signup` and `referral`: that the account is not wanted.
   */
  score: number;
  /**
   * The sum of all contributions, the logarithm of the odds: `score = 100 / (1 + 2^-bits)`. Sort by it: scores near 0
   * look the same.
   */
  bits: number;
  contributions: RiskContribution[];
}
