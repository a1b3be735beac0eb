import type { IntegrityBit } from 'whorl/fingerprint';
import type { Reason, Strength } from 'whorl/wire';
import type { Column, Effect } from '../../ground/vocabulary.js';
import type { Settings } from '../../resources/projects/rules/settings.js';
import type { Detector, Facts, Finding } from './facts.js';
import type { Scored } from './risk/contribution.js';

/** Everything about one reason. Each is a file in `reasons/`, and `reasons/table.ts` lists them. */
export interface ReasonRule<Name extends Reason = Reason> {
  readonly name: Name;
  readonly words: ReasonWords;
  /**
   * Effects on each action, unless a project overrides them. With `off`, the reason is not raised for the action. A
   * fingerprint alone is only reported. Denial needs proof or an explicit block. An address alone never denies.
   */
  readonly policy: Readonly<Record<Column, Cell>>;
  /** How the rules beside the policy treat the reason. */
  readonly traits: readonly Trait[];
  /** Returns the evidence if the facts show the reason. */
  readonly detect: Detector;
}

export interface ReasonWords {
  /** Name on the dashboard. */
  readonly title: string;
  /** Explanation to administrators, on the dashboard. */
  readonly explanation: string;
  /** Explanation to the visitor, in the demo. */
  readonly toVisitor: string;
  /** When it is raised, as in docs/verdicts.md. */
  readonly raisedWhen: string;
}

/**
 * - `takeover`: only reported if `account_takeover_protection` is off.
 * - `replaced_by_score`: only reported if logins are judged by their risk score.
 * - `learned`: allowed for a first device during the learning days.
 * - `denies_with_proof`: denies only with proven evidence, because it compares devices, or rests on a place or a score.
 * - `reported_with_test_key`: only reported for a test key, because it is met when an application is developed and tested.
 * - `enforced_on_attach`: has its effect for an attachment too, where all others are reported.
 * - `sharing`: a sign of a shared account, which emits `account_sharing.signal`.
 * - `by_score`: rests on the risk score, and so on the other findings.
 */
export type Trait =
  | 'takeover'
  | 'replaced_by_score'
  | 'learned'
  | 'denies_with_proof'
  | 'reported_with_test_key'
  | 'enforced_on_attach'
  | 'sharing'
  | 'by_score';

/** Effects of a reason on an action: one that always applies, and stricter ones with conditions. The strictest wins. */
export type Cell = readonly [always: Effect, ...conditional: ConditionalEffect[]];

/** Effect of a reason if all its conditions are met. */
export interface ConditionalEffect {
  readonly effect: Effect;
  /** Minimum strength of the evidence. */
  readonly strength?: Strength;
  /** Minimum number of other users with evidence of that strength. */
  readonly others?: number;
  /** At least one of these reasons was found too. */
  readonly with?: readonly Reason[];
  /** The project judges logins this way: see `judgedBy`. */
  readonly judgedBy?: Settings['judge_by'];
  /** The action is none of these. */
  readonly otherThan?: readonly string[];
  /** The attempt comes from a source of the failures: an address, a network, or a device that is not a common one. */
  readonly fromSource?: true;
  /** The evidence includes an integrity bit other than these. */
  readonly moreThan?: readonly IntegrityBit[];
}

/** Returns the finding of a reason; undefined if the facts do not show it. */
export function findingOf({ name, detect }: ReasonRule, facts: Facts, scored?: Scored): Finding | undefined {
  const found = detect(facts, scored);
  return found && { reason: name, ...found };
}
