import type { Json, OptionalJson, OptionalTime, Time } from './columns.js';

/** Trials of rules on the evaluations of the past: see effects/rule-replay/. */
export interface RuleReplayTable<Rule extends object = object, Report extends object = object> {
  world_id: string;
  id: string;
  /** All rules, with the tried one. */
  rules: Json<Rule[]>;
  /** Index of the tried one. */
  position: number;
  /** Saved rules, which they are compared with. */
  compared: Json<Rule[]>;
  status: ReplayStatus;
  /** Result so far. Null until there is one. */
  report: OptionalJson<Report>;
  created_at: Time;
  ended_at: OptionalTime;
}

export type ReplayStatus = 'waiting' | 'running' | 'finished' | 'cancelled' | 'failed';
