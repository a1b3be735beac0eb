import type { FeedbackLabel, Verdict } from 'whorl/wire';
import { stricterVerdict } from '../../../evaluation/rules/policy.js';

/** Maximum number of changed evaluations that a report names. */
export const maxExamples = 100;

/** What the replayed rules decide about one evaluation. */
export interface Replayed {
  readonly id: string;
  readonly label: FeedbackLabel | null;
  /** Verdict under the saved rules. */
  readonly from: Verdict;
  /** Verdict under the tried rules. */
  readonly to: Verdict;
  /** Result of the tried rule. */
  readonly result: 'matched' | 'failed' | undefined;
  /** Whether it belongs into the list to open: its verdict changes or, for a rule that only marks, the rule matches. */
  readonly isExample: boolean;
}

/** Evaluations that change from one verdict to another, by their label. */
export interface Change {
  readonly from: Verdict;
  readonly to: Verdict;
  readonly fraud: number;
  readonly legitimate: number;
  readonly unknown: number;
}

/** Labelled evaluations. */
export interface Labelled {
  readonly total: number;
  readonly stricter: number;
  readonly milder: number;
}

/** Result of a replay, or of its part that is done. */
export interface ReplayReport {
  readonly replayed: number;
  /** Evaluations that lack a fact which a rule reads. */
  readonly skipped: number;
  /** Whether it ended before all evaluations were replayed, because there are too many. */
  readonly isPartial: boolean;
  /** Time of the oldest one. */
  readonly since: string | undefined;
  /** How often the tried rule matched, and failed. */
  readonly matched: number;
  readonly failed: number;
  /** How many of those that matched have each label. Absent in replays of older versions. */
  readonly matchedLabels?: Readonly<Record<FeedbackLabel, number>>;
  readonly changes: readonly Change[];
  readonly labels: Readonly<Record<FeedbackLabel, Labelled>>;
  /** The newest to open. */
  readonly examples: readonly Pick<Replayed, 'id' | 'from' | 'to'>[];
}

const noLabelled: Labelled = { total: 0, stricter: 0, milder: 0 };

export const emptyReport: ReplayReport = {
  replayed: 0,
  skipped: 0,
  isPartial: false,
  since: undefined,
  matched: 0,
  failed: 0,
  matchedLabels: { fraud: 0, legitimate: 0 },
  changes: [],
  labels: { fraud: noLabelled, legitimate: noLabelled },
  examples: [],
};

/** Returns a report with evaluations added. `skipped`: how many more lack a fact. */
export function addToReport(
  report: ReplayReport,
  { replayed, skipped, since }: { replayed: readonly Replayed[]; skipped: number; since: Date | undefined },
): ReplayReport {
  const changed = replayed.filter(({ from, to }) => from !== to);
  const count = (result: Replayed['result']) => replayed.filter((each) => each.result === result).length;
  const countOf = (label: FeedbackLabel) =>
    (report.matchedLabels?.[label] ?? 0) +
    replayed.filter((each) => each.result === 'matched' && each.label === label).length;
  const examples = replayed.filter(({ isExample }) => isExample);
  const named = examples.slice(0, maxExamples - report.examples.length).map(({ id, from, to }) => ({ id, from, to }));
  return {
    replayed: report.replayed + replayed.length,
    skipped: report.skipped + skipped,
    isPartial: false,
    since: since?.toISOString() ?? report.since,
    matched: report.matched + count('matched'),
    failed: report.failed + count('failed'),
    matchedLabels: { fraud: countOf('fraud'), legitimate: countOf('legitimate') },
    changes: changed.reduce(addChange, report.changes),
    labels: {
      fraud: addLabelled(report.labels.fraud, replayed, 'fraud'),
      legitimate: addLabelled(report.labels.legitimate, replayed, 'legitimate'),
    },
    examples: [...report.examples, ...named],
  };
}

function addChange(changes: readonly Change[], { from, to, label }: Replayed): readonly Change[] {
  const name = label ?? 'unknown';
  const known = changes.find((change) => change.from === from && change.to === to);
  if (!known) return [...changes, { from, to, fraud: 0, legitimate: 0, unknown: 0, [name]: 1 }];
  return changes.map((change) => (change === known ? { ...change, [name]: change[name] + 1 } : change));
}

function addLabelled(before: Labelled, replayed: readonly Replayed[], label: FeedbackLabel): Labelled {
  const those = replayed.filter((each) => each.label === label);
  return {
    total: before.total + those.length,
    stricter: before.stricter + those.filter(({ from, to }) => isStricter(to, from)).length,
    milder: before.milder + those.filter(({ from, to }) => isStricter(from, to)).length,
  };
}

/** Returns whether a verdict is stricter than another. Neither is for `restrict` and `challenge`. */
function isStricter(one: Verdict, other: Verdict): boolean {
  return one !== other && stricterVerdict(one, other) === one;
}
