import {
  countRuleResults,
  maxCountedEvaluations,
  type RuleCounts,
} from '../../effects/activity/rule-results-queries.js';
import { type Rule, ruleSchema } from '../../resources/projects/rules/conditions/rule.js';
import { type LogEntry, type LogPage, listLog } from '../../resources/projects/setting-log.js';
import type { DashboardRequest } from '../dashboard-request.js';

const pageSize = 10;

type Asking = Pick<DashboardRequest, 'reader' | 'world'>;

/** Returns the changes of a project's rules, the newest first. `before` is the ID of an entry. */
export function listVersions({ reader, world }: Asking, before: string | undefined): Promise<LogPage> {
  return listLog(reader, { projectId: world.projectId, setting: 'rules', before, limit: pageSize });
}

/** Returns the rules as they were before a change; undefined if there is no such change. */
export async function findVersion({ reader, world }: Asking, id: string): Promise<Rule[] | undefined> {
  const { entries } = await listLog(reader, { projectId: world.projectId, setting: 'rules', id, limit: 1 });
  return entries[0] && rulesBefore(entries[0]);
}

/** How often rules matched and failed in the newest evaluations of a world. */
export interface Results {
  readonly evaluations: number;
  /** Time of the oldest one. Null if there are none. */
  readonly since: Date | null;
  /** Whether these are all evaluations of the world. */
  readonly isComplete: boolean;
  readonly countsOf: (name: string) => RuleCounts;
}

/** Returns the results of rules, by their names. */
export async function loadResults({ reader, world }: Asking): Promise<Results> {
  const { rules, ...counted } = await countRuleResults(reader.db, world.worldId);
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  const isComplete = counted.evaluations < maxCountedEvaluations;
  return { ...counted, isComplete, countsOf: (name) => byName.get(name) ?? { matched: 0, failed: 0 } };
}

/** Returns the rules before a logged change. The log has null for no rules. */
function rulesBefore({ changes: { rules } }: LogEntry): Rule[] {
  const from = typeof rules === 'object' && rules !== null && 'from' in rules ? rules.from : undefined;
  return ruleSchema.array().parse(from ?? []);
}
