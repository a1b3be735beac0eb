import { daySeconds, hourSeconds, minuteSeconds } from '../../ground/time.js';

/** Payload of each kind of job. It holds only IDs: personal data is looked up when the job runs. */
export interface JobData {
  expire_challenges: Record<string, never>;
  detach_idle_devices: Record<string, never>;
  create_partitions: Record<string, never>;
  remove_old_rows: Record<string, never>;
  remove_old_claims: Record<string, never>;
  fold_activity: Record<string, never>;
  merge_velocity: Record<string, never>;
  update_statistics: Record<string, never>;
  report_sharing: { worldId: string; userId: string };
  replay_rules: { worldId: string; replayId: string };
  find_rule: { worldId: string; searchId: string };
  check_alerts: Record<string, never>;
  send_summaries: Record<string, never>;
  send_alert: { worldId: string; messageId: string };
  /** To the user's address, to the one that was replaced, or to one that was replaced within the last 72 hours. */
  send_notice: { worldId: string; noticeId: string; to: 'current' | 'replaced' | 'former' };
}

export type JobName = keyof JobData;

/** Jobs that run only on request. */
export type RequestedJob = 'report_sharing' | 'replay_rules' | 'find_rule' | 'send_notice' | 'send_alert';

/** Handlers of jobs. After a crash, a job may run twice. */
export type JobHandlers = { readonly [Name in JobName]: (data: JobData[Name]) => Promise<void> };

export interface JobKind {
  /** Interval in seconds, shared by all processes. Absent for a job that runs on request. */
  readonly everySeconds?: number;
  /** Number of retries of a failed job, with growing delays. */
  readonly retries: number;
}

/** A job that soon runs again anyway is not retried. */
export const jobKinds: Readonly<Record<JobName, JobKind>> = {
  expire_challenges: { everySeconds: minuteSeconds, retries: 0 },
  detach_idle_devices: { everySeconds: hourSeconds, retries: 2 },
  create_partitions: { everySeconds: hourSeconds, retries: 0 },
  remove_old_rows: { everySeconds: daySeconds, retries: 5 },
  remove_old_claims: { everySeconds: hourSeconds, retries: 0 },
  fold_activity: { everySeconds: 5 * minuteSeconds, retries: 0 },
  merge_velocity: { everySeconds: 5 * minuteSeconds, retries: 0 },
  update_statistics: { everySeconds: minuteSeconds, retries: 0 },
  report_sharing: { retries: 5 },
  // Their pages show that they failed.
  replay_rules: { retries: 0 },
  find_rule: { retries: 0 },
  send_notice: { retries: 5 },
  check_alerts: { everySeconds: 5 * minuteSeconds, retries: 0 },
  send_summaries: { everySeconds: hourSeconds, retries: 2 },
  send_alert: { retries: 5 },
};

export const jobNames = Object.keys(jobKinds).filter((name): name is JobName => name in jobKinds);
