import { z } from 'zod';
import { replayNewest } from '../../effects/rule-replay/replay-newest.js';
import { maxReplayedAtOnce, replayDays } from '../../effects/rule-replay/rules/limits.js';
import type { Labelled, ReplayReport } from '../../effects/rule-replay/rules/report.js';
import { decimals, wilson } from '../../effects/study/rules/figures.js';
import { ruleEffects } from '../../ground/vocabulary.js';
import { tool } from './tool.js';

const maxExamples = 20;

/** Tries a rule on the newest evaluations. */
export const replayRule = tool(
  {
    name: 'replay_rule',
    description:
      `Tries a rule on the newest evaluations of the last ${replayDays} days, at most ${maxReplayedAtOnce}, and saves ` +
      'nothing. Returns which verdicts would change compared with the saved rules, how many of these evaluations are ' +
      'labelled as fraud or as legitimate or are unknown, and the IDs of some. Conditions are described in docs/rules.md: ' +
      'for example `device.is_new && address.country != "DE"`. Use it before you suggest a rule.',
    input: z.object({
      when: z.string().describe('The condition, in CEL.'),
      effect: z.enum(ruleEffects).describe('The verdict of the rule, or a mark: `review`, `report` or `tag`.'),
      tag: z.string().optional().describe('With the effect `tag`: the tag.'),
      actions: z.array(z.string()).optional().describe('Actions to which the rule applies. Default: all.'),
      replaces: z
        .string()
        .optional()
        .describe('Name of a saved rule, which the tried one replaces. Default: it is tried after all others.'),
    }),
  },
  async ({ service, caller }, input) => {
    const report = await replayNewest(service, caller, input);
    const { id } = caller.project;
    return shown(report, `${service.publicUrl}/dashboard/${id}/${caller.mode}/rules/new`);
  },
);

function shown({ since, ...report }: ReplayReport, url: string) {
  const { replayed, skipped, matched, failed, changes, labels, matchedLabels } = report;
  const { fraud = 0, legitimate = 0 } = matchedLabels ?? {};
  const sizes = changes.map((change) => change.fraud + change.legitimate + change.unknown);
  const changed = sizes.reduce((sum, size) => sum + size, 0);
  return {
    replayed,
    cannot_be_replayed: skipped,
    ...(since !== undefined && { since }),
    is_partial: report.isPartial,
    matched: {
      evaluations: matched,
      fraud,
      legitimate,
      unknown: matched - fraud - legitimate,
      precision: shareOf(fraud, fraud + legitimate),
      rule_failed: failed,
    },
    changed: { evaluations: changed, share: shareOf(changed, replayed) },
    changes: changes.map((change, at) => ({ ...change, evaluations: sizes[at] })),
    labelled: { fraud: labelled(labels.fraud), legitimate: labelled(labels.legitimate) },
    examples: report.examples.slice(0, maxExamples).map(({ id, from, to }) => ({ evaluation_id: id, from, to })),
    notes: notesOf(report, since, url),
  };
}

function labelled({ total, stricter, milder }: Labelled) {
  return {
    evaluations: total,
    stricter: { evaluations: stricter, share: shareOf(stricter, total) },
    milder: { evaluations: milder, share: shareOf(milder, total) },
  };
}

/** Returns a share with its 95% interval; null if there is nothing to count. */
function shareOf(hits: number, total: number) {
  if (total === 0) return null;
  const { low, high } = wilson(hits, total);
  return { share: decimals(hits / total), low: decimals(low), high: decimals(high) };
}

function notesOf(
  { replayed, skipped, isPartial }: Omit<ReplayReport, 'since'>,
  since: string | undefined,
  url: string,
): string[] {
  const read = replayed + skipped;
  return [
    since === undefined
      ? `There are no evaluations in the last ${replayDays} days.`
      : `It read the newest ${read} evaluations, back to ${since}${isPartial ? ', and no older ones' : `: all of the last ${replayDays} days`}.`,
    `The replay of the dashboard covers all evaluations of the last ${replayDays} days, up to 1,000,000: ${url}`,
    'An evaluation without a label is unknown, also one that was denied: nobody knows how it would have ended.',
    'Intervals are 95% intervals, as if the labelled evaluations were a random sample. They rarely are.',
    'Evaluations of older versions, and those that lack a fact or a counter that a rule reads, cannot be replayed.',
  ];
}
