import type { Json, OptionalJson, OptionalTime, Time } from './columns.js';
import type { ReplayStatus } from './rule-replays.js';

/** Searches for rules by labelled evaluations: see effects/rule-finder/. */
export interface RuleSearchTable<Target extends object = object, Report extends object = object> {
  world_id: string;
  id: string;
  /** What the rule must achieve. */
  target: Json<Target>;
  status: ReplayStatus;
  /** Progress, then the result. Null until there is one. */
  report: OptionalJson<Report>;
  created_at: Time;
  ended_at: OptionalTime;
}
