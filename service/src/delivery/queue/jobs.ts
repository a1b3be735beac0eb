/** What each kind of job carries. Ids only: what is personal is looked up when the job runs. */
export interface JobData {
  expire_challenges: Record<string, never>;
  detach_idle_devices: Record<string, never>;
  remove_old_rows: Record<string, never>;
  remove_old_claims: Record<string, never>;
  fold_activity: Record<string, never>;
  report_sharing: { userId: string };
}

export type JobName = keyof JobData;

/** Does the job. It may come twice, after a crash. */
export type JobHandlers = { readonly [Name in JobName]: (data: JobData[Name]) => Promise<void> };

export interface JobKind {
  /** How often it comes by itself, whatever the number of processes. Absent: only when something asks for it. */
  readonly everySeconds?: number;
  /** How often it is tried again after a failure, with growing pauses. */
  readonly retries: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What comes again soon by itself is not tried again. */
export const jobKinds: Readonly<Record<JobName, JobKind>> = {
  expire_challenges: { everySeconds: MINUTE, retries: 0 },
  detach_idle_devices: { everySeconds: HOUR, retries: 2 },
  remove_old_rows: { everySeconds: DAY, retries: 5 },
  remove_old_claims: { everySeconds: HOUR, retries: 0 },
  fold_activity: { everySeconds: 5 * MINUTE, retries: 0 },
  report_sharing: { retries: 5 },
};

export const jobNames = Object.keys(jobKinds).filter((name): name is JobName => name in jobKinds);
